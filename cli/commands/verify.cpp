#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/protected.hpp"
#include "cli/commands/raw.hpp"
#include "cli/document/metrics.hpp"
#include "cli/document/writers.hpp"
#include "cli/pages/name_lists.hpp"
#include "cli/pages/set_page.hpp"
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
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/shards/directory_losses.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/settled_reading.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kVerifyAbout =
    "check every byte of a set's shards and report damage\n"
    "Reads all shards of a set and compares every block and header with its checksum. Exit status "
    "0 means that every location has its shard and every byte of every shard is right. Other sets "
    "in DIR, which are named as not used, are checked only with --all. With --deep, verify also "
    "computes the redundancy anew. So it "
    "finds chunks that are wrong though their checksums hold, as a fault of memory leaves them. If "
    "m "
    "redundant chunks are there, up to m/2 wrong chunks are found, if no more are wrong: verify "
    "says how many may be. If redundancy cannot tell "
    "which chunks are wrong, the exit status is 3. With --fingerprints, it compares 8 bytes for "
    "each row of a chunk in place of the chunks, by a key drawn at random. With --raw, DIR holds "
    "bare chunk files without "
    "checksums. Then redundancy is all that there is to compare with. If a protection file of "
    "protect is given, verify checks the files that it protects. Files that moved are looked for "
    "in their directories, and in every other FILE and DIR that is given. With --all, verify "
    "checks every set and every protection that it finds in DIR and below, and ends as for the "
    "worst. If none of the files of a protection is beside it, they are looked for in each DIR.";

constexpr const char* kVerifyExamples =
    "xorloom verify shards\n"
    "xorloom verify disk1 disk2 disk3 --format json\n"
    "xorloom verify shards --deep\n"
    "xorloom verify shards --deep --fingerprints\n"
    "xorloom verify photos.xorloom\n"
    "xorloom verify --all /mnt/backup\n"
    "xorloom verify chunks --raw --code rs:k=4,m=2\n"
    "xorloom verify shards --format prometheus > shards.prom";

struct VerifyOptions {
  std::vector<std::string> directories;
  std::string set;
  std::string base;
  std::string format = "text";
  bool allow_large = false;
  bool deep = false;
  bool fingerprints = false;
  bool protection_only = false;
  bool all = false;
  bool list_all = false;
  std::vector<std::string> bases;                        ///< see ProtectedPlace
  std::vector<std::string> likely_bases;                 ///< see ProtectedPlace
  std::function<void(const std::string&)> show = print;  ///< gets the result
  bool raw = false;
  std::optional<std::string> spec;
  Options run{.threads = 0};
};

Depth depth_of(const VerifyOptions& options) {
  if (!options.deep) return Depth::kChecksums;
  return options.fingerprints ? Depth::kFingerprints : Depth::kRedundancy;
}

void refuse_code_without_raw(const VerifyOptions& options) {
  refuse_without_raw(options.spec.has_value(), "--code, -k, -m or -w");
  refuse_without_raw(options.run.packet_bytes != 0, "--packet-bytes");
  refuse_without_raw(options.run.allow_non_mds, "--allow-non-mds");
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
    damage = verify_set(set, pipeline_threads(options.run), progress, depth_of(options));
  }
  const VerifiedSet verified{found, set, damage, location_states(found, set.set(), damage),
                             all.seconds()};
  attempt.settle(verified.is_whole() && verified.is_recoverable());
  if (options.format == "text" && !options.all) {
    note_others(found, set.set());
    note_hidden(set.set());
  }
  options.show(options.format == "prometheus" ? set_metrics(verified)
                                              : written(set_document(verified), options.format));
  check_whole(verified, !options.all);
}

void verify_shards(const VerifyOptions& options) {
  refuse_code_without_raw(options);
  read_settled(places_of_shards(options.directories),
               [&](ReadAttempt& attempt) { verify_found(options, attempt); });
}

void verify_files(const VerifyOptions& options) {
  refuse_for_protection(!options.set.empty(), "--set");
  refuse_for_protection(options.deep && !options.all, "--deep");
  refuse_code_without_raw(options);
  verify_protected({{options.directories, options.base, options.allow_large, options.run,
                     options.bases, options.likely_bases},
                    options.format,
                    options.protection_only,
                    options.show,
                    options.list_all});
}

/// The files that are the same part of a protection, by generation and number of the part.
using PartNumber = std::pair<std::uint64_t, std::uint32_t>;
using CopiesOfParts = std::map<PartNumber, std::vector<std::string>>;

/// Directories, protections and failures found in some directories and below.
struct FoundBelow {
  std::vector<std::string> directories;
  std::map<std::string, CopiesOfParts> protections;  ///< their files, by id
  std::vector<std::string> failures;  ///< why something could not be read, a sentence each
};

/// Looks at a path that has `status`. What a user cannot read in lost+found is no failure.
void look_below(const std::filesystem::path& path, const std::filesystem::file_status& status,
                FoundBelow& found) {
  std::error_code error;
  if (std::filesystem::is_directory(status)) {
    found.directories.push_back(path.string());
    for (const std::string& name : names_in(path, error)) {
      std::error_code unknown;
      look_below(path / name, std::filesystem::symlink_status(path / name, unknown), found);
    }
    const bool is_systems =
        path.filename() == "lost+found" && error == std::errc::permission_denied;
    if (error && !is_systems) {
      found.failures.push_back(fmt::format("cannot read {}: {}", path.string(), error.message()));
    }
  } else if (std::filesystem::is_regular_file(status) &&
             (looks_like_part(path) || has_protection_name(path.string()))) {
    try {
      const PartHeader header = open_part(path).header;
      found.protections[xorloom::to_string(header.id)][{header.generation, header.part}].push_back(
          path.string());
    } catch (const IoError& unread) {
      found.failures.emplace_back(unread.what());
    } catch (const Error& part_error) {
      if (looks_like_part(path)) {
        found.protections[path.string()][{}].push_back(path.string());
      } else {
        found.failures.push_back(fmt::format(
            "{} is no protection file, is empty, or is damaged beyond use", path.string()));
      }
    }
  }
}

/// Looks at what was named, also behind links, and goes on if something is not there.
FoundBelow look_below_all(const std::vector<std::string>& paths) {
  FoundBelow found;
  for (const std::string& path : paths) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status)) {
      look_below(path, status, found);
    } else {
      if (!error) error = std::make_error_code(std::errc::no_such_file_or_directory);
      found.failures.push_back(fmt::format("cannot read {}: {}", path, error.message()));
    }
  }
  return found;
}

/// The files of each copy of a protection. A part with fewer copies than others is in several.
std::vector<std::vector<std::string>> copies_of(const CopiesOfParts& parts) {
  std::size_t count = 0;
  for (const auto& [number, paths] : parts) count = std::max(count, paths.size());
  std::vector<std::vector<std::string>> copies(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto& [number, paths] : parts) {
      copies[i].push_back(paths[std::min(i, paths.size() - 1)]);
    }
  }
  return copies;
}

/// Runs checks one after the other, whatever each comes to.
class ManyChecks {
 public:
  explicit ManyChecks(const std::vector<std::string>& failures)
      : count_(failures.size()), failures_(failures) {
    for (const std::string& failure : failures) say(printable(failure));
  }

  /// Runs a check of something that `what` names.
  template <typename Check>
  void run(const std::string& what, const Check& check) {
    ++count_;
    const auto say_why = [&](const std::exception& error) {
      const std::string sentence = in_program_words(error.what());
      say(printable(sentence.starts_with(what) ? sentence : what + ": " + sentence));
    };
    try {
      check();
    } catch (const RecoverableDamage& damage) {
      ++damaged_;
      say_why(damage);
    } catch (const Error& error) {
      if (error.kind() == Status::kDamaged) {
        ++lost_;
      } else {
        failures_.push_back(fmt::format("{}: {}", what, in_program_words(error.what())));
      }
      say_why(error);
    }
  }

  /// Throws if anything is not whole, with the kind of the worst.
  void finish(const std::vector<std::string>& paths) const {
    if (count_ == 0) {
      fail(Status::kIo, fmt::format("no shards and no protection files are in {} or below",
                                    fmt::join(paths, ", ")));
    }
    const std::string sentence = fmt::format(
        "{} checked: {} with lost bytes, {} that can be recovered, {} that could not be looked at",
        count_, lost_, damaged_, failures_.size());
    if (lost_ != 0) fail(Status::kDamaged, sentence);
    if (!failures_.empty()) fail(Status::kIo, sentence);
    if (damaged_ != 0) throw RecoverableDamage(sentence);
  }

  /// Why something could not be looked at, a sentence each.
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  std::size_t count_ = 0;
  std::size_t lost_ = 0;
  std::size_t damaged_ = 0;
  std::vector<std::string> failures_;  ///< a sentence each
};

/// A metric of how many protections and sets could not be looked at.
std::string failure_metrics(std::size_t failures) {
  Metrics metrics;
  metrics.begin("not_looked_at", "Protections and sets that could not be looked at.");
  metrics.add("", std::to_string(failures));
  return metrics.text();
}

void print_all(std::vector<std::string> texts, const std::vector<std::string>& failures,
               const std::string& format) {
  if (format == "prometheus") {
    texts.push_back(failure_metrics(failures.size()));
    return print(joined_metrics(texts));
  }
  if (format == "json") {
    Json results = Json::array();
    for (const std::string& text : texts) results.push_back(Json::parse(text));
    const Json all{{"format", "xorloom-verify-all"},
                   {"version", 1},
                   {"results", results},
                   {"failures", failures}};
    return print(all.dump(2, Json::Strings::kReplaced) + "\n");
  }
}

void verify_all(const VerifyOptions& options) {
  const FoundBelow found = look_below_all(options.directories);
  ManyChecks checks(found.failures);
  std::vector<std::string> texts;
  VerifyOptions each = options;
  each.bases = options.directories;
  each.likely_bases = found.directories;
  const auto show_as = [&](const std::string& name) {
    each.show = [&, name](const std::string& text) {
      if (options.format == "text") {
        print((texts.empty() ? "" : "\n") + printable(name) + ":\n" + text);
      }
      texts.push_back(text);
    };
  };
  for (const auto& [id, parts] : found.protections) {
    for (const std::vector<std::string>& paths : copies_of(parts)) {
      show_as(fmt::format("{}", fmt::join(paths, ", ")));
      each.directories = paths;
      checks.run(paths.front(), [&] { verify_files(each); });
    }
  }
  std::map<SetId, std::set<std::string>> directories;  // directories that hold shards, by set
  if (!found.directories.empty()) {
    for (const ShardSet& set : find_shards(paths_of(found.directories)).sets) {
      for (const ShardFile& shard : set.shards) {
        directories[set.header.set].insert(directory_of(shard.path).string());
      }
    }
  }
  for (const auto& [id, of_set] : directories) {
    each.directories = found.directories;
    each.set = xorloom::to_string(id);
    const std::string where = fmt::format("{}", fmt::join(of_set, ", "));
    show_as(where);
    checks.run(where, [&] { verify_shards(each); });
  }
  print_all(std::move(texts), checks.failures(), options.format);
  checks.finish(options.directories);
}

/// Verifies one protection, set or directory of bare chunk files.
void verify_one(const VerifyOptions& options) {
  if (!options.raw && names_protection(options.directories)) return verify_files(options);
  if (!options.raw) check_protection_names(options.directories);
  refuse_without_protection(!options.base.empty(), "--base");
  refuse_without_protection(options.protection_only, "--protection-only");
  refuse_without_protection(options.list_all, "--list-all");
  if (!options.raw) return verify_shards(options);
  need_for_raw(options.spec.has_value(), "--code SPEC, -k, -m or -w");
  refuse_for_raw(!options.set.empty(), "--set");
  refuse_for_raw(options.allow_large, "--allow-large");
  if (options.deep) {
    fail(Status::kInvalidArgument,
         "--deep does not go with --raw, which always compares redundancy with data");
  }
  refuse_for_raw(options.format == "prometheus", "--format prometheus");
  verify_raw({only_directory(options.directories), *options.spec, options.format, options.run});
}

/// Verifies a protection or a set. If it cannot be looked at, prints the failure for programs, in
/// the form of verify --all.
void verify_or_say_why_not(VerifyOptions options) {
  bool is_shown = false;
  options.show = [&](const std::string& text) {
    is_shown = true;
    print(text);
  };
  try {
    verify_one(options);
  } catch (const Error& error) {
    const bool is_wrong_call = error.kind() == Status::kInvalidArgument;
    if (!is_shown && !is_wrong_call) {
      print_all({}, {in_program_words(error.what())}, options.format);
    }
    throw;
  }
}

void run(const VerifyOptions& options) {
  if (options.fingerprints && !options.deep) {
    fail(Status::kInvalidArgument, "--fingerprints needs --deep");
  }
  if (!options.all) return options.raw ? verify_one(options) : verify_or_say_why_not(options);
  const auto refuse = [](bool given, const char* option) {
    if (given) fail(Status::kInvalidArgument, fmt::format("{} does not go with --all", option));
  };
  refuse(options.raw, "--raw");
  refuse(!options.base.empty(), "--base");
  refuse(!options.set.empty(), "--set");
  refuse(options.format == "html", "--format html");
  verify_all(options);
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
  add_flag(command, "--all", options->all, "check every set and every protection in DIR and below");
  add_flag(command, "--protection-only", options->protection_only,
           "with a protection file: check it alone, without reading the files");
  add_list_all(command, options->list_all);
  add_set(command, options->set);
  add_allow_large(command, options->allow_large);
  add_flag(command, "--deep", options->deep,
           "also compare redundancy with data, and find wrong chunks whose checksums hold");
  add_flag(command, "--fingerprints", options->fingerprints,
           "with --deep: compare short fingerprints of the chunks, which agree as the chunks do");
  add_flag(command, "--raw", options->raw,
           "look at bare chunk files instead of shards; needs --code");
  add_code(command, options->spec, "with --raw, the SPEC that encoded the chunks");
  add_choice(command, "--format", options->format, {"text", "json", "html", "prometheus"},
             "output format; prometheus is for the textfile collector of its node exporter; "
             "default: text");
  add_packet_bytes(command, options->run);
  add_allow_non_mds(command, options->run);
  add_engine(command, options->run, "default: auto", "default: 0");
  group_with_raw(command);
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
