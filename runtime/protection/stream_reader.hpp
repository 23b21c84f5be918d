#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/files/file_error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/protected_files.hpp"

namespace xorloom {

/// A file that is to be protected, and cannot be read.
struct UnreadFile : IoError {
  UnreadFile(const IoError& error, const std::string& name)
      : IoError(error.what(), error.code), files{{name, error.code}} {}
  /// This file, and others that were found on the way: names from the base directory, and errno.
  std::map<std::string, int> files;
};

/// Files that could not be read, noted until all that can be read was.
class UnreadFiles {
 public:
  void note(const UnreadFile& error);
  void note(const std::string& name, const std::filesystem::path& base, int code);
  bool contains(const std::string& name) const { return first_ && first_->files.contains(name); }

  /// Throws UnreadFile if any file was noted.
  void check_none() const {
    if (first_) throw UnreadFile(*first_);
  }

 private:
  std::optional<UnreadFile> first_{};  ///< with the files of all others
};

/// Throws UnreadFile. `code`: errno.
[[noreturn]] void fail_unread_file(const std::string& name, const std::filesystem::path& base,
                                   int code);

/// The time at which UnreadFile is thrown: at once, or in check_read().
enum class UnreadFilesAre { kThrown, kNoted };

/// Reads the stream of protected files from where they belong. Used by one thread.
class StreamReader {
 public:
  /// Shape: `map` is that of `files`; both outlive this. If unread files are noted, their bytes are
  ///        zeros from the first error on.
  StreamReader(std::filesystem::path base, const std::vector<ProtectedFile>& files,
               const FileMap& map, UnreadFilesAre unread_files = UnreadFilesAre::kThrown);

  /// Fills a span with the stream from `at` on; bytes that no file has are zeros.
  ///
  /// Errors: throws UnreadFile if a file cannot be read, kIo if it has another length now.
  void read(std::uint64_t at, std::span<std::uint8_t> bytes);

  /// Fills `bytes` with a range of a file; both have the same length. Errors: as for the function
  /// above.
  void read(const PlacedBytes& range, std::span<std::uint8_t> bytes);

  /// Throws UnreadFile if any file was noted.
  void check_read() const { unread_.check_none(); }

 private:
  /// Most files that are open at once; the list has the one used last in front.
  static constexpr std::size_t kMostOpen = 128;

  const OpenFile& file(std::size_t number);
  void read_or_throw(const PlacedBytes& range, std::span<std::uint8_t> bytes);

  std::filesystem::path base_;
  const std::vector<ProtectedFile>& files_;
  const FileMap& map_;
  UnreadFilesAre unread_files_;
  UnreadFiles unread_{};
  using Opened = std::list<std::pair<std::size_t, OpenFile>>;
  Opened opened_;
  std::unordered_map<std::size_t, Opened::iterator> opened_by_file_;
};

}  // namespace xorloom
