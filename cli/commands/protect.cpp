#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/family.hpp"
#include "codes/text/error.hpp"
#include "runtime/protection/protect_files.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kProtectAbout =
    "protect files where they are, by redundancy beside them\n"
    "Leaves files as they are, and writes redundancy and checksums to FILE. A PATH is a file, or a "
    "directory with all that is below it. verify FILE then finds out which files are damaged, "
    "moved or missing, and repair FILE restores them. With 10 % of redundancy, any tenth of the "
    "data may be lost: whole files, or parts of many. Bytes that were inserted or deleted cost "
    "only the blocks that they are in. FILE allows other users at most what all the files allow "
    "them. Names are relative to the directory of FILE, or to --base. "
    "With several -o, each FILE holds a share of the redundancy.";

constexpr const char* kProtectExamples =
    "xorloom protect photos -o photos.xorloom\n"
    "xorloom verify photos.xorloom\n"
    "xorloom repair photos.xorloom\n"
    "xorloom protect photos --base . --redundancy 5% -o /mnt/stick/photos.xorloom";

constexpr double kLeastPercent = 0.01;
constexpr double kMostPercent = 1000;

struct ProtectOptions {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  std::string base;
  std::optional<double> percent;
  std::optional<std::size_t> k;
  std::optional<std::size_t> m;
  bool replace = false;
  bool accept_damage = false;
  bool allow_large = false;
  Options run{.threads = 0};
};

double percent_of(const std::string& text) {
  std::string digits = text;
  if (!digits.empty() && digits.back() == '%') digits.pop_back();
  double percent = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, percent);
  if (error != std::errc() || stop != end || !(percent >= kLeastPercent) ||
      !(percent <= kMostPercent)) {
    fail(Status::kInvalidArgument, fmt::format("--redundancy = '{}' is not a part from {}% to {}%",
                                               excerpt(text), kLeastPercent, kMostPercent));
  }
  return percent;
}

void run(const ProtectOptions& options) {
  if (options.percent && options.m) {
    fail(Status::kInvalidArgument, "--redundancy and -m both say how much redundancy there is");
  }
  const Stopwatch all;
  ProtectRequest request{.paths = paths_of(options.paths),
                         .base = options.base,
                         .outputs = paths_of(options.outputs),
                         .redundancy = {},
                         .options = options.run,
                         .replace = options.replace,
                         .accept_damage = options.accept_damage,
                         .bounds = reading_bounds(options.allow_large)};
  request.redundancy.percent = options.percent.value_or(request.redundancy.percent);
  request.redundancy.k = options.k.value_or(0);
  request.redundancy.m = options.m.value_or(0);
  Progress progress;
  ProtectedSet result;
  {
    const ProgressLine line(progress);
    result = protect_files(request, progress);
  }
  for (const std::string& remark : result.remarks) say(printable(in_program_words(remark)));
  for (const auto& [path, why] : result.left_out) {
    say(printable(fmt::format("left out: {}: {}", path.string(), why)));
  }
  for (const std::string& name : result.no_longer) {
    say(printable(fmt::format("no longer protected: {}", name)));
  }
  const std::size_t files = result.manifest.files.size();
  note(fmt::format(
      "protected {} file{} of {}: any {} of {} chunks of {} blocks of {} bytes may be lost; "
      "wrote {}, {}",
      files, files == 1 ? "" : "s", bytes_text(result.stream_bytes), result.m, result.k + result.m,
      result.manifest.chunk_blocks, result.manifest.block_bytes, bytes_text(result.bytes_written),
      rate_text(result.stream_bytes, all.seconds())));
}

}  // namespace

Command protect_command() {
  Command command{"protect", kProtectAbout, kProtectExamples};
  const auto options = std::make_shared<ProtectOptions>();
  add_arguments(command, "PATH", options->paths, "the files to protect, and directories of files");
  add_texts(command, "-o,--output", "FILE", options->outputs,
            "the protection file to write; with several, each holds a share of the redundancy");
  option_of(command, "--output").is_required = true;
  add_value(command, "--redundancy", "PERCENT",
            "redundancy as a part of the data, 0.01% to 1000%; default: 10%",
            [options](const std::string& text) { options->percent = percent_of(text); });
  add_number(command, "-m", options->m, 1, kMaxLocations,
             "redundancy as a number of chunks, beside the k of data");
  add_number(command, "-k", options->k, 1, kMaxLocations,
             "chunks that the data is cut into; default: 1024, or fewer if there is little data");
  add_word(command, "--base", "DIR", options->base,
           "the directory that names are relative to; default: that of the first FILE");
  add_flag(command, "--replace", options->replace, "replace protection files that are there");
  add_flag(command, "--accept-damage", options->accept_damage,
           "with --replace: protect files as they are. Without it, protect refuses a file whose "
           "content changed while its size and time did not");
  add_allow_large(command, options->allow_large);
  add_engine(command, options->run, "default: auto", "default: 0");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
