#include "runtime/protection/list_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/shards/file_info.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

struct Found {
  ProtectedFile file;
  struct stat status;
};

/// `path` without links and dots, as far as it exists.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(path, error);
  if (error) fail_on_io("read", path, error.value());
  return canonical;
}

/// Gets the status of a path, or of what it leads to if links are followed. Returns 0 or errno.
int status_of(const fs::path& path, bool follows_links, struct stat& status) {
  const int flags = follows_links ? 0 : AT_SYMLINK_NOFOLLOW;
  return ::fstatat(AT_FDCWD, path.c_str(), &status, flags) == 0 ? 0 : errno;
}

/// Sorts, and removes duplicates: one of the named directories may lie in another.
template <typename T>
std::vector<T> each_once(std::vector<T> all) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

[[noreturn]] void fail_unread(const fs::path& path, int code) {
  const bool can_be_left_out = code == EACCES || code == EPERM || code == EIO;
  fail(Status::kIo, fmt::format("cannot read {}: {}{}", path.string(), std::strerror(code),
                                can_be_left_out ? "; option keep_going leaves it out, and option "
                                                  "exclude does for good"
                                                : ""));
}

class Lister {
 public:
  Lister(const fs::path& base, const std::vector<fs::path>& except, const ProtectionScope& scope,
         const MayBeLeftOut& may_be_left_out, bool opens_files, const IsProtected& is_protected,
         const std::map<std::string, int>& unread)
      : given_base_(base),
        base_(resolved(base)),
        excluded_(scope.excluded),
        follows_links_(scope.follows_links),
        may_be_left_out_(may_be_left_out),
        opens_files_(opens_files),
        is_protected_(is_protected),
        known_unread_(unread) {
    for (const fs::path& path : except) {
      if (const auto identity = file_identity(path)) excepted_.insert(*identity);
    }
  }

  void add(const fs::path& path) {
    // Links in the path are resolved, except in its last name.
    const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
    const fs::path parent =
        path.has_filename() ? path.parent_path() : path.parent_path().parent_path();
    const bool is_plain = !name.empty() && name != "." && name != "..";
    const fs::path where =
        is_plain ? resolved(parent.empty() ? "." : parent) / name : resolved(path);
    struct stat status {};
    if (::stat(where.c_str(), &status) != 0) fail_on_io("read", path, errno);
    const fs::path relative = where.lexically_relative(base_);
    if (relative.empty() || *relative.begin() == "..") {
      fail(Status::kInvalidArgument,
           fmt::format(
               "{} is not in {}, which names are relative to; option base says another directory",
               path.string(), given_base_.string()));
    }
    const std::string from_base = relative == "." ? std::string() : relative.string();
    const bool is_link = fs::is_symlink(fs::symlink_status(where));
    if (is_link && !follows_links_) {
      left_out_.push_back(
          {from_base, "it is a symbolic link; option dereference protects what it leads to"});
      return;
    }
    if (S_ISDIR(status.st_mode)) directories_.insert(from_base);
    visit(where, from_base);
  }

  /// Visits the targets of links, once all that has a name of its own is visited.
  void follow_links() {
    std::size_t next = 0;
    while (next < links_.size()) {
      const auto [path, name] = links_[next++];  // a copy: there may be more links on the way
      follow(path, name);
    }
  }

  ListedFiles finish() {
    ListedFiles listed;
    for (auto& [name, found] : found_) {
      listed.files.push_back(std::move(found.file));
      listed.statuses.push_back(found.status);
    }
    listed.left_out = each_once(std::move(left_out_));
    listed.unread = each_once(std::move(unread_));
    listed.kept = std::move(kept_);
    for (const std::string& pattern : excluded_) {
      if (!used_.contains(pattern)) listed.unused.push_back(pattern);
    }
    for (const std::string& name : directories_) {
      if (!is_below_another(name)) listed.directories.push_back(name);
    }
    listed.permissions = permissions_within(permissions_);
    listed.attributes = attributes_above(listed.files);
    listed.follows_links = follows_links_;
    listed.leading_out = std::move(leading_out_);
    return listed;
  }

 private:
  /// The directories of files, and those above up to the base directory, in their present state.
  std::vector<ProtectedDirectory> attributes_above(const std::vector<ProtectedFile>& files) const {
    std::set<std::string> names;
    for (const ProtectedFile& file : files) {
      for (std::size_t end = file.name.rfind('/'); end != std::string::npos && end != 0;
           end = file.name.rfind('/', end - 1)) {
        if (!names.insert(file.name.substr(0, end)).second) break;
      }
    }
    std::vector<ProtectedDirectory> attributes;
    for (const std::string& name : names) {
      struct stat status {};
      if (status_of(base_ / name, follows_links_, status) != 0 || !S_ISDIR(status.st_mode))
        continue;
      attributes.push_back({name, status.st_mode & 0777U, status.st_mtim.tv_sec,
                            static_cast<std::uint32_t>(status.st_mtim.tv_nsec)});
    }
    return attributes;
  }

  bool is_below_another(const std::string& name) const {
    return std::ranges::any_of(directories_,
                               [&](const std::string& other) { return is_below(name, other); });
  }

  void visit(const fs::path& path, const std::string& name) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return leave_out_unread(path, name, errno);
    if (is_unfinished_name(path.filename().string())) return;
    if (follows_links_ && S_ISLNK(status.st_mode)) {
      links_.emplace_back(path, name);
    } else {
      visit_itself(path, name, status);
    }
  }

  /// Visits the target of a link.
  void follow(const fs::path& path, const std::string& name) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      const bool leads_nowhere = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
      if (!leads_nowhere) return leave_out_unread(path, name, errno);
      left_out_.push_back({name, "it is a symbolic link that leads nowhere"});
      return;
    }
    if (const auto known = names_.find({status.st_dev, status.st_ino}); known != names_.end()) {
      if (known->second == name) return;  // it was named twice
      left_out_.push_back({name, "it is a symbolic link to " + protected_as(known->second)});
      return;
    }
    const fs::path target = resolved(path);
    const mode_t before = permissions_;
    const std::size_t files = found_.size();
    for (fs::path above = target.parent_path(); above.has_relative_path();
         above = above.parent_path()) {
      struct stat directory {};
      if (::stat(above.c_str(), &directory) == 0) permissions_ &= permissions_in(directory.st_mode);
    }
    device_ = status.st_dev;
    visit_itself(path, name, status);
    if (found_.size() == files) {
      permissions_ = before;
      return;
    }
    const fs::path relative = target.lexically_relative(base_);
    if (relative.empty() || *relative.begin() == "..") {
      leading_out_.emplace_back(name, target.string());
    }
  }

  /// Visits a path. `status` is that of a link's target if links are followed.
  void visit_itself(const fs::path& path, const std::string& name, const struct stat& status) {
    if (S_ISDIR(status.st_mode)) {
      if (follows_links_ && !is_new_directory(name, status)) return;
      const mode_t before = permissions_;
      permissions_ &= permissions_in(status.st_mode);
      if (!visit_directory(path, name)) permissions_ = before;
      return;
    }
    const FileIdentity identity{status.st_dev, status.st_ino};
    if (excepted_.contains(identity)) return;
    if (!S_ISREG(status.st_mode)) {
      left_out_.push_back(
          {name, S_ISLNK(status.st_mode) ? "it is a symbolic link" : "it is no regular file"});
      return;
    }
    if (looks_like_part(path)) {
      left_out_.push_back({name, "it is a protection file"});
      return;
    }
    if (const auto why = why_no_path(name)) {
      fail(Status::kInvalidArgument,
           fmt::format("'{}' cannot be protected under this name: {}", excerpt(name), *why));
    }
    if (const auto known = known_unread_.find(name); known != known_unread_.end()) {
      return leave_out_unread(path, name, known->second);
    }
    if (opens_files_ && may_be_left_out_ && may_be_left_out_(name)) {
      if (const int code = OpenFile(path).error()) return leave_out_unread(path, name, code);
    }
    if (follows_links_) {
      const auto [known, is_new] = names_.try_emplace(identity, name);
      // Another hard link has a name of its own.
      if (!is_new && device_ && status.st_nlink < 2) {
        left_out_.push_back({name, "it is " + protected_as(known->second)});
        return;
      }
    }
    permissions_ &= status.st_mode;
    found_[name] = {{.name = name,
                     .bytes = static_cast<std::uint64_t>(status.st_size),
                     .permissions = status.st_mode & 0777U,
                     .modified_seconds = status.st_mtim.tv_sec,
                     .modified_nanoseconds = static_cast<std::uint32_t>(status.st_mtim.tv_nsec)},
                    status};
  }

  /// False for a directory that is listed already, or, below the target of a link, is on another
  /// file system.
  bool is_new_directory(const std::string& name, const struct stat& status) {
    if (device_ && *device_ != status.st_dev) {
      left_out_.push_back({name, "it is on another file system than the link above it leads to"});
      return false;
    }
    const auto [known, is_new] = names_.try_emplace({status.st_dev, status.st_ino}, name);
    if (is_new) return true;
    if (known->second == name) return !device_;
    left_out_.push_back({name, "it is " + protected_as(known->second)});
    return false;
  }

  static std::string protected_as(const std::string& name) {
    return fmt::format("{}, which is protected under that name", name.empty() ? "." : name);
  }

  /// Leaves out what cannot be read, or throws. `code`: errno.
  void leave_out_unread(const fs::path& path, const std::string& name, int code) {
    if (!may_be_left_out_) fail_unread(path, code);
    left_out_.push_back({name, fmt::format("it cannot be read: {}", std::strerror(code))});
    unread_.push_back(name);
  }

  /// Visits what is in a directory. False if the directory is left out.
  bool visit_directory(const fs::path& path, const std::string& name) {
    std::error_code error;
    const std::vector<std::string> names = names_in(path, error);
    if (error) {
      leave_out_unread(path, name, error.value());
      return false;
    }
    for (const std::string& below : names) {
      const std::string name_below = name.empty() ? below : name + "/" + below;
      if (!is_to_leave_out(name_below) && is_kept(names, name, below)) {
        left_out_.push_back({name_below, "it has the name of what repair keeps"});
        kept_.push_back(name_below);
        continue;
      }
      if (!is_to_leave_out(name_below)) visit(path / below, name_below);
    }
    return true;
  }

  /// True if `kept` is NAME.damaged, and NAME is in the directory or protected.
  bool is_kept(const std::vector<std::string>& names, const std::string& directory,
               const std::string& kept) const {
    const std::string whole = name_of_kept(kept);
    if (whole.empty()) return false;
    const auto first = std::ranges::lower_bound(names, whole);
    for (auto name = first; name != names.end() && name->starts_with(whole); ++name) {
      if (is_kept_of(kept, *name)) return true;
    }
    return (is_protected_ && is_protected_(directory.empty() ? whole : directory + "/" + whole));
  }

  /// True if a pattern excludes `name`. Also notes which patterns exclude something.
  bool is_to_leave_out(const std::string& name) {
    bool is_out = false;
    for (const std::string& pattern : excluded_) {
      if (!excludes(pattern, name)) continue;
      used_.insert(pattern);
      is_out = true;
    }
    return is_out;
  }

  fs::path given_base_;
  fs::path base_;
  const std::vector<std::string>& excluded_;
  bool follows_links_;
  std::vector<std::pair<fs::path, std::string>> links_;  ///< links to be followed: path and name
  std::map<FileIdentity, std::string> names_;  ///< if links are followed: names of what was visited
  std::optional<dev_t> device_;  ///< once links are followed: the file system of the last target
  std::vector<std::pair<std::string, std::string>> leading_out_;
  std::set<std::string> used_;  ///< patterns in excluded_ that excluded something
  std::set<std::string> directories_;
  std::set<FileIdentity> excepted_;
  std::map<std::string, Found> found_;
  std::vector<LeftOut> left_out_;
  const MayBeLeftOut& may_be_left_out_;
  bool opens_files_;
  const IsProtected& is_protected_;
  const std::map<std::string, int>& known_unread_;
  std::vector<std::string> unread_;
  std::vector<std::string> kept_;
  mode_t permissions_ = kAnyPermissions;
};

}  // namespace

ListedFiles list_files(const std::vector<fs::path>& paths, const fs::path& base,
                       const std::vector<fs::path>& except, const ProtectionScope& scope,
                       const MayBeLeftOut& may_be_left_out, bool opens_files,
                       const IsProtected& is_protected, const std::map<std::string, int>& unread) {
  Lister lister(base, except, scope, may_be_left_out, opens_files, is_protected, unread);
  for (const fs::path& path : paths) lister.add(path);
  lister.follow_links();
  return lister.finish();
}

bool excludes(std::string pattern, const std::string& name) {
  if (pattern.size() > 1 && pattern.ends_with('/')) pattern.pop_back();
  const bool is_whole = pattern.find('/') != std::string::npos;
  const char* const compared = name.c_str() + (is_whole ? 0 : name.rfind('/') + 1);
  return ::fnmatch(pattern.c_str(), compared, is_whole ? FNM_PATHNAME : 0) == 0;
}

bool is_below(const std::string& name, const std::string& directory) {
  return directory.empty() ? !name.empty() : name.starts_with(directory + "/");
}

bool covers(const ProtectionScope& scope, const std::string& name) {
  if (name.empty() || name == ".." || name.starts_with("../")) return false;
  const bool is_inside = std::ranges::any_of(scope.directories, [&](const std::string& directory) {
    return name == directory || is_below(name, directory);
  });
  for (std::size_t end = 0; is_inside && end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    const auto is_out = [&](const std::string& pattern) { return excludes(pattern, part); };
    if (std::ranges::any_of(scope.excluded, is_out)) return false;
  }
  return is_inside;
}

std::string pattern_of(const std::string& name) {
  std::string pattern;
  for (const char letter : name) {
    if (std::string_view("*?[]\\").find(letter) != std::string_view::npos) pattern += '\\';
    pattern += letter;
  }
  return pattern;
}

std::string name_of_kept(const std::string& kept) {
  constexpr std::string_view kEnd = ".damaged";
  const std::size_t at = kept.rfind(kEnd);
  if (at == std::string::npos || at == 0) return {};
  const std::string_view rest = std::string_view(kept).substr(at + kEnd.size());
  const bool is_number = rest.size() > 1 && rest.front() == '-' &&
                         rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return rest.empty() || is_number ? kept.substr(0, at) : std::string();
}

std::string cut_for_end(const std::string& name, std::size_t end_bytes) {
  std::size_t bytes = std::min(name.size(), kMaxFileNameBytes - end_bytes);
  const auto is_inner = [&](std::size_t at) {
    return (static_cast<unsigned char>(name[at]) & 0xc0U) == 0x80;
  };
  const std::size_t most = bytes;
  while (bytes < name.size() && bytes > 0 && most - bytes < 3 && is_inner(bytes)) --bytes;
  return name.substr(0, bytes);
}

bool is_kept_of(const std::string& kept, const std::string& name) {
  const std::string whole = name_of_kept(kept);
  return !whole.empty() && cut_for_end(name, kept.size() - whole.size()) == whole;
}

void leave_out(ListedFiles& listed, const std::vector<LeftOut>& files) {
  listed.left_out.insert(listed.left_out.end(), files.begin(), files.end());
  std::set<std::string> names;
  for (const LeftOut& each : files) names.insert(each.name);
  std::vector<struct stat> statuses;
  std::vector<ProtectedFile> kept;
  for (std::size_t i = 0; i < listed.files.size(); ++i) {
    if (names.contains(listed.files[i].name)) continue;
    kept.push_back(std::move(listed.files[i]));
    statuses.push_back(listed.statuses[i]);
  }
  listed.files = std::move(kept);
  listed.statuses = std::move(statuses);
}

void check_readable(const ListedFiles& listed, const fs::path& base) {
  for (const ProtectedFile& file : listed.files) {
    if (const int code = OpenFile(base / file.name).error()) fail_unread(base / file.name, code);
  }
}

void check_unchanged(const ListedFiles& listed, const fs::path& base) {
  for (std::size_t i = 0; i < listed.files.size(); ++i) {
    const struct stat& before = listed.statuses[i];
    const fs::path path = base / listed.files[i].name;
    struct stat status {};
    if (const int code = status_of(path, listed.follows_links, status); code != 0) {
      fail_on_io("read", path, code);
    }
    const bool is_same_file = status.st_dev == before.st_dev && status.st_ino == before.st_ino;
    if (is_same_file && is_unchanged(before, status)) continue;
    fail(Status::kIo, fmt::format("{} changed while it was read", path.string()));
  }
}

}  // namespace xorloom
