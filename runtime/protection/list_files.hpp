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

/// What is not protected, and why, as a phrase.
struct LeftOut {
  std::string name;  ///< from the base directory, as of ProtectedFile
  std::string why;

  friend auto operator<=>(const LeftOut&, const LeftOut&) = default;
};

/// Files to be protected, as they are now.
struct ListedFiles {
  std::vector<ProtectedFile> files;   ///< by name, ascending
  std::vector<struct stat> statuses;  ///< by file
  /// The directories that were named: see ProtectionScope.
  std::vector<std::string> directories;
  std::vector<ProtectedDirectory> attributes;  ///< of the directories of files: see Manifest
  std::vector<LeftOut> left_out;
  std::vector<std::string> unread;  ///< names among `left_out` of what cannot be read
  std::vector<std::string> kept;    ///< those among `left_out` that repair kept
  std::vector<std::string> unused;  ///< patterns that excluded nothing
  /// What all of them and their directories allow: see permissions_within().
  mode_t permissions = kAnyPermissions;
  bool follows_links = false;  ///< see ProtectionScope
  /// Links that lead out of the base directory, and where to.
  std::vector<std::pair<std::string, std::string>> leading_out;
};

/// True if a file is left out if it cannot be opened. `name`: from the base directory. If there is
/// such a function, directories that cannot be read are left out.
using MayBeLeftOut = std::function<bool(const std::string& name)>;

/// True if a file is protected already. `name`: from the base directory.
using IsProtected = std::function<bool(const std::string& name)>;

inline bool leave_out_any(const std::string& /*name*/) { return true; }

/// The regular files that some paths name, and those below the directories among them. Hidden names
/// of unfinished files of this program, paths that are excepted, and below directories what the
/// scope excludes, are passed over. What is no regular file, a protection file, and below a directory
/// what repair() called NAME.damaged if NAME is beside it or protected, is left out. So is what cannot
/// be read and may be left out: if `opens_files` is true, each file that may be is opened to find out.
/// So are those of `unread`, by their names and errno: they can be opened, and not be read.
///
/// If the scope follows symbolic links, what a link leads to has the link's name. That comes after
/// all that has a name of its own, so that no file or directory is listed a second time by a link,
/// nor by itself below another one: such links are left out. What is below such a directory is
/// listed on its own file system alone.
///
/// Errors: throws kInvalidArgument if a path is not below the base directory;
///         kIo if one does not exist or a directory cannot be read.
ListedFiles list_files(const std::vector<std::filesystem::path>& paths,
                       const std::filesystem::path& base,
                       const std::vector<std::filesystem::path>& except,
                       const ProtectionScope& scope = {}, const MayBeLeftOut& may_be_left_out = {},
                       bool opens_files = true, const IsProtected& is_protected = {},
                       const std::map<std::string, int>& unread = {});

/// Takes files out of those to be protected.
void leave_out(ListedFiles& listed, const std::vector<LeftOut>& files);

/// Throws kIo if a file cannot be opened.
void check_readable(const ListedFiles& listed, const std::filesystem::path& base);

/// Whether a pattern excludes a file or directory by its name from the base directory. Patterns are
/// those of the shell. One with a '/' is compared with the whole name, where '*' stands for no
/// '/'; any other with the last name. A '/' at the end is left out: "sub/" is "sub".
bool excludes(std::string pattern, const std::string& name);

/// True if a name is that of something in a directory or deeper. Both are from the base directory,
/// which is "".
bool is_below(const std::string& name, const std::string& directory);

/// True if a file of this name from the base directory is in a directory that is protected with all
/// that is below, and not excluded.
bool covers(const ProtectionScope& scope, const std::string& name);

/// The pattern that excludes what has this name from the base directory, and little else.
std::string pattern_of(const std::string& name);

/// NAME of NAME.damaged and NAME.damaged-2, as repair calls what it keeps. Empty for other names.
std::string name_of_kept(const std::string& kept);

/// A name without its last bytes, if an end of some bytes would make it too long for a file system.
/// No character of UTF-8 is cut in two.
std::string cut_for_end(const std::string& name, std::size_t end_bytes);

/// True if repair calls a file so that it keeps of the file NAME, whose name may be cut.
bool is_kept_of(const std::string& kept, const std::string& name);

/// Throws kIo unless a file is still what was listed: the same file, length and times.
void check_unchanged(const ListedFiles& listed, const std::filesystem::path& base);

}  // namespace xorloom
