#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/raw.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/text/error.hpp"
#include "runtime/sets/encode_set.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "encode a file into shards; it survives the loss of some\n"
    "Writes FILE into DIR, or several, as one shard per location of the code. Every block has a "
    "checksum, and "
    "every shard holds the code and the length, so that decode needs nothing else. FILE may have "
    "any size and is read once. encode chooses the size of the blocks: at most 64 KiB, unless the "
    "code needs more. If encode is interrupted, DIR holds the complete new set, or what it held "
    "before. "
    "With --raw, the chunks are bare files named 0, 1, … that hold their bytes and nothing else. "
    "To decode them, give the same SPEC and the length of FILE.";

constexpr const char* kExamples =
    "xorloom encode photos.tar -o shards\n"
    "xorloom encode photos.tar -o disk1 -o disk2 -o disk3 -k 4 -m 2\n"
    "tar c photos | xorloom encode - -o shards --code cauchy-good:k=6,m=3,w=8\n"
    "xorloom encode photos.tar -o chunks --raw --code rs:k=4,m=2";

constexpr const char* kDefaultCode = "cauchy-good:k=10,m=4,w=8";

struct EncodeOptions {
  std::string file;
  std::vector<std::string> directories;
  std::optional<std::string> spec;
  std::optional<std::size_t> k;
  std::optional<std::size_t> m;
  std::string equations;
  bool raw = false;
  bool replace = false;
  std::optional<std::string> name;
  bool no_name = false;
  std::size_t chunk_bytes = 0;
  Options run{.threads = 0};
};

/// What the shards are to remember of an input: of a file, or only the name that is given.
std::optional<FileInfo> info_of(const EncodeOptions& options, const Input& input) {
  struct stat status {};
  const bool is_file = ::fstat(input.descriptor(), &status) == 0 && S_ISREG(status.st_mode);
  FileInfo info;
  info.permissions = is_file ? status.st_mode & 07777U : 0644U;
  info.modified_seconds = is_file ? status.st_mtim.tv_sec : ::time(nullptr);
  if (is_file) info.modified_nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec);
  if (options.name) {
    info.name = *options.name;
    return info;
  }
  info.name = std::filesystem::path(options.file).filename().string();
  if (options.no_name || !is_file || options.file == "-" || why_no_name(info.name)) return {};
  return info;
}

/// The file an input is, if it is one.
std::optional<FileIdentity> identity_of(const Input& input) {
  struct stat status {};
  if (::fstat(input.descriptor(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void encode_shards(const EncodeOptions& options) {
  refuse_without_raw(options.chunk_bytes != 0, "--chunk-bytes");
  refuse_without_raw(!options.equations.empty(), "--equations");
  if (options.name && options.no_name) {
    fail(Status::kInvalidArgument, "--name and --no-name contradict each other");
  }
  if (const auto why = options.name ? why_no_name(*options.name) : std::nullopt) {
    fail(Status::kInvalidArgument,
         fmt::format("--name = '{}' is no name of a file: {}", excerpt(*options.name), *why));
  }
  if (std::ranges::find(options.directories, "-") != options.directories.end()) {
    fail(Status::kInvalidArgument, "-o needs a directory for the shards, and '-' is not one");
  }
  const Stopwatch all;
  const std::string spec = options.spec.value_or(kDefaultCode);
  const Code code = code_of(spec, options.run);
  check_memory(code.locations, usual_block_bytes(code), 0);
  Input input(options.file);
  Progress progress;
  progress.total = input.known_bytes();
  EncodedSet encoded;
  {
    const ProgressLine line(progress, !input.is_terminal());
    encoded = encode_set({.read = [&](std::span<std::uint8_t> bytes) { return input.read(bytes); },
                          .directories = paths_of(options.directories),
                          .code = code,
                          .options = options.run,
                          .replace = options.replace,
                          .input = identity_of(input),
                          .info = info_of(options, input)},
                         progress);
  }
  for (const std::string& replaced : encoded.replaced) note("replaced: " + replaced);
  for (const StrayFile& stray : encoded.strays) {
    note(printable(fmt::format("left alone: {}: {}", stray.path.string(), stray.why)));
  }
  for (const auto& path : encoded.unremoved) {
    note(printable(fmt::format("could not be removed: {}", path.string())));
  }
  note_plans(options.run, encoded.plans);
  const ShardHeader& header = encoded.header;
  note(fmt::format(
      "encoded {} bytes into {} shards in {}, set {}, generation {}: wrote {} bytes, {}",
      header.file_bytes, header.locations,
      printable(fmt::format("{}", fmt::join(options.directories, " "))), to_string(header.set),
      generation_text(header), encoded.bytes_written, rate_text(header.file_bytes, all.seconds())));
}

/// The code that -k and -m are short for.
std::string spec_of(const EncodeOptions& options) {
  if (options.spec) {
    fail(Status::kInvalidArgument, "--code names the code, so -k and -m do not go with it");
  }
  return fmt::format("cauchy-good:k={},m={},w=8", options.k.value_or(10), options.m.value_or(4));
}

void run(const EncodeOptions& options) {
  if (!options.raw) return encode_shards(options);
  need_for_raw(options.spec || !options.equations.empty(), "--code or --equations");
  refuse_for_raw(options.name.has_value(), "--name");
  if (options.directories.size() != 1) {
    fail(Status::kInvalidArgument,
         fmt::format("--raw takes one -o DIR, not {}", options.directories.size()));
  }
  encode_raw({options.file, options.directories.front(), options.spec.value_or(""),
              options.equations, options.chunk_bytes, options.replace, options.run});
}

}  // namespace

Command encode_command() {
  Command command{"encode", kAbout, kExamples};
  const auto options = std::make_shared<EncodeOptions>();
  add_argument(command, "FILE", options->file, "the file to encode, - for standard input");
  add_texts(
      command, "-o,--output", "DIR", options->directories,
      "directory for the shards; it is created if it does not exist. With several, as one per "
      "disk, shards go to each in turn: to the first, the second, and so on, and again");
  option_of(command, "--output").is_required = true;
  add_text(
      command, "--code", "SPEC", options->spec,
      fmt::format("the code; default: {}; xorloom codes --suggest compares others", kDefaultCode));
  add_number(
      command, "-k", options->k, 1, kMaxLocations,
      "chunks of data, of the family cauchy-good; default: 10. -k 6 -m 3 is short for --code "
      "cauchy-good:k=6,m=3,w=8");
  add_number(command, "-m", options->m, 1, kMaxLocations,
             "chunks of redundancy: how many may be lost; default: 4");
  add_text(command, "--name", "NAME", options->name,
           "the name that decode gives the file if it is told none; default: that of FILE. Shards "
           "also remember its permissions and the time when it was modified");
  add_flag(command, "--no-name", options->no_name, "let the shards remember nothing of that");
  add_flag(command, "--replace", options->replace,
           "replace the set that is in DIR or, with --raw, the chunk files; without it, encode "
           "refuses to");
  add_flag(command, "--raw", options->raw,
           "write bare chunk files instead of shards; needs --code or --equations");
  add_given_equations(command, options->equations, "with --raw: run");
  option_of(command, "--equations").help =
      "with --raw: run the equations in FILE (text or JSON) instead of making some. They are for "
      "the "
      "code that FILE names, else for --code, and are proved first";
  add_number(command, "--chunk-bytes", options->chunk_bytes, 1, kMaxChunkBytes,
             "with --raw, bytes of each chunk; the data chunks must hold FILE, and zeros fill them "
             "up; default: the fewest that do");
  add_run_options(command, options->run, "default: auto", "default: 0");
  command.run = [options](const Command& given) {
    if (options->k || options->m) options->spec = spec_of(*options);
    if (!options->equations.empty()) refuse_with_equations(given, {"--style", "--effort"});
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
