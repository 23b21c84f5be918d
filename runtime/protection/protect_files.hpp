#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/protection/output_parts.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/protection/stream_reader.hpp"
#include "runtime/shards/reading_bounds.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

struct ProtectRequest {
  std::vector<std::filesystem::path> paths;  ///< files, and directories with all that is below
  std::filesystem::path base;  ///< names are relative to it; empty: where the first output is
  std::vector<std::string> excluded{};         ///< see excludes()
  bool follows_links = false;                  ///< see ProtectionScope
  std::vector<std::filesystem::path> outputs;  ///< a protection file each
  RedundancyWanted redundancy{};
  Options options;  ///< threads are those of the pipeline; see run_pipeline
  bool replace = false;
  bool accept_damage = false;   ///< with `replace`: do not compare with the old protection
  bool keeps_going = false;     ///< leave out what cannot be read
  bool accept_missing = false;  ///< with `replace`: give up directories whose files are all missing
  ReadingBounds bounds{};
  std::size_t memory_bytes = kUsualMemoryBytes;  ///< memory that the program may take, about
};

struct ProtectedSet {
  SetId id;
  Manifest manifest;
  std::uint64_t stream_bytes = 0;
  std::size_t k = 0;
  std::size_t m = 0;
  std::uint64_t bytes_written = 0;
  std::vector<LeftOut> left_out;
  std::size_t unreadable = 0;          ///< files and directories among `left_out`
  std::vector<std::string> no_longer;  ///< files that the replaced protection had
  std::vector<std::string> remarks;    ///< a sentence each
};

/// Writes protection files for files that stay as they are. Each appears complete or not at all. If
/// none was there before, all of them appear or none.
///
/// Errors: throws what list_files throws; kInvalidArgument if the redundancy is out of its bounds,
///         if there are more outputs than redundant chunks, if an output exists and is not to be
///         replaced, or if no file is left; FilesAreDamaged; kIo if all files of a directory that
///         the replaced protection has are gone, if a file changes while it is read, or if reading
///         or writing fails.
/// Cost:   reads the files once, and those that are compared with their old protection twice.
ProtectedSet protect_files(const ProtectRequest& request, Progress& progress);

/// Throws the error again, with the options that leave the file out.
[[noreturn]] void say_how_to_leave_out(const UnreadFile& error);

/// Like protect_files, for files that are listed already, by a caller that holds the outputs.
ProtectedSet protect_listed(const ProtectRequest& request, ListedFiles listed, OutputParts& outputs,
                            Progress& progress);

/// Thrown if files are damaged, compared with what was protected: their content changed, but not
/// their time. They can be repaired first.
struct FilesAreDamaged : Error {
  FilesAreDamaged(const std::string& sentence, std::vector<std::string> damaged,
                  std::filesystem::path names_from)
      : Error(Status::kInvalidArgument, sentence),
        names(std::move(damaged)),
        base(std::move(names_from)) {}
  std::vector<std::string> names;  ///< names under which the files are protected
  std::filesystem::path base;      ///< names are relative to it
  /// Protected names of files that repair cannot restore now; nullopt: it is not known.
  std::optional<std::set<std::string>> lost{};
};

/// Calls protect(unread). If that throws UnreadFile, calls it again with the files that could not
/// be read, by name and errno; and so on while others are found. protect() names all files that it
/// could not read where it compares or reads files, so that it is called a few times at most.
template <typename Protect>
auto leaving_out_unread(bool keeps_going, OutputParts& outputs, const Protect& protect) {
  std::map<std::string, int> unread;
  for (;;) {
    try {
      return protect(std::as_const(unread));
    } catch (const UnreadFile& error) {
      if (!keeps_going) say_how_to_leave_out(error);
      const std::size_t known = unread.size();
      unread.insert(error.files.begin(), error.files.end());
      if (unread.size() == known) throw;
      outputs.parts().clear();
    }
  }
}

/// State of the files that are not damaged.
enum class OtherFilesAre {
  kAsBefore,  ///< nothing was changed
  kTakenIn,
  kToBeTakenIn,  ///< to be taken in, by an update of which this is a trial
};

/// Throws FilesAreDamaged if files below a base directory are.
///
/// Shape: `damaged` maps the names that files have now to those under which they are protected.
///        `held` are other protected names that can be restored. `why_none`: a phrase that says why
///        nothing was changed; empty: it is not said.
void refuse_damaged(const std::map<std::string, std::string>& damaged,
                    const std::filesystem::path& base, OtherFilesAre others,
                    const std::vector<std::string>& held = {}, const std::string& why_none = {});

/// Adds a remark on listed files that are one file under several names, if any name is in `read`.
void note_links(const ListedFiles& listed, const ListedFiles& read,
                std::vector<std::string>& remarks);

/// Adds a remark on links that lead out of the base directory, if no file was protected by them
/// before.
void note_leading_out(const ListedFiles& listed, const std::vector<ProtectedFile>& before,
                      std::vector<std::string>& remarks);

/// Adds a remark on each pattern in `given` that excluded nothing.
void note_unused_patterns(const ListedFiles& listed, const std::vector<std::string>& given,
                          std::vector<std::string>& remarks);

/// Adds a remark if readers refuse the list of files unless they are told to trust it.
void note_large_list(const Manifest& manifest, std::vector<std::string>& remarks);

}  // namespace xorloom
