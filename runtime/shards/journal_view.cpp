#include "runtime/shards/journal_view.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/shards/reading_bounds.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

/// The journals of one change in place.
struct Change {
  ShardHeader before;
  ShardHeader after;
  std::vector<FoundJournal*> journals;

  bool changes_code() const { return xorloom::changes_code(before, after); }

  bool is_committed() const {
    return std::ranges::any_of(journals,
                               [](const FoundJournal* found) { return !found->is_pending; });
  }

  bool are_all_named() const {
    return std::ranges::none_of(journals,
                                [](const FoundJournal* found) { return found->is_pending; });
  }

  std::shared_ptr<const Journal> journal_of(std::uint32_t location) const {
    for (const FoundJournal* const found : journals) {
      if (found->journal->covers(location)) return found->journal;
    }
    return nullptr;
  }

  /// True if the directory of pending `shard` still has its journal: a writer that drops the change
  /// removes the journal first.
  bool has_journal_beside(const ShardFile& shard) const {
    return std::ranges::any_of(journals, [&](const FoundJournal* found) {
      return is_same_directory(directory_of(found->journal->path()), directory_of(shard.path));
    });
  }
};

/// Changes, the lowest generation first: one may follow another.
std::vector<Change> changes_of(FoundShards& found) {
  std::vector<Change> changes;
  for (FoundJournal& each : found.journals) {
    const Journal& journal = *each.journal;
    if (journal.kind() != Journal::Kind::kWhole) continue;
    const auto known = std::ranges::find_if(changes, [&](const Change& change) {
      return change.before == journal.before() && change.after == journal.after();
    });
    if (known != changes.end()) {
      known->journals.push_back(&each);
    } else {
      changes.push_back({journal.before(), journal.after(), {&each}});
    }
  }
  std::ranges::stable_sort(changes, {}, [](const Change& c) { return generation_count(c.after); });
  return changes;
}

/// True if `change` of `shard` is under way: its first header is the new one, its last the old one.
bool is_between(const ShardFile& shard, const Change& change) {
  return same_set(shard.header, change.after) && same_set(*shard.last_header, change.before);
}

/// True if the present locations suffice to recover the file. False also if finding out exceeds the
/// usual bounds.
bool can_recover(const ShardHeader& header, const std::vector<bool>& is_present) try {
  const ReadingBounds bounds;
  const Code code =
      make_code(header.spec, {.packet_bytes = 0, .allow_non_mds = true, .limits = bounds.spec});
  if (code.locations != is_present.size()) return false;
  std::vector<std::size_t> lost;
  for (std::size_t location = 0; location < is_present.size(); ++location) {
    if (!is_present[location]) lost.push_back(location);
  }
  if (lost.empty()) return true;
  check_recovery(bounds, code, lost, {});
  return is_recoverable(code, lost);
} catch (const Error&) {
  return false;
}

bool can_recover(const ShardSet& set) {
  std::vector<bool> is_present(set.header.locations);
  for (const ShardFile& shard : set.shards) is_present[shard.header.location] = true;
  return can_recover(set.header, is_present);
}

bool is_all_pending(const ShardSet& set) {
  return std::ranges::all_of(set.shards,
                             [](const ShardFile& shard) { return is_pending_shard(shard.path); });
}

/// Decides whether a change was made, and applies it to the shards that were found.
class Applying {
 public:
  Applying(FoundShards& found, std::vector<ShardFile>& conflicting, const Change& change)
      : found_(found), conflicting_(conflicting), change_(change) {}

  /// True if the shards are to be taken as they are after the change.
  bool is_made() const {
    // A shard with the new header shows that all journals were complete. The named one may be gone
    // if the change was carried out while other directories were away.
    if (has_begun()) return true;
    if (!change_.is_committed()) return false;
    std::vector<bool> is_present(change_.after.locations);
    bool all_are_covered = true;
    if (const ShardSet* const before = set_of(found_.sets, change_.before)) {
      for (const ShardFile& shard : before->shards) {
        const bool is_covered = change_.journal_of(shard.header.location) != nullptr;
        all_are_covered &= is_covered;
        if (is_covered) is_present[shard.header.location] = true;
      }
    }
    if (!change_.changes_code()) return all_are_covered || can_recover(change_.after, is_present);
    if (const ShardSet* const after = set_of(found_.sets, change_.after)) {
      for (const ShardFile& shard : after->shards) {
        if (change_.has_journal_beside(shard)) is_present[shard.header.location] = true;
      }
    }
    const auto data_end = is_present.begin() + data_shards(change_.after);
    const bool has_all_data = std::all_of(is_present.begin(), data_end, std::identity());
    return has_all_data || can_recover(change_.after, is_present);
  }

  /// True if a change that does not count as made may still have been made: the new code may
  /// survive fewer losses, so the shards may suffice for the old code only. A change that was not
  /// made has a journal with a hidden name or, once a writer has dropped it, data shards that no
  /// journal covers.
  bool may_be_made() const {
    if (!change_.changes_code() || !change_.are_all_named()) return false;
    const ShardSet* const before = set_of(found_.sets, change_.before);
    const bool is_past = std::ranges::any_of(found_.sets, [&](const ShardSet& set) {
      return set.header.set == change_.before.set && !is_all_pending(set) &&
             generation_count(set.header) > generation_count(change_.before);
    });
    if (before == nullptr || is_past || !can_recover(*before)) return false;
    return std::ranges::all_of(before->shards, [&](const ShardFile& shard) {
      return shard.header.location >= data_shards(change_.after) ||
             change_.journal_of(shard.header.location) != nullptr;
    });
  }

  void apply() {
    std::vector<ShardFile> moved;
    if (ShardSet* const before = set_of(found_.sets, change_.before)) take(before->shards, moved);
    take(conflicting_, moved);
    if (ShardSet* const after = set_of(found_.sets, change_.after)) take(after->shards, moved);
    for (ShardFile& shard : moved) {
      const std::uint32_t location = shard.header.location;
      shard.kind = ShardFile::Kind::kShard;
      shard.journal = change_.journal_of(location);
      shard.header = change_.after;
      shard.header.location = location;
      shard.last_header.reset();
      shard.defects.clear();
      add_to_set(found_.sets, std::move(shard));
    }
    std::erase_if(found_.sets, [](const ShardSet& set) { return set.shards.empty(); });
  }

 private:
  /// True if a shard shows that the change is being carried out. Shards of a new code are there
  /// before, under hidden names.
  bool has_begun() const {
    if (const ShardSet* const after = set_of(found_.sets, change_.after)) {
      if (change_.changes_code() ? !is_all_pending(*after) : !after->shards.empty()) return true;
    }
    return std::ranges::any_of(conflicting_,
                               [&](const ShardFile& shard) { return is_between(shard, change_); });
  }

  /// Moves the shards that the change covers from `from` to `to`.
  void take(std::vector<ShardFile>& from, std::vector<ShardFile>& to) const {
    std::vector<ShardFile> kept;
    for (ShardFile& shard : from) {
      const bool is_of_change = !shard.last_header || is_between(shard, change_);
      const bool is_taken = is_of_change && change_.journal_of(shard.header.location) != nullptr;
      (is_taken ? to : kept).push_back(std::move(shard));
    }
    from = std::move(kept);
  }

  FoundShards& found_;
  std::vector<ShardFile>& conflicting_;
  const Change& change_;
};

/// True if the change of `journal` is in the past of the set of `header`, or can still be applied.
bool is_of_history(const Journal& journal, const ShardHeader& header) {
  return same_set(journal.before(), header) || same_set(journal.after(), header) ||
         came_before(journal.after(), header);
}

/// True if `found` is a journal of `set`, none of its shards is read through the journal, and the
/// file can be recovered.
bool does_without(const ShardSet& set, const FoundJournal& found) {
  if (set.header.set != found.set) return false;
  const bool reads_it = std::ranges::any_of(
      set.shards, [&](const ShardFile& shard) { return shard.journal == found.journal; });
  return !reads_it && can_recover(set);
}

}  // namespace

void apply_journals(FoundShards& found, std::vector<ShardFile>& conflicting) {
  for (const Change& change : changes_of(found)) {
    Applying applying(found, conflicting, change);
    const bool is_made = applying.is_made();
    if (!is_made && !applying.may_be_made()) continue;
    if (is_made) applying.apply();
    for (FoundJournal* const each : change.journals) {
      each->state = is_made ? FoundJournal::State::kCommitted : FoundJournal::State::kUndecided;
    }
  }
  for (FoundJournal& each : found.journals) {
    if (each.state != FoundJournal::State::kKept) continue;
    const bool is_newer = each.journal->kind() == Journal::Kind::kNewer;
    const bool is_damaged = !each.is_pending && each.journal->kind() != Journal::Kind::kWhole;
    if (is_newer || is_damaged) continue;
    for (const ShardSet& set : found.sets) {
      if (!does_without(set, each)) continue;
      // A journal with a hidden name is of a change that was not made.
      const bool is_past = each.is_pending || is_of_history(*each.journal, set.header);
      each.state = is_past ? FoundJournal::State::kDiscarded : FoundJournal::State::kApart;
      if (is_past) break;
    }
  }
}

}  // namespace xorloom
