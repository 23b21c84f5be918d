#include "runtime/sets/convert_set.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/code_title.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "runtime/shards/opened_set.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kConvertAbout =
    "give a set another code\n"
    "Reads the file of a set and encodes it with another code, into the same directories. Where "
    "both codes have the same data in the same shards, these stay, and only redundancy is written. "
    "Otherwise, and if the set has this code already, all shards are new, and missing shards and "
    "damaged blocks are rebuilt on the way. No copy of the file is made, but there has to be room "
    "for both the old shards and the new ones. When these are on the disk, they get their names, "
    "and then the old ones go. If convert is interrupted, the set has the old code, or the new "
    "one. Other sets in the directories stay. Give every DIR that has shards of the set: with "
    "several, the new ones are spread over them.";

constexpr const char* kConvertExamples =
    "xorloom convert shards --code cauchy-good:k=12,m=3,w=8\n"
    "xorloom convert disk1 disk2 disk3 --code rs:4,2";

struct ConvertOptions {
  std::vector<std::string> directories;
  std::string set;
  std::optional<std::string> spec;
  bool allow_large = false;
  Options run{.threads = 0};
};

void run(const ConvertOptions& options) {
  const Stopwatch all;
  const Code code = code_of(*options.spec, options.run);
  check_memory(code.locations, usual_block_bytes(code), 0);
  Progress progress;
  ConvertedSet converted;
  {
    const ProgressLine line(progress);
    converted = convert_set({.directories = places_of_shards(options.directories),
                             .set_digits = options.set,
                             .code = code,
                             .options = options.run,
                             .bounds = reading_bounds(options.allow_large)},
                            progress);
  }
  note_others(converted.found, *converted.before);
  note_damage(location_states(converted.found, *converted.before, converted.damage));
  for (const auto& path : converted.encoded.unremoved) {
    note(printable(fmt::format("could not be removed: {}", path.string())));
  }
  note_plans(options.run, converted.encoded.plans);
  const ShardHeader& before = converted.before->header;
  const ShardHeader& after = converted.encoded.header;
  const std::string before_name = before.spec.starts_with("file:")
                                      ? make_code(before.spec, {.allow_non_mds = true}).name()
                                      : excerpt(before.spec);
  const std::string what = converted.is_in_place()
                               ? "the data shards stay"
                               : fmt::format("in place of set {}, all shards are new ({})",
                                             to_string(before.set), printable(converted.why_whole));
  note(fmt::format(
      "converted {} from {} to {}: set {}, generation {}, {}, read {}, wrote {}, {}",
      bytes_text(after.file_bytes), before_name, excerpt(short_spec(code)), to_string(after.set),
      generation_text(after), what, bytes_text(converted.damage.bytes_read),
      bytes_text(converted.encoded.bytes_written), rate_text(after.file_bytes, all.seconds())));
  if (converted.failures.empty()) return;
  for (const std::string& failure : converted.failures) note(printable(failure));
  fail(
      Status::kIo,
      "the set has the new code, but not all of its files could be changed; the journals stay, and "
      "the next command that writes there tries again");
}

}  // namespace

Command convert_command() {
  Command command{"convert", kConvertAbout, kConvertExamples};
  command.reads_data = true;
  const auto options = std::make_shared<ConvertOptions>();
  add_directories(command, options->directories);
  CommandOption& code = add_code(command, options->spec, "the new code; see xorloom codes");
  code.is_required = true;
  code.stand_in = "-k,-m,-w";
  add_set(command, options->set);
  add_allow_large(command, options->allow_large);
  add_run_options(command, options->run, "default: auto", "default: 0");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
