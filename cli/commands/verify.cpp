#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/protected.hpp"
#include "cli/commands/raw.hpp"
#include "cli/document/metrics.hpp"
#include "cli/document/writers.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/shards/directory_losses.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/settled_reading.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kVerifyAbout =
    "check every byte of a set's shards and report damage\n"
    "Reads all shards of a set and compares every block and header with its checksum. Exit status "
    "0 means that every location has its shard and every byte of every shard is right. With "
    "--deep, verify also computes the redundancy anew. So it "
    "finds chunks that are wrong though their checksums hold, as a fault of memory leaves them. If "
    "m "
    "redundant chunks are there, up to m/2 wrong chunks are found, if no more are wrong: verify "
    "says how many may be. If redundancy cannot tell "
    "which chunks are wrong, the exit status is 3. With --raw, DIR holds bare chunk files without "
    "checksums. Then redundancy is all that there is to compare with. If a protection file of "
    "protect is given, verify checks the files that it protects. Files that moved are looked for "
    "in their directories, and in every other FILE and DIR that is given.";

constexpr const char* kVerifyExamples =
    "xorloom verify shards\n"
    "xorloom verify disk1 disk2 disk3 --format json\n"
    "xorloom verify shards --deep\n"
    "xorloom verify photos.xorloom\n"
    "xorloom verify chunks --raw --code rs:k=4,m=2\n"
    "xorloom verify shards --format prometheus > shards.prom";

struct VerifyOptions {
  std::vector<std::string> directories;
  std::string set;
  std::string base;
  std::string format = "text";
  bool allow_large = false;
  bool deep = false;
  bool protection_only = false;
  bool raw = false;
  std::optional<std::string> spec;
  Options run{.threads = 0};
};

using LocationKind = LocationState::Kind;

struct Verified {
  const FoundShards& found;
  const OpenedSet& set;
  const SetDamage& damage;
  std::vector<LocationState> states;
  double seconds;

  std::size_t count(LocationKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(states, kind, &LocationState::kind));
  }
  bool is_whole() const { return are_whole(states); }
  bool is_recoverable() const {
    return damage.lost_stripes.empty() && damage.suspect_stripes.empty();
  }

  /// True if other permissions would let a shard be read: repair leaves it alone.
  bool has_forbidden() const {
    return std::ranges::any_of(states, [](const LocationState& state) {
      return state.unreadable && state.unreadable->is_forbidden();
    });
  }

  /// ", 2 stale, 1 unreadable"; "" if there are none.
  std::string rarer_states() const {
    std::string text;
    for (const LocationKind kind : {LocationKind::kStale, LocationKind::kUnreadable}) {
      if (count(kind) != 0) text += fmt::format(", {} {}", count(kind), to_string(kind));
    }
    return text;
  }
};

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

Json data_of(const Verified& v) {
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
  json["bytes_read"] = v.damage.bytes_read;
  json["seconds"] = v.seconds;
  return json;
}

Facts facts(const Verified& v) {
  const ShardHeader& header = v.set.header();
  Facts facts{{{"set", xorloom::to_string(header.set)},
               {"generation", generation_text(header)},
               {"code", header.spec}}};
  if (holds_files(header)) facts.add("content", "an archive of files");
  auto held = locations_by_directory(v.set.set());
  for (std::vector<std::size_t>& each : held) {
    std::erase_if(each, [&](std::size_t i) { return v.states[i].kind != LocationKind::kWhole; });
  }
  if (held.size() > 1) {
    facts.add("directories", xorloom::to_string(directory_losses(v.set.code(), held)));
  }
  facts.add("file", fmt::format("{} in {} stripe{}", bytes_text(header.file_bytes),
                                num_blocks(header), num_blocks(header) == 1 ? "" : "s"));
  facts.add("shards", fmt::format("{}: {} whole, {} damaged, {} missing{}", v.states.size(),
                                  v.count(LocationKind::kWhole), v.count(LocationKind::kDamaged),
                                  v.count(LocationKind::kMissing), v.rarer_states()));
  if (v.damage.wrong.most != 0) {
    facts.add("assumption", fmt::format("these are wrong {}", assumption_text(v.damage.wrong)));
  }
  if (!v.damage.suspect_stripes.empty()) {
    facts.add("suspect", xorloom::to_string(v.damage.suspect_stripes, header));
  }
  facts.add("read", fmt::format("{} in {:.3f} s, {:.2f} GB/s", bytes_text(v.damage.bytes_read),
                                v.seconds, gigabytes_per_second(v.damage.bytes_read, v.seconds)));
  return facts;
}

/// Table of the locations whose shards are not whole, with reasons.
Table troubles(const Verified& v) {
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

std::string prometheus_of(const Verified& v) {
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

void check_whole(const Verified& v) {
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
                     describe_others(v.found, v.set.set())));
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
          : ": run repair to rebuild them";
  throw RecoverableDamage(
      fmt::format("{} of {} shards damaged, {} missing{}; the file can be recovered{}",
                  v.count(LocationKind::kDamaged), v.states.size(), v.count(LocationKind::kMissing),
                  v.rarer_states(), advice));
}

/// The error of check_whole(), or a sentence that all is right.
std::string verdict_of(const Verified& v) try {
  check_whole(v);
  return "Every location has its shard, and every byte of every shard is right.";
} catch (const std::exception& error) {
  return printable(in_program_words(error.what()));
}

Document document_of(const Verified& v) {
  Document document{fmt::format("Set {}", xorloom::to_string(v.set.header().set)), data_of(v)};
  document.add(Verdict{{verdict_of(v)}}, DocumentPart::For::kPage);
  document.add(facts(v));
  if (Table table = troubles(v); !table.blocks.back().rows.empty()) document.add(std::move(table));
  return document;
}

void verify_found(const VerifyOptions& options, ReadAttempt& attempt) {
  const FoundShards& found = attempt.found();
  const OpenedSet set(found, options.set, codec_options(options.run),
                      reading_bounds(options.allow_large));
  Progress progress;
  SetDamage damage;
  const Stopwatch all;
  {
    const ProgressLine line(progress);
    damage = verify_set(set, pipeline_threads(options.run), progress,
                        options.deep ? Depth::kRedundancy : Depth::kChecksums);
  }
  const Verified verified{found, set, damage, location_states(found, set.set(), damage),
                          all.seconds()};
  attempt.settle(verified.is_whole() && verified.is_recoverable());
  if (options.format == "text") {
    note_others(found, set.set());
    note_hidden(set.set());
  }
  print(options.format == "prometheus" ? prometheus_of(verified)
                                       : written(document_of(verified), options.format));
  check_whole(verified);
}

void verify_shards(const VerifyOptions& options) {
  refuse_without_raw(options.spec.has_value(), "--code");
  read_settled(paths_of(options.directories),
               [&](ReadAttempt& attempt) { verify_found(options, attempt); });
}

void verify_files(const VerifyOptions& options) {
  refuse_for_protection(!options.set.empty(), "--set");
  refuse_for_protection(options.deep, "--deep");
  refuse_without_raw(options.spec.has_value(), "--code");
  verify_protected({{options.directories, options.base, options.allow_large, options.run},
                    options.format,
                    options.protection_only});
}

void run(const VerifyOptions& options) {
  if (!options.raw && names_protection(options.directories)) return verify_files(options);
  refuse_without_protection(!options.base.empty(), "--base");
  refuse_without_protection(options.protection_only, "--protection-only");
  if (!options.raw) return verify_shards(options);
  need_for_raw(options.spec.has_value(), "--code");
  refuse_for_raw(!options.set.empty(), "--set");
  refuse_for_raw(options.allow_large, "--allow-large");
  refuse_for_raw(options.deep, "--deep");
  refuse_for_raw(options.format == "prometheus", "--format prometheus");
  verify_raw(
      {only_directory(options.directories), *options.spec, options.format == "json", options.run});
}

}  // namespace

Command verify_command() {
  Command command{"verify", kVerifyAbout, kVerifyExamples};
  command.finds_damage = true;
  command.reads_data = true;
  const auto options = std::make_shared<VerifyOptions>();
  add_directories(command, options->directories);
  add_protection_files(command);
  add_base(command, options->base);
  add_flag(command, "--protection-only", options->protection_only,
           "with a protection file: check it alone, without reading the files");
  add_set(command, options->set);
  add_allow_large(command, options->allow_large);
  add_flag(command, "--deep", options->deep,
           "also compare redundancy with data, and find wrong chunks whose checksums hold");
  add_flag(command, "--raw", options->raw,
           "look at bare chunk files instead of shards; needs --code");
  add_code(command, options->spec, "with --raw, the SPEC that encoded the chunks");
  add_choice(command, "--format", options->format, {"text", "json", "html", "prometheus"},
             "output format; prometheus is for the textfile collector of its node exporter; "
             "default: text");
  add_engine(command, options->run, "default: auto", "default: 0");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
