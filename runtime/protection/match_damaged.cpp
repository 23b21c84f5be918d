#include "runtime/protection/match_damaged.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/file_changes.hpp"

namespace xorloom {
namespace {

/// Most pairs of a strange file and a lost one that are compared.
constexpr std::size_t kMostPairs = std::size_t{1} << 14;

/// Bytes of a beginning that tell a file from others, if its time is known to the second alone.
constexpr std::uint64_t kLeastBeginning = 256;

std::string_view last_name(std::string_view name) { return name.substr(name.rfind('/') + 1); }

/// A strange file that has something in common with a lost one.
struct AlikePair {
  std::uint64_t alike;
  bool has_name;
  bool has_last_name;
  std::size_t now;
  std::size_t before;
};

class Matching {
 public:
  Matching(const Protection& old, const std::vector<ProtectedFile>& before,
           const std::vector<ProtectedFile>& now, const std::filesystem::path& base,
           const std::map<std::size_t, std::size_t>& own, FilesNow& found, UnreadFiles& unread)
      : old_(old),
        before_(before),
        now_(now),
        base_(base),
        own_(own),
        found_(found),
        unread_(unread) {}

  void run(const LostAndStrange& files) {
    lost_.insert(files.lost.begin(), files.lost.end());
    for (const std::size_t now : files.strange) compare(now);
    std::vector<std::size_t> guessed = match_own(files.strange);
    match_alike();
    std::vector<std::size_t> rest;
    for (const std::size_t now : files.strange) {
      if (!is_settled(now)) rest.push_back(now);
    }
    const auto has_name = [this](std::size_t now) { return is_lost_own(now); };
    std::stable_partition(rest.begin(), rest.end(), has_name);
    for (const std::size_t now : rest) {
      if (is_lost_own(now)) {
        take(now, own_.at(now));
        guessed.push_back(now);
        continue;
      }
      // Zeros alone make no copy of a file that may be a lost one.
      const auto before = likeliest(now);
      if (is_damaged_copy(now, before ? Zeros::kContent : Zeros::kDamage)) {
        found_.damaged[now] = own_.at(now);
        found_.same.erase(own_.at(now));
      } else if (before) {
        take(now, *before);
        guessed.push_back(now);
      }
    }
    for (const std::size_t now : rest) {
      const auto like = std::ranges::find_if(
          guessed, [&](std::size_t other) { return may_be(now, found_.damaged.at(other)); });
      if (!is_settled(now) && like != guessed.end()) found_.set_aside[now] = *like;
    }
    for (const std::size_t now : guessed) hold_rivals(now);
  }

 private:
  std::filesystem::path path_of(std::size_t now) const { return base_ / now_[now].name; }

  bool is_settled(std::size_t now) const {
    return found_.damaged.contains(now) || found_.set_aside.contains(now);
  }

  bool is_own(std::size_t now, std::size_t before) const {
    const auto own = own_.find(now);
    return own != own_.end() && own->second == before;
  }

  /// True if the protected file of this file's name is lost.
  bool is_lost_own(std::size_t now) const {
    const auto own = own_.find(now);
    return own != own_.end() && lost_.contains(own->second);
  }

  bool is_fine_time(std::size_t now) const { return now_[now].modified_nanoseconds != 0; }

  void take(std::size_t now, std::size_t before) {
    found_.damaged[now] = before;
    lost_.erase(before);
  }

  /// Compares a strange file with each lost one.
  void compare(std::size_t now) {
    const OpenFile file(path_of(now));
    if (file.error() > 0) unread_.note(now_[now].name, base_, file.error());
    if (!file.is_open()) return;
    zeros_[now] = zero_bytes(file);
    for (const std::size_t before : lost_) {
      if (++num_pairs_ > kMostPairs) return;
      const FileComparison compared =
          compare_file(old_, before, file, CompareUp::kToEnd, found_.bytes_read);
      if (compared.error > 0) return unread_.note(now_[now].name, base_, compared.error);
      const bool has_name = is_own(now, before);
      const bool has_size = now_[now].bytes == before_[before].bytes;
      // The first segment may be a few bytes with which many files begin.
      const bool is_beginning = now_[now].bytes < before_[before].bytes && !compared.has_other &&
                                (is_fine_time(now) || compared.alike >= kLeastBeginning);
      const bool is_alike =
          compared.alike != 0 && (has_name || has_size || is_beginning || compared.has_block ||
                                  2 * compared.alike >= now_[now].bytes);
      if (!is_alike) continue;
      pairs_.push_back({compared.alike, has_name,
                        last_name(now_[now].name) == last_name(before_[before].name), now, before});
    }
  }

  /// Matches files that have the names of lost ones, and no content of any, if size or time tell
  /// enough. Otherwise a damaged copy of such a lost one would be taken for it, and the file for an
  /// edit. Returns the files.
  std::vector<std::size_t> match_own(const std::vector<std::size_t>& strange) {
    std::vector<std::size_t> matched;
    std::set<std::size_t> are_alike;
    for (const AlikePair& pair : pairs_) are_alike.insert(pair.now);
    for (const std::size_t now : strange) {
      if (!is_lost_own(now) || are_alike.contains(now)) continue;
      const std::size_t before = own_.at(now);
      const bool has_size = now_[now].bytes == before_[before].bytes;
      if (!has_size && !is_fine_time(now)) continue;
      take(now, before);
      taken_[before] = now;
      matched.push_back(now);
    }
    return matched;
  }

  /// Matches the pairs that have the most in common.
  void match_alike() {
    std::ranges::stable_sort(pairs_, [](const AlikePair& a, const AlikePair& b) {
      return std::tuple(a.alike, a.has_name, a.has_last_name) >
             std::tuple(b.alike, b.has_name, b.has_last_name);
    });
    for (const AlikePair& pair : pairs_) {
      if (!lost_.contains(pair.before) || is_settled(pair.now)) continue;
      take(pair.now, pair.before);
      taken_[pair.before] = pair.now;
    }
    for (const AlikePair& pair : pairs_) {
      if (is_settled(pair.now) || is_lost_own(pair.now)) continue;
      found_.set_aside[pair.now] = taken_.at(pair.before);
    }
  }

  /// True if a strange file that has nothing in common with a lost one may still be it.
  bool may_be(std::size_t now, std::size_t before) const {
    const std::uint64_t bytes = now_[now].bytes;
    const auto counted = zeros_.find(now);
    const std::uint64_t zeros = counted == zeros_.end() ? 0 : counted->second;
    if (bytes == before_[before].bytes) return is_fine_time(now) || 2 * zeros >= bytes;
    if (bytes > before_[before].bytes || counted == zeros_.end()) return false;
    const std::size_t first = old_.map.first_segment(before);
    return zeros == bytes || (is_fine_time(now) && bytes < old_.map.segment(before, first).bytes);
  }

  /// The lost files that a strange one may be; only those of its size, if there are any. If it has
  /// the name of a protected file, it may be any lost file of its size, or what is left of a longer
  /// one.
  std::vector<std::size_t> candidates(std::size_t now) const {
    const auto has_size = [&](std::size_t before) {
      return now_[now].bytes == before_[before].bytes;
    };
    std::vector<std::size_t> found;
    std::copy_if(lost_.begin(), lost_.end(), std::back_inserter(found), [&](std::size_t before) {
      const bool may_be_cut = now_[now].bytes <= before_[before].bytes;
      return may_be(now, before) || (own_.contains(now) && may_be_cut);
    });
    if (std::ranges::any_of(found, has_size)) {
      std::erase_if(found, [&](std::size_t before) { return !has_size(before); });
    }
    return found;
  }

  /// The file that now has the name of a protected one, if any.
  std::optional<std::size_t> with_name_of(std::size_t before) const {
    const auto found =
        std::ranges::lower_bound(now_, before_[before].name, {}, &ProtectedFile::name);
    if (found == now_.end() || found->name != before_[before].name) return std::nullopt;
    return static_cast<std::size_t>(found - now_.begin());
  }

  /// The lost file that a strange one most likely is: one with its last name, else one whose name
  /// another file has now, since such a file could not be held.
  std::optional<std::size_t> likeliest(std::size_t now) const {
    const std::vector<std::size_t> all = candidates(now);
    if (all.empty()) return std::nullopt;
    return *std::ranges::max_element(all, {}, [&](std::size_t before) {
      return std::pair(last_name(now_[now].name) == last_name(before_[before].name),
                       with_name_of(before).has_value());
    });
  }

  /// Keeps the other lost files protected that a damaged one may be. If other files have their
  /// names, it is unclear which one it is, unless those were edited.
  void hold_rivals(std::size_t now) {
    const auto taken = found_.damaged.find(now);
    const bool has_size = now_[now].bytes == before_[taken->second].bytes;
    const bool is_clear = is_own(now, taken->second) && !has_size;
    for (const std::size_t rival : candidates(now)) {
      if (is_clear && !may_be(now, rival)) continue;
      const auto other = with_name_of(rival);
      if (!other) {
        found_.held.insert(rival);
      } else if (time_of(now_[*other]) == time_of(before_[rival]) || is_whole(*other)) {
        found_.unclear.insert(now);
      }
    }
  }

  /// True if a file has the content of a protected one.
  bool is_whole(std::size_t now) const {
    return std::ranges::any_of(found_.same, [&](const auto& each) { return each.second == now; });
  }

  /// True if the old content of a file's name is whole under another name, and the file is like it,
  /// or has its size and fine time, and may be no other lost one.
  bool is_damaged_copy(std::size_t now, Zeros zeros) const {
    const auto own = own_.find(now);
    if (own == own_.end()) return false;
    const auto whole = found_.same.find(own->second);
    if (whole == found_.same.end()) return false;
    const bool has_size = now_[now].bytes == before_[own->second].bytes;
    return (has_size && is_fine_time(now) && zeros == Zeros::kDamage) ||
           may_be_damage_of(path_of(whole->second), path_of(now), zeros);
  }

  const Protection& old_;
  const std::vector<ProtectedFile>& before_;
  const std::vector<ProtectedFile>& now_;
  const std::filesystem::path& base_;
  const std::map<std::size_t, std::size_t>& own_;
  FilesNow& found_;
  UnreadFiles& unread_;
  std::set<std::size_t> lost_;                  ///< lost files that have no damaged file yet
  std::map<std::size_t, std::size_t> taken_;    ///< before -> now: matched before any guess
  std::map<std::size_t, std::uint64_t> zeros_;  ///< zero bytes, by strange file that can be read
  std::vector<AlikePair> pairs_;
  std::size_t num_pairs_ = 0;
};

}  // namespace

void match_damaged(const Protection& old, const std::vector<ProtectedFile>& before,
                   const std::vector<ProtectedFile>& now, const std::filesystem::path& base,
                   const LostAndStrange& files, const std::map<std::size_t, std::size_t>& own,
                   FilesNow& found, UnreadFiles& unread) {
  Matching(old, before, now, base, own, found, unread).run(files);
}

}  // namespace xorloom
