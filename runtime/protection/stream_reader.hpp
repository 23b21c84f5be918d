#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
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
  UnreadFile(const IoError& error, std::string of)
      : IoError(error.what(), error.code), name(std::move(of)) {}
  std::string name;  ///< from the base directory, as of ProtectedFile
};

/// Throws UnreadFile for a code of errno.
[[noreturn]] void fail_unread_file(const std::string& name, const std::filesystem::path& base,
                                   int code);

/// Reads the stream of protected files from where they belong. Used by one thread.
class StreamReader {
 public:
  /// Shape: the map is of the files, and both outlive this.
  StreamReader(std::filesystem::path base, const std::vector<ProtectedFile>& files,
               const FileMap& map);

  /// Fills a span with what the stream has from a place on, and with zeros where it has nothing.
  ///
  /// Errors: throws UnreadFile if a file cannot be read, kIo if it has another length now.
  void read(std::uint64_t at, std::span<std::uint8_t> bytes);

  /// Fills a span with a range of a file, whose length it has. Errors: as above.
  void read(const PlacedBytes& range, std::span<std::uint8_t> bytes);

 private:
  /// Files that are open at once, the one used last first.
  static constexpr std::size_t kMostOpen = 128;

  const OpenFile& file(std::size_t number);

  std::filesystem::path base_;
  const std::vector<ProtectedFile>& files_;
  const FileMap& map_;
  using Opened = std::list<std::pair<std::size_t, OpenFile>>;
  Opened opened_;
  std::unordered_map<std::size_t, Opened::iterator> opened_by_file_;
};

}  // namespace xorloom
