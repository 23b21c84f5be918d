#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/protection/protected_files.hpp"

namespace xorloom {

/// Something that is not protected, and why, as a phrase.
struct LeftOut {
  std::string name;  ///< from the base directory, as of ProtectedFile
  std::string why;

  friend auto operator<=>(const LeftOut&, const LeftOut&) = default;
};

/// Files to be protected, in their present state.
struct ListedFiles {
  std::vector<ProtectedFile> files;   ///< by name, ascending
  std::vector<struct stat> statuses;  ///< by file
  /// The directories that were named: see ProtectionScope.
  std::vector<std::string> directories;
  std::vector<ProtectedDirectory> attributes;  ///< directories of the files: see Manifest
  std::vector<LeftOut> left_out;
  std::vector<std::string> unread;  ///< names in `left_out` of what cannot be read
  std::vector<std::string> kept;    ///< names in `left_out` that repair gave to what it kept
  std::vector<std::string> unused;  ///< patterns that excluded nothing
  /// The permissions that all files and their directories have: see permissions_within().
  mode_t permissions = kAnyPermissions;
  bool follows_links = false;  ///< see ProtectionScope
  /// Names of links that lead out of the base directory, and their targets.
  std::vector<std::pair<std::string, std::string>> leading_out;
};

/// True if a file may be left out if it cannot be opened. `name`: from the base directory. If this
/// is set, directories that cannot be read are left out.
using MayBeLeftOut = std::function<bool(const std::string& name)>;

/// True if a file is protected already. `name`: from the base directory.
using IsProtected = std::function<bool(const std::string& name)>;

inline bool leave_out_any(const std::string& /*name*/) { return true; }

/// Lists the regular files that `paths` name, and those below directories among them.
///
/// Passed over are hidden names of unfinished files of this program, paths in `except`, and below
/// directories what the scope excludes. Left out are what is no regular file, protection files, and
/// below directories what repair() called NAME.damaged if NAME is beside it or protected. Also left
/// out is what cannot be read, if `may_be_left_out` allows it: if `opens_files` is true, each such
/// file is opened to find out. So are the files in `unread`, by name and errno: they can be opened,
/// but not read.
///
/// If the scope follows symbolic links, the target of a link gets the link's name. Targets are
/// visited after all that has a name of its own, so that links list no file or directory twice, nor
/// a directory below itself: such links are left out. Below the target of a link, only its file
/// system is listed.
///
/// Errors: throws kInvalidArgument if a path is not below the base directory; kIo if one does not
///         exist or a directory cannot be read.
ListedFiles list_files(const std::vector<std::filesystem::path>& paths,
                       const std::filesystem::path& base,
                       const std::vector<std::filesystem::path>& except,
                       const ProtectionScope& scope = {}, const MayBeLeftOut& may_be_left_out = {},
                       bool opens_files = true, const IsProtected& is_protected = {},
                       const std::map<std::string, int>& unread = {});

/// Moves files from those to be protected to `left_out`.
void leave_out(ListedFiles& listed, const std::vector<LeftOut>& files);

/// Throws kIo if a file cannot be opened.
void check_readable(const ListedFiles& listed, const std::filesystem::path& base);

/// True if a pattern of the shell excludes a file or directory. `name`: from the base directory. A
/// pattern with a '/' is compared with the whole name, and its '*' does not match '/'; any other is
/// compared with the last part of the name. A '/' at the end is ignored: "sub/" is "sub".
bool excludes(std::string pattern, const std::string& name);

/// True if `name` is below `directory`. Both are from the base directory, which is "".
bool is_below(const std::string& name, const std::string& directory);

/// True if the scope protects all in a directory above `name`, and does not exclude it. `name`:
/// from the base directory.
bool covers(const ProtectionScope& scope, const std::string& name);

/// The pattern that excludes what has this name from the base directory, and little else.
std::string pattern_of(const std::string& name);

/// NAME, if `kept` is NAME.damaged or NAME.damaged-2, as repair names what it keeps; else empty.
std::string name_of_kept(const std::string& kept);

/// `name`, cut so that an end of `end_bytes` bytes makes it no longer than a file system allows. No
/// character of UTF-8 is cut in two.
std::string cut_for_end(const std::string& name, std::size_t end_bytes);

/// True if `kept` is a name that repair gives to what it keeps of the file NAME, which may be cut.
bool is_kept_of(const std::string& kept, const std::string& name);

/// Throws kIo unless each file is still what was listed: same file, length and times.
void check_unchanged(const ListedFiles& listed, const std::filesystem::path& base);

}  // namespace xorloom
