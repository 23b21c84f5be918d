#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/raw.hpp"
#include "cli/pages/name_lists.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/read_costs.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "cli/trees/tree_extractor.hpp"
#include "cli/trees/tree_roots.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/files/pending_tree.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/settled_reading.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kDecodeAbout =
    "recover a file from its shards\n"
    "Recovers the file whose shards are in the directories, whatever the shards are called. Each "
    "missing or damaged block is rebuilt if the code allows it, and the damage found is reported. "
    "Only blocks that are needed are read. Of several sets, decode takes the one with the highest "
    "generation; if two have it, or had it before a change, decode stops and asks for --set. A "
    "DIR that cannot be read is reported, and the others are used. With --bytes, it reads only "
    "what recovering these bytes needs. FILE appears complete or not at all; an existing FILE is "
    "replaced. Without -o, the file gets the name, the permissions and the time that it had, in "
    "the current directory; there an existing file is replaced only with --force. Files and "
    "directories that were encoded together come back so, all of them or none. If -o names a "
    "directory, they go there; if it names a file, that is their archive. A new FILE allows other "
    "users at most what the encoded file did. If FILE is -, all needed blocks are verified before "
    "the first byte is written, so they are read twice. With --raw, DIR holds bare chunk files, "
    "without checksums, and every one that is there is taken to be right.";

constexpr const char* kDecodeExamples =
    "xorloom decode shards\n"
    "xorloom decode disk1 disk2 -o restored/\n"
    "xorloom decode shards -o photos.tar\n"
    "xorloom decode disk1 disk2 disk3 -o - | tar t\n"
    "xorloom decode shards -o part --bytes 1000000-1999999\n"
    "xorloom decode shards -o photos.tar --salvage\n"
    "xorloom decode chunks -o photos.tar --raw --length 40000000 --code rs:k=4,m=2";

struct DecodeOptions {
  std::vector<std::string> directories;
  std::optional<std::string> output;
  bool force = false;
  bool keep_going = false;
  std::string set;
  std::optional<std::string> spec;
  bool raw = false;
  std::optional<std::size_t> length;
  std::optional<std::pair<std::size_t, std::size_t>> bytes;  ///< first and last byte, both included
  std::vector<PlaceCost> read_costs;
  bool salvage = false;
  std::string format = "text";
  bool allow_large = false;
  Options run{.threads = 0};
};

/// Throws kInvalidArgument if the output is one of the files from which it is decoded.
void check_output(const FoundShards& found, const std::string& output) {
  const OpenFile file(output);
  if (output == "-" || !file.is_open()) return;
  const auto refuse_if = [&](const FileIdentity& identity) {
    if (identity != file.identity()) return;
    fail(Status::kInvalidArgument,
         fmt::format("{} is {}, and decode does not overwrite it: name another file", output,
                     kShard));
  };
  for (const ShardSet& set : found.sets) {
    for (const ShardFile& shard : set.shards) refuse_if(shard.file.identity());
  }
  for (const StrayFile& stray : found.strays) {
    if (stray.identity) refuse_if(*stray.identity);
  }
}

void check_given_back(const FoundShards& found, const OpenedSet& set, const SetDamage& damage) {
  if (damage.lost_stripes.empty()) return;
  note_others(found, set.set());
  note_damage(location_states(found, set.set(), damage));
  fail(kind_of_loss(found, set.set()),
       fmt::format("set {} cannot be recovered: {}{}", to_string(set.header().set),
                   loss_text(damage.lost_stripes, set), describe_others(found, set.set())));
}

std::uint64_t lost_bytes(const SetDamage& damage) {
  std::uint64_t bytes = 0;
  for (const FileRange& lost : damage.lost_bytes) bytes += lost.end - lost.begin;
  return bytes;
}

/// Lists the bytes that are lost and were written as zeros.
void list_salvaged(const DecodeOptions& options, const OpenedSet& set, const SetDamage& damage) {
  if (options.format == "text") {
    std::vector<std::string> lines;
    for (const FileRange& lost : damage.lost_bytes) {
      lines.push_back(fmt::format("lost, written as zeros: bytes {}-{}", lost.begin, lost.end - 1));
    }
    for (const std::string& line :
         shortened(std::move(lines), false, "lost, written as zeros: ", "--format json lists")) {
      note(line);
    }
    return;
  }
  Json json{{"format", "xorloom-salvage"},
            {"version", 1},
            {"set", to_string(set.header().set)},
            {"file_bytes", set.header().file_bytes},
            {"lost_bytes", lost_bytes(damage)}};
  Json ranges = Json::array();
  for (const FileRange& lost : damage.lost_bytes) {
    ranges.push_back({{"first", lost.begin}, {"last", lost.end - 1}});
  }
  json["lost"] = ranges;
  print(json.dump(2, Json::Strings::kReplaced) + "\n");
}

void check_salvaged(const OpenedSet& set, const SetDamage& damage) {
  if (damage.lost_bytes.empty()) return;
  fail(Status::kDamaged,
       fmt::format("{} of {} of set {} {} lost, and written as zeros", lost_bytes(damage),
                   counted(set.header().file_bytes, "byte"), to_string(set.header().set),
                   lost_bytes(damage) == 1 ? "is" : "are"));
}

/// The range of the set's file to decode; all of it without --bytes.
FileRange range_of(const DecodeOptions& options, const ShardHeader& header) {
  if (!options.bytes) return {0, header.file_bytes};
  if (options.bytes->second >= header.file_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("--bytes {}-{} goes past the end of the file, which has {}",
                     options.bytes->first, options.bytes->second,
                     counted(header.file_bytes, "byte")));
  }
  return {options.bytes->first, options.bytes->second + 1};
}

/// Destination of the content.
struct Destination {
  std::filesystem::path path;          ///< a file; or the directory for the files of an archive
  bool is_for_files = false;           ///< `path` is a directory
  std::optional<FileInfo> info;        ///< set for a file that gets its own name
  std::filesystem::path made_if_none;  ///< directory that -o names, made if missing; "": none
};

/// True if -o names a directory: an existing one, or one to make (it ends in '/').
bool names_directory(const std::optional<std::string>& output) {
  std::error_code error;
  return output && *output != "-" &&
         (output->ends_with('/') || std::filesystem::is_directory(*output, error));
}

/// Name, permissions and time that the set remembers of its file. Throws kInvalidArgument if it has
/// none.
FileInfo own_info(const ShardHeader& header) {
  const std::optional<FileInfo> info = remembered(header);
  if (!info) {
    fail(Status::kInvalidArgument,
         fmt::format("set {} does not remember the name of its file: say it with -o FILE",
                     to_string(header.set)));
  }
  return *info;
}

Destination destination_of(const DecodeOptions& options, const ShardHeader& header) {
  const bool is_directory = names_directory(options.output);
  if (options.output && !is_directory) {
    if (options.force) {
      fail(
          Status::kInvalidArgument,
          "--force is for the file's own name, so -o does not go with it: -o replaces FILE anyway");
    }
    return {*options.output, false, {}, {}};
  }
  if (options.bytes) {
    const char* const needed = is_directory ? "--bytes needs -o FILE" : "--bytes needs -o";
    fail(Status::kInvalidArgument, fmt::format("{}: a part is not the file", needed));
  }
  const std::filesystem::path directory = is_directory ? *options.output : std::string();
  if (!holds_files(header)) {
    const FileInfo info = own_info(header);
    return {directory / info.name, false, info, directory};
  }
  if (options.salvage) {
    fail(Status::kInvalidArgument,
         "--salvage of an archive of files needs -o FILE: it writes the archive, with zeros");
  }
  return {is_directory ? directory : ".", true, {}, directory};
}

void check_is_free(const DecodeOptions& options, const std::filesystem::path& path,
                   const std::filesystem::path& shown_as) {
  std::error_code error;
  if (options.force || !std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    return;
  fail(Status::kInvalidArgument,
       fmt::format("{} is there already: --force replaces it, and -o gives another name",
                   printable(shown_as.string())));
}

/// Restores the permissions and the time of a file, as far as the system allows.
void restore(const std::filesystem::path& path, const FileInfo& info) {
  // Set-user-ID and similar bits would give others the user's rights.
  const int code = set_permissions_and_time(path, info.permissions & 0777U, info.modified_seconds,
                                            info.modified_nanoseconds);
  if (code == 0) return;
  note(printable(fmt::format("{} could not be given its permissions and time: {}", path.string(),
                             std::strerror(code))));
}

/// A decode in progress.
struct Decoding {
  const DecodeOptions& options;
  ReadAttempt& attempt;
  const FoundShards& found;
  const OpenedSet& set;
  std::size_t threads;
  FileRange range;
};

/// Result of a decode.
struct Decoded {
  SetDamage damage;
  std::uint64_t bytes_read = 0;
  std::string to;            ///< " to NAME" for content with names of its own
  std::size_t left_out = 0;  ///< archive entries that the file system cannot hold
};

/// Tells the attempt whether the set is whole, before the output is committed.
void settle(const Decoding& decoding, const SetDamage& damage) {
  decoding.attempt.settle(are_whole(location_states(decoding.found, decoding.set.set(), damage)));
}

Decoded decode_file(const Decoding& decoding, const Destination& to) {
  const auto& [options, attempt, found, set, threads, range] = decoding;
  if (to.info) check_is_free(options, to.path, to.path);
  check_output(found, to.path);
  check_not_kept(to.path, "decode");
  std::optional<PendingDirectory> made;
  if (!to.made_if_none.empty()) made.emplace(to.made_if_none);
  const std::optional<FileInfo> info = remembered(set.header());
  Output output(to.path, info ? permissions_within(info->permissions) : permissions_of(set.set()));
  Progress progress;
  Decoded decoded;
  const ProgressLine line(progress, !output.is_terminal());
  if (!output.can_be_taken_back()) {
    decoded.damage = check_set(set, threads, progress, range);
    decoded.bytes_read = decoded.damage.bytes_read;
    settle(decoding, decoded.damage);
    if (!options.salvage) check_given_back(found, set, decoded.damage);
  }
  decoded.damage = decode_set(
      set, threads, [&](std::span<const std::uint8_t> bytes) { output.write(bytes); }, progress,
      range, options.salvage ? Lost::kZeros : Lost::kStop);
  decoded.bytes_read += decoded.damage.bytes_read;
  if (output.can_be_taken_back()) {
    settle(decoding, decoded.damage);
  } else if (!decoded.damage.lost_stripes.empty()) {
    attempt.check_unchanged();
  }
  if (!options.salvage) check_given_back(found, set, decoded.damage);
  progress.begin("syncing");
  if (to.info) check_is_free(options, to.path, to.path);  // again, since decoding may take long
  if (made) made->sync();
  output.commit();
  if (made) made->keep();
  if (!to.info) return decoded;
  if (output.can_be_taken_back()) restore(to.path, *to.info);  // not a device that a link names
  decoded.to = " to " + printable(to.path.string());
  return decoded;
}

/// Throws kInvalidArgument if `path`, which would be replaced, contains shards.
void check_has_no_shards(const FoundShards& found, const std::filesystem::path& path,
                         const std::filesystem::path& shown_as) {
  const auto identity = file_identity(path);
  if (!identity) return;
  const auto refuse_if_in = [&](const std::filesystem::path& shard) {
    if (!leads_into(shard, *identity)) return;
    fail(Status::kInvalidArgument,
         fmt::format("{} has shards in it, and decode must not replace it",
                     printable(shown_as.string())));
  };
  for (const ShardSet& each : found.sets) {
    for (const ShardFile& shard : each.shards) refuse_if_in(shard.path);
  }
  for (const StrayFile& stray : found.strays) refuse_if_in(stray.path);
}

/// Unpacks an archive of files into a directory.
Decoded decode_files(const Decoding& decoding, const Destination& to) {
  const auto& [options, attempt, found, set, threads, range] = decoding;
  std::optional<PendingDirectory> made;
  if (!to.made_if_none.empty()) {
    made.emplace(std::filesystem::weakly_canonical(std::filesystem::absolute(to.made_if_none)));
  }
  PendingTree tree(to.path);
  const auto shown = [&, &given = decoding](const std::string& name) {
    return given.options.output ? to.path / name : std::filesystem::path(name);
  };
  const auto check = [&, &given = decoding](const std::string& name) {
    check_is_free(given.options, tree.destination() / name, shown(name));
  };
  Decoded decoded;
  TreeExtractor extractor(tree, check, options.keep_going);
  Progress progress;
  const ProgressLine line(progress, true);
  decoded.damage = decode_set(
      set, threads, [&](std::span<const std::uint8_t> bytes) { extractor.write(bytes); }, progress,
      range);
  decoded.bytes_read = decoded.damage.bytes_read;
  settle(decoding, decoded.damage);
  check_given_back(found, set, decoded.damage);
  extractor.finish();
  const std::vector<std::string> names = tree.names();
  for (const std::string& name : names) {
    check(name);
    check_has_no_shards(found, tree.destination() / name, shown(name));
    check_not_kept(tree.destination() / name, "decode");
  }
  progress.begin("syncing");
  if (made) made->sync();
  tree.commit(options.force ? Existing::kReplace : Existing::kRefuse);
  if (made) made->keep();
  const std::optional<std::filesystem::path> left = tree.clear();
  for (const std::string& remark : extractor.remarks()) say(printable(remark));
  if (left) note(printable(fmt::format("could not be removed: {}", left->string())));
  constexpr std::size_t kMostNames = 8;
  const std::size_t entries = extractor.entries();
  decoded.left_out = extractor.left_out();
  decoded.to = fmt::format(", an archive of {}{}", counted(entries, "entry", "entries"),
                           names.empty() ? "" : ", to");
  if (names.size() > kMostNames) {
    decoded.to += fmt::format(" {} names in {}", names.size(), printable(to.path.string()));
    return decoded;
  }
  std::vector<std::string> shown_names;
  for (const std::string& name : names) shown_names.push_back(printable(shown(name).string()));
  if (!names.empty()) decoded.to += fmt::format(" {}", fmt::join(shown_names, ", "));
  return decoded;
}

void decode_found(const DecodeOptions& options, ReadAttempt& attempt,
                  const std::vector<std::filesystem::path>& directories) {
  const Stopwatch all;
  const FoundShards& found = attempt.found();
  OpenedSet opened(found, options.set, codec_options(options.run),
                   reading_bounds(options.allow_large));
  opened.set_read_costs(costs_by_location(options.read_costs, opened, directories));
  const OpenedSet& set = opened;
  const Destination to = destination_of(options, set.header());
  const Decoding decoding{
      options, attempt, found, set, pipeline_threads(options.run), range_of(options, set.header())};
  const Decoded decoded = to.is_for_files ? decode_files(decoding, to) : decode_file(decoding, to);
  note_others(found, set.set());
  note_hidden(set.set());
  note_damage(location_states(found, set.set(), decoded.damage));
  note_plans(options.run, set.plan_counts());
  const std::uint64_t count = decoding.range.end - decoding.range.begin;
  const std::string of_file =
      options.bytes ? fmt::format(" from byte {}", decoding.range.begin) : std::string();
  const std::uint64_t lost = lost_bytes(decoded.damage);
  note(fmt::format("{} {}{}{} of set {}, generation {}{}: read {}, {}",
                   lost == 0 ? "decoded" : "wrote", bytes_text(count), of_file, decoded.to,
                   to_string(set.header().set), generation_text(set.header()),
                   lost == 0 ? ""
                             : fmt::format(", of which {} {} recovered", count - lost,
                                           count - lost == 1 ? "was" : "were"),
                   bytes_text(decoded.bytes_read), rate_text(count, all.seconds())));
  if (!options.bytes && !to.is_for_files && holds_files(set.header()) && options.output != "-") {
    const std::string path = to.path.string();
    // With -i, tar goes on behind zeros.
    note(printable(fmt::format("{} is an archive of files; tar -x{}f {} unpacks {}", path,
                               lost == 0 ? "" : "i", shell_word(path),
                               lost == 0 ? "it" : "what is left")));
  }
  if (decoded.left_out != 0) {
    fail(Status::kIo, fmt::format("{} of the archive could not be written here; -o FILE writes the "
                                  "archive as it is",
                                  counted(decoded.left_out, "entry", "entries")));
  }
  if (!options.salvage) return;
  list_salvaged(options, set, decoded.damage);
  check_salvaged(set, decoded.damage);
}

void decode_shards(const DecodeOptions& options) {
  if (options.format != "text" && (!options.salvage || options.output == "-")) {
    fail(Status::kInvalidArgument, "--format json lists what --salvage lost, on standard output");
  }
  refuse_without_raw(options.spec.has_value(), "--code, -k, -m or -w");
  refuse_without_raw(options.length.has_value(), "--length");
  const std::vector<std::filesystem::path> directories = places_of_shards(options.directories);
  read_settled(directories,
               [&](ReadAttempt& attempt) { decode_found(options, attempt, directories); });
}

void run(const DecodeOptions& options) {
  if (!options.raw) return decode_shards(options);
  need_for_raw(options.output.has_value(), "-o");
  need_for_raw(options.spec.has_value(), "--code SPEC, -k, -m or -w");
  need_for_raw(options.length.has_value(), "--length");
  refuse_for_raw(!options.set.empty(), "--set");
  refuse_for_raw(options.allow_large, "--allow-large");
  refuse_for_raw(options.bytes.has_value(), "--bytes");
  refuse_for_raw(options.salvage, "--salvage");
  refuse_for_raw(!options.read_costs.empty(), "--read-cost");
  decode_raw({only_directory(options.directories), *options.output, *options.spec, *options.length,
              options.run});
}

}  // namespace

Command decode_command() {
  Command command{"decode", kDecodeAbout, kDecodeExamples};
  command.reads_data = true;
  const auto options = std::make_shared<DecodeOptions>();
  add_directories(command, options->directories);
  add_text(command, "-o,--output", "FILE", options->output,
           "the file to write, - for standard output; or a directory, which may end in / and is "
           "then made, for what has names of its own; default: the names that the shards "
           "remember, in the current directory")
      .writes = true;
  add_flag(
      command, "--force", options->force,
      "replace what exists under the names that the shards remember; the FILE of -o is replaced "
      "without it");
  add_flag(
      command, "--keep-going", options->keep_going,
      "leave out files of an archive that the file system cannot hold, as for their names; name "
      "them and exit with status 4");
  add_set(command, options->set);
  add_allow_large(command, options->allow_large);
  add_byte_range(
      command, "--bytes", options->bytes, kMaxLength,
      "recover only bytes A to B of the file, both included, counted from 0; default: all");
  add_flag(
      command, "--salvage", options->salvage,
      "write what can be recovered, with zeros for the bytes that are lost; list these and exit "
      "with status 3");
  add_choice(command, "--format", options->format, {"text", "json"},
             "with --salvage, how to list the bytes that are lost; default: text");
  add_read_costs(command, options->read_costs, "PLACE",
                 "cost of reading a byte from PLACE, 0 to 1000000; default: 1. PLACE is a "
                 "location's number, or a DIR; write ./4 for a directory 4");
  add_flag(command, "--raw", options->raw,
           "read bare chunk files instead of shards; needs --code and --length");
  add_code(command, options->spec,
           "with --raw, the SPEC that encoded the chunks. With another code, decode writes wrong "
           "bytes and cannot notice it");
  add_bytes(command, "--length", options->length, 0, kMaxLength,
            "with --raw, the length in bytes of the file that was encoded");
  add_run_options(command, options->run, "default: auto", "default: 0");
  group_with_raw(command);
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
