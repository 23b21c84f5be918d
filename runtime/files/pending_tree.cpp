#include "runtime/files/pending_tree.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/output_file.hpp"
#include "runtime/files/remove_tree.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Makes a directory movable while this exists: moving it changes its entry "..", so everyone but
/// root needs write permission on it.
class Movable {
 public:
  /// The path must outlive this.
  explicit Movable(const fs::path& path) noexcept : path_(&path) {
    struct stat status {};
    if (::geteuid() == 0 || ::lstat(path.c_str(), &status) != 0) return;
    if (!S_ISDIR(status.st_mode) || (status.st_mode & S_IWUSR) != 0) return;
    mode_ = status.st_mode & 07777;
    static_cast<void>(::chmod(path.c_str(), *mode_ | S_IWUSR));
  }
  Movable(const Movable&) = delete;
  Movable& operator=(const Movable&) = delete;
  ~Movable() {
    if (mode_) static_cast<void>(::chmod(path_->c_str(), *mode_));
  }
  void moved_to(const fs::path& path) noexcept { path_ = &path; }

 private:
  const fs::path* path_;
  std::optional<mode_t> mode_;
};

/// Moves a file or a directory to a name that is free. Returns 0 or errno.
int move(const fs::path& from, const fs::path& to) noexcept {
  Movable movable(from);
  const int code = rename_to_free_name(from, to);
  if (code == 0) movable.moved_to(to);
  return code;
}

/// Exchanges two names. Returns 0 or errno.
int exchange(const fs::path& a, const fs::path& b) noexcept {
  Movable at_a(a);
  Movable at_b(b);
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) != 0) return errno;
  at_a.moved_to(b);
  at_b.moved_to(a);
  return 0;
}

/// Puts back what a dead program had taken aside and not replaced, and removes the rest.
void remove_leftover_tree(const fs::path& root) {
  const int descriptor = ::open(root.c_str(), kOpenDirectory);
  if (descriptor < 0) return;
  if (lock_leftover(descriptor, root)) {
    const fs::path old = root / "old";
    bool is_safe = true;
    std::error_code error;
    // A symbolic link there was not made by this program, and what it leads to is not ours to move.
    const bool is_link = fs::is_symlink(fs::symlink_status(old, error));
    std::vector<std::string> names;
    if (!is_link) names = names_in(old, error);
    for (const std::string& name : names) {
      const int code = move(old / name, root.parent_path() / name);
      is_safe = is_safe && (code == 0 || code == EEXIST);
    }
    const bool is_read = !error || error == std::errc::no_such_file_or_directory;
    if (is_safe && is_read) remove_tree(root);
  }
  ::close(descriptor);
}

}  // namespace

PendingTree::PendingTree(const fs::path& directory) {
  std::error_code error;
  destination_ = fs::canonical(directory, error);
  if (error) fail_on_io("write in", directory, error.value());
  for (const fs::path& left : hidden_names_of(destination_ / "tree", kOutputSuffix)) {
    remove_leftover_tree(left);
  }
  const auto uninterrupted = hold_off_abandoning();
  make_root();
  try {
    make_directories(directory);
  } catch (...) {
    clear();
    throw;
  }
}

void PendingTree::make_directories(const fs::path& directory) {
  new_ = root_->name() / "new";
  old_ = root_->name() / "old";
  for (const fs::path* path : {&new_, &old_}) {
    if (::mkdir(path->c_str(), S_IRWXU) != 0) fail_on_io("write in", directory, errno);
  }
}

/// Makes the hidden directory. If it can be locked, others may remove it once the lock ends.
void PendingTree::make_root() {
  std::string_view suffix = kOutputSuffix;
  while (descriptor_ < 0) {
    root_.emplace(hidden_name_beside(destination_ / "tree", suffix), Abandoned::kWithContent);
    const char* const name = root_->name().c_str();
    if (::mkdir(name, S_IRWXU) != 0) {
      const int code = errno;
      root_.reset();
      if (code != EEXIST) fail_on_io("write in", destination_, code);
      continue;
    }
    descriptor_ = ::open(name, kOpenDirectory);
    if (descriptor_ < 0) {
      if (errno == ENOENT) continue;  // another program took it for a leftover
      const int code = errno;
      ::rmdir(name);
      root_.reset();
      fail_on_io("write in", destination_, code);
    }
    if (suffix != kOutputSuffix) return;
    const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    const int code = is_locked ? 0 : errno;
    struct stat made {};
    if (is_locked && ::fstat(descriptor_, &made) == 0 && made.st_nlink != 0) return;
    if (code != 0 && code != EWOULDBLOCK) {  // there are no locks
      ::rmdir(name);
      suffix = kHiddenSuffix;
    }
    root_.reset();
    ::close(std::exchange(descriptor_, -1));
  }
}

PendingTree::~PendingTree() { clear(); }

std::optional<fs::path> PendingTree::clear() noexcept {
  if (!root_) return std::nullopt;
  std::optional<fs::path> left;
  if (has_to_stay_ || !remove_tree(root_->name())) {
    left.emplace();
    try {
      left = root_->name();
    } catch (const std::bad_alloc&) {  // it stays without a word
    }
  }
  root_.reset();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  return left;
}

std::vector<std::string> PendingTree::names() const { return names_in(new_); }

void PendingTree::commit(Existing existing) {
  // All at once: syncing files one by one takes a disk's time for each.
  if (::syncfs(descriptor_) != 0) fail_on_io("write in", destination_, errno);
  std::vector<Placed> all;
  for (const std::string& name : names()) {
    all.push_back({new_ / name, destination_ / name, old_ / name});
  }
  const auto uninterrupted = hold_off_abandoning();
  std::size_t placed = 0;
  try {
    for (; placed < all.size(); ++placed) all[placed].how = place(all[placed], existing);
    if (const int code = sync_directory(destination_); code != 0) {
      fail_on_io("write in", destination_, code);
    }
  } catch (...) {
    while (placed != 0) take_back(all[--placed]);
    throw;
  }
}

PendingTree::Placing PendingTree::place(const Placed& placed, Existing existing) {
  const auto& [from, to, aside, how] = placed;
  int code = move(from, to);
  if (code == 0) return Placing::kFree;
  if (code != EEXIST) fail_on_io("write", to, code);
  if (existing == Existing::kRefuse) {
    fail(Status::kIo, fmt::format("cannot write {}: another file of that name has appeared in the "
                                  "meantime",
                                  to.string()));
  }
  code = exchange(from, to);
  if (code == 0) return Placing::kExchanged;
  if (code != EINVAL && code != ENOSYS) fail_on_io("replace", to, code);
  code = move(to, aside);
  if (code != 0) fail_on_io("replace", to, code);
  code = move(from, to);
  if (code == 0) return Placing::kAside;
  put_back(placed);
  fail_on_io("write", to, code);
}

/// Gives the old content, which was moved aside, its name again.
void PendingTree::put_back(const Placed& placed) noexcept {
  if (move(placed.aside, placed.to) != 0) has_to_stay_ = true;
}

void PendingTree::take_back(const Placed& placed) noexcept {
  if (placed.how == Placing::kExchanged) {
    static_cast<void>(exchange(placed.from, placed.to));
    return;
  }
  const bool is_free = move(placed.to, placed.from) == 0;
  if (placed.how == Placing::kAside && is_free) put_back(placed);
}

}  // namespace xorloom
