#include "cli/trees/damaged_members.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/trees/archive_call.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kGivenBytes = std::size_t{256} << 10;

using Reader = std::unique_ptr<archive, decltype(&::archive_read_free)>;

class Comparison {
 public:
  Comparison(const std::vector<TreeRoot>& roots,
             const std::function<std::size_t(std::span<std::uint8_t>)>& read)
      : roots_(roots), read_(read), given_(kGivenBytes) {}

  std::vector<std::string> run() {
    const Reader reader(::archive_read_new(), ::archive_read_free);
    if (!reader) throw std::bad_alloc();
    int code = in_archive([&] {
      const int supported = ::archive_read_support_format_tar(reader.get());
      if (supported < ARCHIVE_WARN) return supported;
      return ::archive_read_open(reader.get(), this, nullptr, give, nullptr);
    });
    while (code >= ARCHIVE_WARN) {
      archive_entry* entry = nullptr;
      code = in_archive([&] { return ::archive_read_next_header(reader.get(), &entry); });
      if (code == ARCHIVE_EOF || code < ARCHIVE_WARN) break;
      if (const auto path = same_file(*entry); path && differs(*reader, *path)) {
        damaged_.push_back(*path);
      }
    }
    return std::move(damaged_);
  }

 private:
  /// Callback of libarchive: gives it the next bytes of the archive.
  static la_ssize_t give(archive* /*reader*/, void* comparison, const void** bytes) {
    auto& self = *static_cast<Comparison*>(comparison);
    try {
      const std::size_t count = self.read_(self.given_);
      *bytes = self.given_.data();
      return static_cast<la_ssize_t>(count);
    } catch (const std::exception&) {  // the rest of the archive tells nothing
      return -1;
    }
  }

  /// The path below the roots of a name in the archive.
  std::optional<std::string> path_of(std::string_view name) const {
    const std::size_t end = std::min(name.find('/'), name.size());
    const auto root = std::ranges::find(roots_, name.substr(0, end), &TreeRoot::name);
    if (root == roots_.end()) return std::nullopt;
    return root->path + std::string(name.substr(end));
  }

  /// The path of the file that an entry was, if that has the entry's size and time.
  std::optional<std::string> same_file(archive_entry& entry) const {
    const char* const name = ::archive_entry_pathname(&entry);
    const bool is_file = name != nullptr && ::archive_entry_filetype(&entry) == AE_IFREG &&
                         ::archive_entry_hardlink(&entry) == nullptr;
    const std::optional<std::string> path = is_file ? path_of(name) : std::nullopt;
    struct stat status {};
    const bool is_root = path && std::string_view(name).find('/') == std::string_view::npos;
    const auto look = is_root ? ::stat : ::lstat;
    if (!path || look(path->c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const bool is_same = status.st_size == ::archive_entry_size(&entry) &&
                         status.st_mtim.tv_sec == ::archive_entry_mtime(&entry) &&
                         status.st_mtim.tv_nsec == ::archive_entry_mtime_nsec(&entry);
    return is_same ? path : std::nullopt;
  }

  /// Whether a file can be read and has other bytes than the current entry.
  bool differs(archive& reader, const std::string& path) {
    const OpenFile file(path);
    for (;;) {
      const void* bytes = nullptr;
      std::size_t count = 0;
      la_int64_t offset = 0;
      const int code =
          in_archive([&] { return ::archive_read_data_block(&reader, &bytes, &count, &offset); });
      if (code == ARCHIVE_EOF || code < ARCHIVE_WARN) return false;
      now_.resize(count);
      if (file.read_at(static_cast<std::uint64_t>(offset), now_) != 0) return false;
      if (!std::equal(now_.begin(), now_.end(), static_cast<const std::uint8_t*>(bytes))) {
        return true;
      }
    }
  }

  const std::vector<TreeRoot>& roots_;
  const std::function<std::size_t(std::span<std::uint8_t>)>& read_;
  std::vector<std::uint8_t> given_;  ///< bytes of the archive that libarchive reads
  std::vector<std::uint8_t> now_;    ///< bytes of the file
  std::vector<std::string> damaged_;
};

}  // namespace

std::vector<std::string> damaged_members(
    const std::vector<TreeRoot>& roots,
    const std::function<std::size_t(std::span<std::uint8_t>)>& read) {
  return Comparison(roots, read).run();
}

}  // namespace xorloom::cli
