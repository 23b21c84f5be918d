#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/raw.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "cli/trees/damaged_members.hpp"
#include "cli/trees/tree_archive.hpp"
#include "cli/trees/tree_roots.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/sets/encode_set.hpp"
#include "runtime/shards/directory_losses.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kEncodeAbout =
    "encode a file, or a directory, into shards; it survives the loss of some\n"
    "Writes FILE into DIR, or several, as one shard per location of the code. Every block has a "
    "checksum, and "
    "every shard holds the code and the length, so that decode needs nothing else. FILE may have "
    "any size and is read once. Several FILEs, or a directory with all that is in it, become one "
    "set: an archive with their names, permissions and times, which decode unpacks. Symbolic links "
    "in a directory are stored as links. encode chooses the size of the blocks: at most 64 KiB, "
    "unless the "
    "code needs more. Shards allow other users at most what FILE allows them. If encode is "
    "interrupted, DIR holds the complete new set, or what it held before. "
    "With --raw, the chunks are bare files named 0, 1, … that hold their bytes and nothing else. "
    "To decode them, give the same SPEC and the length of FILE.";

constexpr const char* kEncodeExamples =
    "xorloom encode photos.tar -o shards\n"
    "xorloom encode photos notes.txt -o disk1 -o disk2 -o disk3 -k 4 -m 2\n"
    "pg_dump shop | xorloom encode - -o shards --code cauchy-good:k=6,m=3,w=8\n"
    "xorloom encode photos.tar -o chunks --raw --code rs:k=4,m=2";

constexpr const char* kDefaultCode = "cauchy-good:k=10,m=4,w=8";

struct EncodeOptions {
  std::vector<std::string> files;
  std::vector<std::string> directories;
  std::optional<std::string> spec;
  std::string equations;
  bool raw = false;
  bool replace = false;
  bool accept_damage = false;
  std::optional<std::string> name;
  bool no_name = false;
  std::size_t chunk_bytes = 0;
  Options run{.threads = 0};
};

/// Content to encode: a file as it is, or an archive of several.
struct Source {
  std::function<std::size_t(std::span<std::uint8_t>)> read;
  std::size_t known_bytes = 0;
  bool is_terminal = false;
  std::vector<FileIdentity> inputs;
  std::optional<FileInfo> info;
  mode_t permissions = 0600;  ///< permissions that the shards may have
  std::unique_ptr<TreeArchive> archive;
  FindDamaged find_damaged;  ///< for the files of an archive
};

/// Name, permissions and time that the shards remember of a file; --name replaces `name`. nullopt:
/// nothing is remembered.
std::optional<FileInfo> info_of(const EncodeOptions& options, const struct stat& status,
                                const std::string& name, mode_t permissions) {
  FileInfo info;
  info.name = options.name.value_or(name);
  info.permissions = permissions & 07777U;
  info.modified_seconds = status.st_mtim.tv_sec;
  info.modified_nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec);
  if (options.no_name || why_no_name(info.name)) return {};
  return info;
}

Source file_source(const EncodeOptions& options) {
  const std::string& file = options.files.front();
  const auto input = std::make_shared<Input>(file);
  Source source;
  source.read = [input](std::span<std::uint8_t> bytes) { return input->read(bytes); };
  source.known_bytes = input->known_bytes();
  source.is_terminal = input->is_terminal();
  source.permissions = input->permissions();
  struct stat status {};
  const bool is_known = ::fstat(input->descriptor(), &status) == 0;
  source.inputs.push_back(input->identity());
  if (is_known && S_ISREG(status.st_mode)) {
    const std::string name = std::filesystem::path(file).filename().string();
    source.info = info_of(options, status, file == "-" ? "" : name, status.st_mode);
  } else if (options.name) {
    status.st_mtim = {::time(nullptr), 0};
    source.info = info_of(options, status, {}, 0644);
  }
  return source;
}

/// Several files, or a directory, as an archive.
Source archive_source(const EncodeOptions& options) {
  std::vector<TreeRoot> roots = tree_roots(options.files);
  check_outside(roots, options.directories);
  Source source;
  for (const TreeRoot& root : roots) {
    if (!root.is_directory) source.inputs.push_back(root.identity);
  }
  struct stat status {};
  if (::stat(roots.front().path.c_str(), &status) != 0) {
    fail_on_io("read", roots.front().path, errno);
  }
  // Owner only, as some content may be private.
  source.info = info_of(options, status, roots.front().name + ".tar", 0600);
  source.permissions = permissions_of(roots);
  source.find_damaged = [roots](const auto& read) { return damaged_members(roots, read); };
  source.archive = std::make_unique<TreeArchive>(std::move(roots));
  source.read = [archive = source.archive.get()](std::span<std::uint8_t> bytes) {
    return archive->read(bytes);
  };
  return source;
}

Source source_of(const EncodeOptions& options) {
  std::error_code error;
  const bool is_one_file =
      options.files.size() == 1 && !std::filesystem::is_directory(options.files.front(), error);
  return is_one_file ? file_source(options) : archive_source(options);
}

/// Reports how many of several directories may be lost.
void note_directories(const Code& code, std::size_t directories) {
  std::vector<std::vector<std::size_t>> held(directories);
  for (std::size_t i = 0; i < code.locations; ++i) held[i % directories].push_back(i);
  note_directory_losses(code, held);
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
  const Source source = source_of(options);
  Progress progress;
  progress.total = source.known_bytes;
  EncodedSet encoded;
  {
    const ProgressLine line(progress, !source.is_terminal);
    encoded = encode_set({.read = source.read,
                          .directories = paths_of(options.directories),
                          .code = code,
                          .options = options.run,
                          .replace = options.replace,
                          .accept_damage = options.accept_damage,
                          .inputs = source.inputs,
                          .info = source.info,
                          .holds_files = source.archive != nullptr,
                          .find_damaged = source.find_damaged,
                          .permissions = source.permissions},
                         progress);
  }
  for (const std::string& replaced : encoded.replaced) note("replaced: " + replaced);
  for (const StrayFile& stray : encoded.strays) {
    note(printable(fmt::format("left alone: {}: {}", stray.path.string(), stray.why)));
  }
  for (const auto& path : encoded.unremoved) {
    note(printable(fmt::format("could not be removed: {}", path.string())));
  }
  std::string of_archive;
  if (source.archive) {
    for (const std::string& left_out : source.archive->left_out()) {
      say(printable("left out: " + left_out));
    }
    of_archive =
        fmt::format(", an archive of {},", counted(source.archive->entries(), "entry", "entries"));
  }
  note_plans(options.run, encoded.plans);
  note_directories(code, options.directories.size());
  const ShardHeader& header = encoded.header;
  note(fmt::format("encoded {}{} into {} in {}, set {}, generation {}: wrote {}, {}",
                   bytes_text(header.file_bytes), of_archive, counted(header.locations, "shard"),
                   printable(fmt::format("{}", fmt::join(options.directories, ", "))),
                   to_string(header.set), generation_text(header),
                   bytes_text(encoded.bytes_written), rate_text(header.file_bytes, all.seconds())));
}

void run(const EncodeOptions& options) {
  if (options.accept_damage && !options.replace) {
    fail(Status::kInvalidArgument, "--accept-damage needs --replace");
  }
  if (!options.raw) return encode_shards(options);
  need_for_raw(options.spec || !options.equations.empty(),
               "--code SPEC, --equations FILE, -k, -m or -w");
  refuse_for_raw(options.name.has_value(), "--name");
  refuse_for_raw(options.no_name, "--no-name");
  refuse_for_raw(options.accept_damage, "--accept-damage");
  if (options.directories.size() != 1) {
    fail(Status::kInvalidArgument,
         fmt::format("--raw takes one -o DIR, not {}", options.directories.size()));
  }
  if (options.files.size() != 1) {
    fail(Status::kInvalidArgument,
         fmt::format("--raw takes one FILE, not {}", options.files.size()));
  }
  encode_raw({options.files.front(), options.directories.front(), options.spec.value_or(""),
              options.equations, options.chunk_bytes, options.replace, options.run});
}

}  // namespace

Command encode_command() {
  Command command{"encode", kEncodeAbout, kEncodeExamples};
  const auto options = std::make_shared<EncodeOptions>();
  add_arguments(command, "FILE", options->files,
                "the file to encode, - for standard input; or a directory, or several of either");
  add_texts(
      command, "-o,--output", "DIR", options->directories,
      "directory for the shards; it is created if it does not exist. With several, as one per "
      "disk, shards go to each in turn: to the first, the second, and so on, and again");
  option_of(command, "--output").is_required = true;
  add_code(
      command, options->spec,
      fmt::format("the code; default: {}; xorloom codes --suggest compares others", kDefaultCode));
  add_text(command, "--name", "NAME", options->name,
           "the name that decode gives the file if it is told none; default: that of FILE. Shards "
           "also remember its permissions and the time when it was modified. What is in an archive "
           "keeps its names");
  add_flag(command, "--no-name", options->no_name,
           "let the shards remember no name, permissions or time");
  add_flag(command, "--replace", options->replace,
           "replace all sets that are in DIR or, with --raw, the chunk files; without it, encode "
           "refuses to. Sets of several files are not replaced");
  add_flag(
      command, "--accept-damage", options->accept_damage,
      "with --replace: encode FILE as it is. Without it, encode refuses a FILE, or a file of a "
      "directory, whose content changed while its time and name did not");
  add_flag(command, "--raw", options->raw,
           "write bare chunk files instead of shards; needs --code or --equations");
  add_given_equations(command, options->equations, "with --raw: run");
  option_of(command, "--equations").help =
      "with --raw: run the equations in FILE (text or JSON) instead of making some. They are for "
      "the code that FILE names, else for --code, and are proved first; packets are as --code "
      "says, if it is given";
  add_bytes(command, "--chunk-bytes", options->chunk_bytes, 1, kMaxChunkBytes,
            "with --raw, bytes of each chunk; the data chunks must hold FILE, and zeros fill them "
            "up; default: the fewest that do");
  add_run_options(command, options->run, "default: auto", "default: 0");
  command.run = [options](const Command& given) {
    if (!options->equations.empty()) {
      refuse_with_equations(given, {"--style", "--effort", "--store"});
    }
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
