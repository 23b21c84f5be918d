#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/protection/protected_files.hpp"

namespace xorloom {

/// Reads the stream of protected files from where they belong. Used by one thread.
class StreamReader {
 public:
  /// Shape: the map is of the files, and both outlive this.
  StreamReader(std::filesystem::path base, const std::vector<ProtectedFile>& files,
               const FileMap& map);

  /// Fills a span with what the stream has from a place on, and with zeros where it has nothing.
  ///
  /// Errors: throws kIo if a file cannot be read or has another length now.
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
