#include "cli/pages/set_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>

#include "cli/document/metrics.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/shards/directory_losses.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom::cli {
namespace {

using LocationKind = LocationState::Kind;

/// ", 2 stale, 1 unreadable"; "" if there are none.
std::string rarer_states(const VerifiedSet& v) {
  std::string text;
  for (const LocationKind kind : {LocationKind::kStale, LocationKind::kUnreadable}) {
    if (v.count(kind) != 0) text += fmt::format(", {} {}", v.count(kind), to_string(kind));
  }
  return text;
}

std::string why_unreadable(const LocationState& state) {
  const StrayFile& file = *state.unreadable;
  return printable(fmt::format("{}: {}", file.path.string(), file.why));
}

Json json_of(const SetDamage& damage, std::size_t shard) {
  Json blocks = Json::array();
  const auto bad = damage.bad_blocks.find(shard);
  if (bad == damage.bad_blocks.end()) return blocks;
  for (const BadBlocks& range : bad->second) {
    blocks.push_back(
        {{"first", range.first}, {"last", range.last}, {"fault", xorloom::to_string(range.fault)}});
  }
  return blocks;
}

Json data_of(const VerifiedSet& v) {
  const ShardHeader& header = v.set.header();
  Json json{{"format", "xorloom-verify"},
            {"version", 4},
            {"set", xorloom::to_string(header.set)},
            {"generation", generation_text(header)},
            {"code", header.spec},
            {"file_bytes", header.file_bytes},
            {"archive_of_files", holds_files(header)},
            {"stripes", num_blocks(header)},
            {"whole", v.is_whole()},
            {"recoverable", v.is_recoverable()}};
  Json locations = Json::array();
  for (const LocationState& state : v.states) {
    Json copies = Json::array();
    for (const std::size_t copy : v.set.copies(state.location)) {
      const ShardFile& shard = v.set.set().shards[copy];
      copies.push_back({{"path", shard.path.string()},
                        {"hidden", is_pending_shard(shard.path)},
                        {"defects", shard.defects},
                        {"bad_blocks", json_of(v.damage, copy)}});
    }
    Json location{
        {"location", state.location}, {"state", to_string(state.kind)}, {"shards", copies}};
    if (state.unreadable) {
      location["path"] = state.unreadable->path.string();
      location["why"] = state.unreadable->why;
    }
    if (!state.damage.empty()) location["damage"] = state.damage;
    locations.push_back(location);
  }
  json["locations"] = locations;
  Json lost = Json::array();
  for (const LostStripes& range : v.damage.lost_stripes) {
    lost.push_back({{"first", range.first}, {"last", range.last}, {"locations", range.lost}});
  }
  json["lost_stripes"] = lost;
  Json suspect = Json::array();
  for (const SuspectStripes& range : v.damage.suspect_stripes) {
    suspect.push_back(
        {{"first", range.first}, {"last", range.last}, {"likely_locations", range.likely}});
  }
  json["suspect_stripes"] = suspect;
  if (v.damage.wrong.most != 0) json["wrong_unique_up_to"] = v.damage.wrong.unique_up_to;
  Json others = Json::array();
  for (const ShardSet& set : v.found.sets) {
    if (&set == &v.set.set()) continue;
    others.push_back({{"set", xorloom::to_string(set.header.set)},
                      {"generation", generation_text(set.header)},
                      {"file_bytes", set.header.file_bytes},
                      {"shards", set.shards.size()}});
  }
  json["other_sets"] = others;
  Json strays = Json::array();
  for (const StrayFile& stray : v.found.strays) {
    strays.push_back({{"path", stray.path.string()}, {"why", stray.why}});
  }
  json["other_files"] = strays;
  json["directories"] = losses_json(losses_of_directories(v.set.code(), v.set.set(), v.states));
  json["bytes_read"] = v.damage.bytes_read;
  json["seconds"] = v.seconds;
  return json;
}

Facts facts(const VerifiedSet& v) {
  const ShardHeader& header = v.set.header();
  Facts facts{{{"set", xorloom::to_string(header.set)},
               {"generation", generation_text(header)},
               {"code", header.spec}}};
  if (holds_files(header)) facts.add("content", "an archive of files");
  if (const auto losses = losses_of_directories(v.set.code(), v.set.set(), v.states)) {
    facts.add("directories", xorloom::to_string(*losses));
  }
  facts.add("file", fmt::format("{} in {}", bytes_text(header.file_bytes),
                                counted(num_blocks(header), "stripe")));
  facts.add("shards", fmt::format("{}: {} whole, {} damaged, {} missing{}", v.states.size(),
                                  v.count(LocationKind::kWhole), v.count(LocationKind::kDamaged),
                                  v.count(LocationKind::kMissing), rarer_states(v)));
  if (v.damage.wrong.most != 0) {
    facts.add("assumption", fmt::format("these are wrong {}", assumption_text(v.damage.wrong)));
  }
  if (!v.damage.suspect_stripes.empty()) {
    facts.add("suspect", xorloom::to_string(v.damage.suspect_stripes, header));
  }
  facts.add("read", fmt::format("{} in {}", bytes_text(v.damage.bytes_read),
                                rate_text(v.damage.bytes_read, v.seconds)));
  return facts;
}

/// Table of the locations whose shards are not whole, with reasons.
Table troubles(const VerifiedSet& v) {
  Table table{{{"", {"state", "what is wrong"}, true}}, {{"", {}}}, "location"};
  for (const LocationState& state : v.states) {
    if (state.kind == LocationKind::kWhole) continue;
    std::string why = fmt::format("{}", fmt::join(state.damage, "; "));
    if (state.unreadable) why += (why.empty() ? "" : "; ") + why_unreadable(state);
    table.blocks.back().rows.push_back(
        {0, fmt::format("{}", state.location), {to_string(state.kind), std::move(why)}});
  }
  return table;
}

/// The error of check_whole(), or a sentence that all is right.
std::string verdict_of(const VerifiedSet& v) try {
  check_whole(v);
  return "Every location has its shard, and every byte of every shard is right.";
} catch (const std::exception& error) {
  return printable(in_program_words(error.what()));
}

}  // namespace

void check_whole(const VerifiedSet& v, bool names_others) {
  if (v.damage.lost_stripes.empty() && !v.damage.suspect_stripes.empty()) {
    fail(Status::kDamaged,
         fmt::format(
             "set {} contradicts itself, and redundancy cannot tell which chunks are wrong: {}",
             xorloom::to_string(v.set.header().set),
             xorloom::to_string(v.damage.suspect_stripes, v.set.header())));
  }
  if (!v.is_recoverable()) {
    fail(kind_of_loss(v.found, v.set.set()),
         fmt::format("set {} cannot be recovered: {}{}", xorloom::to_string(v.set.header().set),
                     loss_text(v.damage.lost_stripes, v.set),
                     names_others ? describe_others(v.found, v.set.set()) : ""));
  }
  if (v.is_whole()) return;
  const std::string advice =
      v.damage.wrong.most != 0
          ? fmt::format("; {}, repair --deep --assume-wrong {} rebuilds them",
                        assumption_text(v.damage.wrong), v.damage.wrong.unique_up_to)
      : v.has_forbidden()
          ? "; change the permissions of the unreadable ones or move them away, then run repair"
      : v.count(LocationKind::kUnreadable) != 0
          ? "; check the disk of the unreadable ones: repair writes them anew there, and repair "
            "--to elsewhere"
          : fmt::format(": run repair to rebuild {}",
                        v.states.size() - v.count(LocationKind::kWhole) == 1 ? "it" : "them");
  throw RecoverableDamage(fmt::format("{} of {} damaged, {} missing{}; the file can be recovered{}",
                                      v.count(LocationKind::kDamaged),
                                      counted(v.states.size(), "shard"),
                                      v.count(LocationKind::kMissing), rarer_states(v), advice));
}

std::string set_metrics(const VerifiedSet& v) {
  const ShardHeader& header = v.set.header();
  const std::string set = fmt::format("set=\"{}\"", xorloom::to_string(header.set));
  Metrics metrics;
  const auto add_one = [&](const char* name, const char* help, const std::string& value) {
    metrics.begin(name, help);
    metrics.add(set, value);
  };
  metrics.begin("shards", "Locations of the set by the state of their shard.");
  for (const LocationKind kind :
       {LocationKind::kWhole, LocationKind::kDamaged, LocationKind::kMissing, LocationKind::kStale,
        LocationKind::kUnreadable}) {
    metrics.add(fmt::format("{},state=\"{}\"", set, to_string(kind)),
                std::to_string(v.count(kind)));
  }
  add_one("recoverable", "Whether every byte of the file can be recovered.",
          v.is_recoverable() ? "1" : "0");
  add_one("file_bytes", "Length of the file.", std::to_string(header.file_bytes));
  add_one("generation", "Generation of the set, as a count.",
          std::to_string(generation_count(header)));
  add_one("verified_bytes", "Bytes read by the last verify.", std::to_string(v.damage.bytes_read));
  add_one("verify_seconds", "Time that the last verify took.", fmt::format("{:.3f}", v.seconds));
  add_one("verified_timestamp_seconds", "When the last verify ended, in Unix time.", unix_time());
  return metrics.text();
}

Document set_document(const VerifiedSet& v) {
  Document document{fmt::format("Set {}", xorloom::to_string(v.set.header().set)), data_of(v)};
  document.add(Verdict{{verdict_of(v)}}, DocumentPart::For::kPage);
  document.add(facts(v));
  if (Table table = troubles(v); !table.blocks.back().rows.empty()) document.add(std::move(table));
  return document;
}

}  // namespace xorloom::cli
