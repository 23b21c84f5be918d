#include "runtime/sets/repair_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/commands/protected.hpp"
#include "cli/commands/raw.hpp"
#include "cli/pages/name_lists.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/read_costs.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kRepairAbout =
    "rebuild the damaged and missing shards of a set\n"
    "Reads all shards of a set and rebuilds those that are damaged or missing. A damaged shard is "
    "replaced where it is; a missing one goes to the DIR with the fewest shards. With --to, all "
    "rebuilt shards go to that directory and nothing else is changed: a damaged shard stays where "
    "it is. Then give DIR and that directory to verify and decode. verify names the damaged shard "
    "until you delete it. Each rebuilt shard is read back and checked "
    "before it takes its place. With --only-missing, repair reads only what rebuilding the missing "
    "shards needs. If it finds a damaged block, it reads other shards instead. It reports the "
    "damage but does not rebuild that shard, and exits with status 0. If permissions forbid to "
    "read a shard, it may be whole. Without --to, repair does not rebuild it, and exits with "
    "status 4. Every DIR must be there; leave out a dead disk. If a stripe lost more than the "
    "code can rebuild, repair rebuilds all others, leaves its blocks as they are, and exits with "
    "status 3. If too many shards are missing, nothing is written. With --raw, DIR holds bare "
    "chunk files, without checksums: "
    "missing ones are written, and every one that is there is taken to be right, unless --deep is "
    "given. With --deep, repair also compares redundancy with data. Which chunks are wrong then "
    "depends on how many may be: repair names them and the number, and writes nothing. Give that "
    "number with --assume-wrong if you know it, for example because one disk had a fault. What "
    "repair then replaces, it keeps beside it as .before-deep-repair. If a protection file of "
    "protect is "
    "given, repair restores the files that it protects. "
    "It keeps what stood there as NAME.damaged, or NAME.damaged-2 and so on, gives moved files "
    "their names back, and then "
    "rewrites the protection file if that is damaged. With --to, it writes what it would restore "
    "to "
    "that directory instead, and changes nothing else.";

constexpr const char* kRepairExamples =
    "xorloom repair shards\n"
    "xorloom repair disk1 disk2 --to disk3\n"
    "xorloom repair disk1 disk2 far --only-missing --read-cost far=10\n"
    "xorloom repair photos.xorloom\n"
    "xorloom repair photos.xorloom --only photos/2026 --to /tmp/old\n"
    "xorloom repair chunks --raw --code rs:k=4,m=2\n"
    "xorloom repair shards --deep --assume-wrong 1";

struct RepairOptions {
  std::vector<std::string> directories;
  std::string to;
  std::string set;
  std::string base;
  std::vector<std::string> only;
  bool removes_kept = false;
  bool dereference = false;
  bool dry_run = false;
  std::string format = "text";
  bool list_all = false;
  bool only_missing = false;
  bool deep = false;
  std::optional<std::size_t> assume_wrong;
  bool allow_large = false;
  std::optional<std::string> spec;
  bool raw = false;
  std::vector<PlaceCost> read_costs;
  Options run{.threads = 0};
};

/// Bytes read by purpose: "1234 bytes to find damage, 567 to rebuild (from 11 shards, 2.75 bytes
/// read per byte rebuilt), 89 to verify".
std::string reading_text(const RepairedSet& repaired, bool only_missing) {
  std::string text;
  if (!only_missing) text = counted(repaired.bytes_read_to_find, "byte") + " to find damage";
  if (repaired.rebuilt.empty()) return text.empty() ? "0 bytes" : text;
  text +=
      fmt::format("{}{} to rebuild (from {}", text.empty() ? "" : ", ",
                  fmt::format("{}{}", repaired.bytes_read_to_rebuild, text.empty() ? " bytes" : ""),
                  counted(repaired.shards_read_to_rebuild, "shard"));
  if (repaired.bytes_rebuilt != 0) {
    text += fmt::format(", {:.2f} bytes read per byte rebuilt",
                        static_cast<double>(repaired.bytes_read_to_rebuild) /
                            static_cast<double>(repaired.bytes_rebuilt));
  }
  return text + fmt::format("), {} to verify", repaired.bytes_read_back);
}

/// Notes the damage that --only-missing found but did not repair.
void note_left_damaged(const RepairedSet& repaired) {
  if (repaired.left_damaged.empty()) return;
  for (const std::size_t number : repaired.left_damaged) {
    note(printable(fmt::format("still damaged: {}", repaired.set->shards[number].path.string())));
  }
  if (!repaired.loss.empty()) return;
  note("run repair without --only-missing to find and rebuild all damage");
}

/// Throws kDamaged if stripes are lost.
void check_lost(const RepairedSet& repaired) {
  if (repaired.loss.empty()) return;
  fail(Status::kDamaged,
       fmt::format("set {} is repaired but for {} of its stripes: {}",
                   to_string(repaired.set->header.set), repaired.damage.num_lost(), repaired.loss));
}

/// Names the shards that may not be read. Throws kIo if there are some, as they may be whole.
void check_left_unread(const RepairedSet& repaired) {
  if (repaired.forbidden.empty()) return;
  for (const auto& path : repaired.forbidden) {
    note(printable(fmt::format("still unreadable: {}", path.string())));
  }
  fail(Status::kIo,
       fmt::format(
           "{} of {} shards may not be read, and may be whole, so repair leaves them; change "
           "their permissions or move them away, and repair again, or repair with --to",
           repaired.forbidden.size(), repaired.set->header.locations));
}

/// Reports the blocks that are wrong under an assumption that was not given, and throws.
[[noreturn]] void ask_for_assumption(const RepairedSet& repaired) {
  const ShardHeader& header = repaired.set->header;
  const std::string sentence = fmt::format(
      "nothing was written: set {} has blocks that are wrong {}; if you know that, add "
      "--assume-wrong {}",
      to_string(header.set), assumption_text(repaired.damage.wrong),
      repaired.damage.wrong.unique_up_to);
  if (repaired.damage.lost_stripes.empty()) throw RecoverableDamage(sentence);
  fail(Status::kDamaged, fmt::format("{}; of other stripes, {}; {}", sentence,
                                     to_string(repaired.damage.lost_stripes, header), kSalvageWay));
}

/// Notes how many directories may be lost now, if shards were rebuilt: it may be fewer than before.
/// If bytes are lost, it says nothing: the lost bytes matter more.
void note_places(const RepairedSet& repaired, const std::vector<LocationState>& before) {
  if (repaired.rebuilt.empty() || !repaired.damage.lost_stripes.empty()) return;
  std::map<std::filesystem::path, std::set<std::size_t>> held;
  for (const ShardFile& shard : repaired.set->shards) {
    if (before[shard.header.location].kind != LocationState::Kind::kWhole) continue;
    held[directory_of(shard.path)].insert(shard.header.location);
  }
  for (const RebuiltShard& shard : repaired.rebuilt) {
    held[directory_of(shard.path)].insert(shard.location);
  }
  std::vector<std::vector<std::size_t>> all;
  for (const auto& each : held) all.emplace_back(each.second.begin(), each.second.end());
  try {
    note_directory_losses(make_code(repaired.set->header.spec, {.limits = ReadingBounds{}.spec}),
                          all);
  } catch (const Error&) {  // a code that takes long to make; nothing depends on it
  }
}

void repair_shards(const RepairOptions& options) {
  refuse_without_raw(options.spec.has_value(), "--code, -k, -m or -w");
  if (options.deep && options.only_missing) {
    fail(Status::kInvalidArgument, "--deep does not go with --only-missing");
  }
  const Stopwatch all;
  Progress progress;
  RepairedSet repaired;
  {
    const ProgressLine line(progress);
    repaired = repair_set({.directories = places_of_shards(options.directories),
                           .to = options.to,
                           .set_digits = options.set,
                           .options = options.run,
                           .read_costs = options.read_costs,
                           .only_missing = options.only_missing,
                           .deep = options.deep,
                           .assume_wrong = options.assume_wrong,
                           .bounds = reading_bounds(options.allow_large)},
                          progress);
  }
  const std::vector<LocationState> states =
      location_states(repaired.found, *repaired.set, repaired.damage);
  std::erase_if(repaired.found.strays, [&](const StrayFile& stray) {
    return std::ranges::find(repaired.rebuilt, stray.path, &RebuiltShard::path) !=
           repaired.rebuilt.end();
  });
  note_others(repaired.found, *repaired.set);
  note_damage(states);
  if (repaired.needs_assumption) ask_for_assumption(repaired);
  for (const KeptBlocks& kept : repaired.kept) {
    note(printable(fmt::format("kept {} as before, {}: {}", counted(kept.blocks, "block"),
                               counted(kept.bytes, "byte"), kept.path.string())));
  }
  for (const RebuiltShard& shard : repaired.rebuilt) {
    note(printable(
        fmt::format("rebuilt{}: {}", shard.is_in_place ? " in place" : "", shard.path.string())));
  }
  for (const auto& path : repaired.adopted) {
    note(printable(fmt::format("given its final name: {}", path.string())));
  }
  note_plans(options.run, repaired.plans);
  std::set<std::uint32_t> rebuilt;  // a location may have several files
  for (const RebuiltShard& shard : repaired.rebuilt) rebuilt.insert(shard.location);
  const std::size_t count = rebuilt.size();
  note(fmt::format("{} {} of set {}: read {}, wrote {}, {:.3f} s",
                   count != 0             ? fmt::format("rebuilt {} of", count)
                   : options.only_missing ? "nothing missing among the"
                                          : "nothing to rebuild among the",
                   fmt::format("{} shards", repaired.set->header.locations),
                   to_string(repaired.set->header.set),
                   reading_text(repaired, options.only_missing), bytes_text(repaired.bytes_written),
                   all.seconds()));
  note_places(repaired, states);
  note_left_damaged(repaired);
  check_lost(repaired);
  check_left_unread(repaired);
}

void repair_files(const RepairOptions& options) {
  refuse_for_protection(!options.set.empty(), "--set");
  refuse_for_protection(options.only_missing, "--only-missing");
  refuse_for_protection(options.deep, "--deep");
  refuse_for_protection(options.assume_wrong.has_value(), "--assume-wrong");
  refuse_for_protection(!options.read_costs.empty(), "--read-cost");
  refuse_without_raw(options.spec.has_value(), "--code, -k, -m or -w");
  if (options.removes_kept && !options.to.empty()) {
    fail(Status::kInvalidArgument, "--remove-kept does not go with --to");
  }
  repair_protected({{options.directories, options.base, options.allow_large, options.run},
                    options.only,
                    options.to,
                    options.removes_kept,
                    options.dereference,
                    options.dry_run,
                    options.format,
                    options.list_all});
}

void run(const RepairOptions& options) {
  if (!options.raw && names_protection(options.directories)) return repair_files(options);
  if (!options.raw) check_protection_names(options.directories);
  if (!options.raw) {
    for (const std::filesystem::path& place : places_of_shards(options.directories)) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(place, error)) continue;
      fail(Status::kIo, "{} is neither a directory that holds shards nor a protection file",
           place.string());
    }
  }
  refuse_without_protection(!options.base.empty(), "--base");
  refuse_without_protection(!options.only.empty(), "--only");
  refuse_without_protection(options.removes_kept, "--remove-kept");
  refuse_without_protection(options.dereference, "--dereference");
  refuse_without_protection(options.dry_run, "--dry-run");
  refuse_without_protection(options.format != "text", "--format json");
  refuse_without_protection(options.list_all, "--list-all");
  if (options.assume_wrong && !options.deep) {
    fail(Status::kInvalidArgument, "--assume-wrong needs --deep");
  }
  if (!options.raw) return repair_shards(options);
  need_for_raw(options.spec.has_value(), "--code SPEC, -k, -m or -w");
  refuse_for_raw(!options.set.empty(), "--set");
  refuse_for_raw(options.allow_large, "--allow-large");
  refuse_for_raw(!options.to.empty(), "--to");
  refuse_for_raw(options.only_missing, "--only-missing");
  refuse_for_raw(!options.read_costs.empty(), "--read-cost");
  repair_raw({only_directory(options.directories), *options.spec, options.deep,
              options.assume_wrong, options.run});
}

}  // namespace

Command repair_command() {
  Command command{"repair", kRepairAbout, kRepairExamples};
  command.finds_damage = true;
  command.reads_data = true;
  const auto options = std::make_shared<RepairOptions>();
  add_directories(command, options->directories);
  add_protection_files(command);
  add_text(command, "--to", "DIR", options->to,
           "directory for all rebuilt shards, or for restored files; it is created if it does not "
           "exist");
  add_base(command, options->base);
  add_texts(command, "--only", "NAME", options->only,
            "with a protection file: restore this file, or those of this directory, alone");
  add_flag(command, "-L,--dereference", options->dereference,
           "with a protection file: also restore files where links lead out of the base directory");
  add_flag(command, "--dry-run", options->dry_run,
           "with a protection file: only say what would be done");
  add_flag(
      command, "--remove-kept", options->removes_kept,
      "with a protection file: then remove NAME.damaged of repairs that nobody needs. Its content "
      "is that of a whole file; or NAME is whole, and has its time and half of its bytes. Edits "
      "have another time, and stay");
  add_choice(command, "--format", options->format, {"text", "json"},
             "with a protection file: also print what was done as JSON; default: text");
  add_list_all(command, options->list_all);
  add_set(command, options->set);
  add_allow_large(command, options->allow_large);
  add_flag(command, "--only-missing", options->only_missing,
           "rebuild only shards that are missing or have no whole header; do not search the others "
           "for damage");
  add_flag(command, "--deep", options->deep,
           "also compare redundancy with data, and find chunks that are wrong though their "
           "checksums hold; see verify --deep. With --assume-wrong, rebuild them. With --raw, the "
           "same for chunk files");
  add_number(
      command, "--assume-wrong", options->assume_wrong, 1, kMaxLocations,
      "with --deep: at most N chunks of a stripe are wrong, as you know. Then repair rebuilds "
      "the wrong ones, unless others can be wrong with as many");
  add_read_costs(command, options->read_costs, "PLACE",
                 "cost of reading a byte from PLACE, 0 to 1000000; default: 1. PLACE is a "
                 "location's number, or a DIR; write ./4 for a directory 4");
  add_flag(command, "--raw", options->raw,
           "rebuild bare chunk files instead of shards; needs --code");
  add_code(command, options->spec,
           "with --raw, the SPEC that encoded the chunks. With another code, repair writes wrong "
           "bytes and cannot notice it");
  add_run_options(command, options->run, "default: auto", "default: 0");
  group_with_raw(command);
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
