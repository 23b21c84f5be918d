#include "runtime/repair_set.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/raw.hpp"
#include "cli/running.hpp"
#include "cli/shards.hpp"
#include "cli/streams.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "make every shard of a set whole\n"
    "Reads all shards of a set, and writes anew those that are damaged or missing. A damaged shard "
    "is replaced where it is, a missing one goes to the DIR that has the fewest; with --to, all "
    "that is written goes there, and nothing else is changed. What was written is read back before "
    "it takes its place. If more is lost than the code can rebuild, nothing is written. With --raw "
    "DIR holds bare chunk files, without checksums: those that are missing are written, and a "
    "chunk that is there is taken to be right.";

constexpr const char* kExamples =
    "xorloom repair shards\n"
    "xorloom repair disk1 disk2 --to disk3\n"
    "xorloom repair chunks --raw --code rs:k=4,m=2";

struct RepairOptions {
  std::vector<std::string> directories;
  std::string to;
  std::string set;
  std::optional<std::string> spec;
  bool raw = false;
  Options run{.threads = 0};
};

void repair_shards(const RepairOptions& options) {
  refuse_without_raw(options.spec.has_value(), "--code");
  const Stopwatch all;
  Progress progress;
  RepairedSet repaired;
  {
    const ProgressLine line(progress);
    repaired = repair_set({.directories = paths_of(options.directories),
                           .to = options.to,
                           .set_digits = options.set,
                           .options = options.run},
                          progress);
  }
  std::erase_if(repaired.found.strays, [&](const StrayFile& stray) {
    return std::ranges::find(repaired.rebuilt, stray.path, &RebuiltShard::path) !=
           repaired.rebuilt.end();
  });
  note_others(repaired.found, *repaired.set);
  note_damage(*repaired.set, repaired.damage);
  for (const RebuiltShard& shard : repaired.rebuilt) {
    note(printable(
        fmt::format("rebuilt{}: {}", shard.is_in_place ? " in place" : "", shard.path.string())));
  }
  for (const auto& path : repaired.adopted) {
    note(printable(fmt::format("given its name: {}", path.string())));
  }
  const std::size_t count = repaired.rebuilt.size();
  note(fmt::format(
      "{} {} of set {}: read {} bytes, wrote {} bytes, {:.3f} s",
      count == 0 ? "nothing to rebuild among the" : fmt::format("rebuilt {} of", count),
      fmt::format("{} shards", repaired.set->header.locations), to_string(repaired.set->header.set),
      repaired.bytes_read, repaired.bytes_written, all.seconds()));
}

void run(const RepairOptions& options) {
  if (!options.raw) return repair_shards(options);
  need_for_raw(options.spec.has_value(), "--code");
  refuse_for_raw(!options.set.empty(), "--set");
  refuse_for_raw(!options.to.empty(), "--to");
  repair_raw({only_directory(options.directories), *options.spec, options.run});
}

}  // namespace

Command add_repair(CLI::App& program) {
  CLI::App* app = program.add_subcommand("repair", kAbout);
  const auto options = std::make_shared<RepairOptions>();
  add_directories(*app, options->directories);
  add_word(*app, "--to", "DIR", options->to, "where rebuilt shards go, made if there is none");
  add_set(*app, options->set);
  add_flag(*app, "--raw", options->raw, "bare chunk files instead of shards; needs --code");
  app->add_option("--code", options->spec,
                  "with --raw, the code that encoded them, in the same words")
      ->type_name("SPEC");
  add_run_options(*app, options->run, "not given: auto", "not given: 0");
  app->footer(kExamples);
  return {app, [options] { run(*options); }};
}

}  // namespace xorloom::cli
