#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/sets/change_set.hpp"

// The commands that change a set's file in place: patch, append and truncate.

namespace xorloom::cli {
namespace {

constexpr const char* kSafety =
    "The shards are changed where they are. First a journal in each DIR says what will change. If "
    "the command is interrupted, the set holds its old bytes or all of the new ones, and the next "
    "command that writes there completes the change. A set that holds an archive of files, as "
    "encode "
    "makes of a directory, is refused without --as-file: encode --replace writes a new archive. "
    "Shards may be missing. They stay as they are, "
    "and count as stale when they return; repair updates them. Give every DIR that can be written.";

const std::string kPatchAbout =
    std::string(
        "replace bytes of a set's file in place\n"
        "Replaces the bytes from OFFSET on by those of FILE, which has at most as many as follow. "
        "Of "
        "each stripe it reads as little as it can: "
        "either the old bytes and the redundancy, or the rest of the data. ") +
    kSafety;

const std::string kAppendAbout =
    std::string(
        "add bytes to the end of a set's file in place\n"
        "Adds the bytes of FILE behind the end of the set's file. Only the last stripe is read. ") +
    kSafety;

const std::string kTruncateAbout =
    std::string(
        "cut a set's file to its first bytes in place\n"
        "Cuts the set's file to its first BYTES. Only the stripe in which the file then ends is "
        "read. ") +
    kSafety;

constexpr const char* kPatchExamples =
    "xorloom patch shards --at 1000000 part\n"
    "dd if=disk.img bs=4096 skip=7 count=1 | xorloom patch disk1 disk2 --at 28K";

constexpr const char* kAppendExamples =
    "xorloom append shards today.log\n"
    "journalctl --since yesterday | xorloom append disk1 disk2 disk3 -";

constexpr const char* kTruncateExamples = "xorloom truncate shards --length 1000000";

struct ChangeOptions {
  std::vector<std::string> places;  ///< directories and, for patch and append, the input
  std::string set;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string policy = "planned";
  bool allow_large = false;
  bool as_file = false;
  Options run{.threads = 0};
};

/// The directories among the places, and the place that is not a directory; "-": standard input.
struct Places {
  std::vector<std::filesystem::path> directories;
  std::string input = "-";
};

Places places_of(const ChangeOptions& options) {
  Places places;
  std::optional<std::string> input;
  for (const std::string& place : options.places) {
    std::error_code error;
    if (place != "-" && std::filesystem::is_directory(place, error)) {
      places.directories.emplace_back(place);
      continue;
    }
    const auto type = std::filesystem::status(place, error).type();
    if (place != "-" && type == std::filesystem::file_type::not_found) {
      fail(Status::kIo, "{} is not there: it is neither a DIR of shards nor a FILE of bytes",
           excerpt(place));
    }
    if (input) {
      fail(Status::kInvalidArgument,
           *input == place
               ? fmt::format("there is one FILE at most, and {} is given twice", place)
               : fmt::format("there is one FILE at most, and neither {} nor {} is a directory",
                             *input, place));
    }
    input = place;
  }
  if (input) places.input = *input;
  if (!places.directories.empty()) return places;
  fail(Status::kInvalidArgument,
       fmt::format("{} is not a directory that holds shards", input.value_or("nothing")));
}

WritePolicy policy_of(const std::string& name) {
  if (name == "delta") return WritePolicy::kDelta;
  return name == "reencode" ? WritePolicy::kReencode : WritePolicy::kPlanned;
}

ChangeRequest request_of(const ChangeOptions& options,
                         std::vector<std::filesystem::path> directories) {
  return {.directories = std::move(directories),
          .set_digits = options.set,
          .options = options.run,
          .bounds = reading_bounds(options.allow_large),
          .as_file = options.as_file};
}

/// Reports what was done. Errors: throws kIo if part of it is left to the next command.
void report(const ChangedSet& changed, const std::string& what, double seconds) {
  if (changed.bytes_changed == 0) {
    note(fmt::format("nothing to change in set {}, generation {}", to_string(changed.before.set),
                     generation_text(changed.before)));
    return;
  }
  if (!changed.left_behind.empty()) {
    note(fmt::format("missing, and now stale: {}; repair updates them",
                     named_list("shard", changed.left_behind)));
  }
  note(fmt::format("{} of set {}, generation {}: {}, read {}, wrote {}, {}", what,
                   to_string(changed.after.set), generation_text(changed.after),
                   counted(changed.stripes, "stripe"), bytes_text(changed.bytes_read),
                   bytes_text(changed.bytes_written), rate_text(changed.bytes_changed, seconds)));
  if (changed.failures.empty()) return;
  for (const std::string& failure : changed.failures) note(printable(failure));
  fail(Status::kIo,
       fmt::format("the change is made, but {} could not be written; the journals stay, and "
                   "the next command that writes there tries again",
                   counted(changed.failures.size(), "shard")));
}

/// Makes a change that reads an input: returns change(request, read, progress).
template <typename Change>
ChangedSet with_input(const ChangeOptions& options, const char* phase, const Change& change) {
  const Places places = places_of(options);
  Input input(places.input);
  Progress progress;
  progress.begin(phase, input.known_bytes());
  const ProgressLine line(progress, !input.is_terminal());
  ChangeRequest request = request_of(options, places.directories);
  request.input = input.identity();
  return change(
      request, [&](std::span<std::uint8_t> bytes) { return input.read(bytes); }, progress);
}

void run_patch(const ChangeOptions& options) {
  const Stopwatch all;
  const ChangedSet changed = with_input(
      options, "patching",
      [&](const ChangeRequest& request, const ReadBytes& read, Progress& progress) {
        return patch_set(request, options.offset, read, progress, policy_of(options.policy));
      });
  report(changed,
         fmt::format("replaced {} from byte {}", counted(changed.bytes_changed, "byte"),
                     options.offset),
         all.seconds());
}

void run_append(const ChangeOptions& options) {
  const Stopwatch all;
  const ChangedSet changed = with_input(options, "appending", append_to_set);
  report(changed,
         fmt::format("added {} to the {}", counted(changed.bytes_changed, "byte"),
                     changed.before.file_bytes),
         all.seconds());
}

void run_truncate(const ChangeOptions& options) {
  const Stopwatch all;
  Progress progress;
  ChangedSet changed;
  {
    const ProgressLine line(progress);
    changed = truncate_set(request_of(options, places_of_shards(options.places)), options.length,
                           progress);
  }
  report(changed,
         fmt::format("cut {} to {}", counted(changed.before.file_bytes, "byte"),
                     changed.after.file_bytes),
         all.seconds());
}

void add_places(Command& command, ChangeOptions& options) {
  add_arguments(command, "DIR", options.places, "one or more directories that hold the shards");
  command.options.push_back(
      {CommandOption::Kind::kArgument, "FILE", "",
       "the bytes; - or no FILE: standard input. FILE may also stand before or "
       "between the directories"});
}

void add_common(Command& command, ChangeOptions& options) {
  add_set(command, options.set);
  add_flag(command, "--as-file", options.as_file,
           "change also an archive of files, as the one file that it is. decode may then no longer "
           "unpack it, or leave out the bytes behind its end");
  add_allow_large(command, options.allow_large);
  add_run_options(command, options.run, "default: auto", "default: 0");
}

}  // namespace

Command patch_command() {
  Command command{"patch", kPatchAbout, kPatchExamples};
  command.reads_data = true;
  const auto options = std::make_shared<ChangeOptions>();
  add_places(command, *options);
  add_bytes(command, "--at", options->offset, 0, kMaxLength,
            "the first byte to replace, counted from 0");
  option_of(command, "--at").is_required = true;
  option_of(command, "--at").type = "OFFSET";
  add_choice(command, "--policy", options->policy, {"planned", "delta", "reencode"},
             "how to get the new redundancy: delta adds the difference to the old one, reencode "
             "encodes again, planned does what reads less; default: planned");
  add_common(command, *options);
  command.run = [options](const Command&) { run_patch(*options); };
  return command;
}

Command append_command() {
  Command command{"append", kAppendAbout, kAppendExamples};
  command.reads_data = true;
  const auto options = std::make_shared<ChangeOptions>();
  add_places(command, *options);
  add_common(command, *options);
  command.run = [options](const Command&) { run_append(*options); };
  return command;
}

Command truncate_command() {
  Command command{"truncate", kTruncateAbout, kTruncateExamples};
  command.reads_data = true;
  const auto options = std::make_shared<ChangeOptions>();
  add_directories(command, options->places);
  add_bytes(command, "--length", options->length, 0, kMaxLength, "the bytes that the file keeps");
  option_of(command, "--length").is_required = true;
  add_common(command, *options);
  command.run = [options](const Command&) { run_truncate(*options); };
  return command;
}

}  // namespace xorloom::cli
