#include "runtime/atlas/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/shell/command.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/atlas/make_atlas.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAtlasAbout =
    "write one file with the equations for every set of lost chunks\n"
    "Searches for equations of few XORs for encoding and for every set of up to m lost locations. "
    "With more effort than fast it also searches for the order in which machine code computes them "
    "best. It writes all into FILE. For the first example below, this takes a second or two, and "
    "FILE has 1.5 MB. With --store "
    "FILE, the commands encode, decode, repair and bench need no search. The same SPEC, effort, "
    "tries and seed give the same file. After an interruption of any kind, run the same command "
    "again to continue: FILE.part keeps what is done. For codes on words there is no search: FILE "
    "has, for every set, the programs of symbols that take the fewest instructions.";

constexpr const char* kAtlasExamples =
    "xorloom atlas cauchy-good:k=10,m=4,w=8 -o code.atlas\n"
    "xorloom decode shards -o photos.tar --store code.atlas\n"
    "xorloom info code.atlas";

struct AtlasOptions {
  std::string spec;
  Options code;
  SearchOptions search = [] {
    SearchOptions usual;
    usual.effort = "fast";
    usual.threads = 0;
    return usual;
  }();
  std::string output;
};

/// Text of the progress line: "atlas: 512 of 1470 patterns, 498 programs, 12 s left".
std::string progress_text(const AtlasProgress& progress, double seconds) {
  const std::uint64_t all = progress.patterns;
  const std::uint64_t done = progress.done;
  const std::uint64_t fresh = done - std::min<std::uint64_t>(done, progress.resumed);
  if (all == 0) return "";
  // `done` and `patterns` count encoding too, which is no pattern of losses.
  std::string text =
      fmt::format("atlas: {} of {}, {}", done - std::min<std::uint64_t>(1, done),
                  counted(all - 1, "pattern"), counted(progress.programs, "program"));
  if (fresh == 0 || done > all) return text;
  const double left = seconds * static_cast<double>(all - done) / static_cast<double>(fresh);
  return text + fmt::format(", {:.0f} s left", left);
}

void check_options(const AtlasOptions& options) {
  check_search(options.search);
  if (options.search.effort == "max" && !options.search.steps) {
    fail(Status::kInvalidArgument,
         "--effort max needs --tries, the tries of the search per pattern");
  }
  if (options.output == "-" || options.output.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("-o needs a file for the atlas, and '{}' is not one", options.output));
  }
}

void run(const AtlasOptions& options) {
  check_options(options);
  const Stopwatch all;
  const Code code = code_of(options.spec, options.code);
  AtlasBuildOptions making{.path = options.output,
                           .subject = atlas_subject(code),
                           .threads = checked_threads(options.search.threads)};
  making.subject.effort = effort_of_search(options.search.effort);
  making.subject.seed = options.search.seed;
  making.subject.steps = options.search.steps.value_or(0);
  making.stop_requested = [] { return EndOnRequest::is_requested(); };
  AtlasProgress progress;
  std::optional<AtlasHeader> made;
  {
    const EndOnRequest end_on_request;
    const ProgressLine line([&](std::size_t columns) {
      return progress_text(progress, all.seconds()).substr(0, columns);
    });
    made = make_atlas(code, making, progress);
  }
  if (!made) {
    fail(Status::kIo,
         fmt::format("stopped on request: {}.part keeps {} of {}; run the same command to continue",
                     options.output, progress.done.load(), counted(progress.patterns, "pattern")));
  }
  const std::string resumed =
      progress.resumed == 0
          ? ""
          : fmt::format(", {} already there", counted(progress.resumed, "was", "were"));
  note(printable(fmt::format("compiled {} and encoding into {}: {}, {}, {:.1f} s{}",
                             counted(progress.patterns - 1, "pattern"), options.output,
                             counted(made->programs, "program"), counted(made->file_bytes, "byte"),
                             all.seconds(), resumed)));
}

}  // namespace

Command atlas_command() {
  Command command{"atlas", kAtlasAbout, kAtlasExamples};
  const auto options = std::make_shared<AtlasOptions>();
  add_spec(command, options->spec);
  CommandOption& output = add_text(command, "-o,--output", "FILE", options->output,
                                   "the file to write; an existing atlas is replaced");
  output.is_required = true;
  output.writes = true;
  output.replaces = kAtlas;
  add_allow_non_mds(command, options->code);
  add_search(command, options->search, "fast", "0");
  // An atlas does not depend on time, and holds more than one set of equations.
  for (const char* name : {"--seconds", "--store"}) remove_option(command, name);
  option_of(command, "--effort").help =
      "how long to search for fewer XORs, for each set of lost locations: fast takes a moment, "
      "normal "
      "a second or two, max takes the tries that --tries says; default: fast";
  option_of(command, "--tries").help =
      "with --effort max: stop after N tries of the search for each set of lost locations";
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
