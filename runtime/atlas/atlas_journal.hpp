#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "runtime/atlas/atlas_header.hpp"

namespace xorloom {

/// The compiled programs of a pattern: the bytes of its records, in the order of AtlasEntry. All
/// are empty if the lost locations cannot be rebuilt.
struct AtlasPart {
  std::array<std::vector<std::uint8_t>, 4> records;
  bool operator==(const AtlasPart&) const = default;
};

/// A file beside an atlas that keeps the parts that were compiled, so that an interrupted command
/// goes on from there. Parts are only appended; the last one may be cut anywhere, and is compiled
/// again then.
///
///   | magic 8 | bytes 4 | subject | checksum 8 | part | part | …
///   part: | pattern 4 | bytes 4 | four records, each behind its length 4 | checksum 8 |
///
/// Only one process at a time has it open.
class AtlasJournal {
 public:
  /// Opens the journal of an atlas, or begins one, and calls `take` for each part that is there.
  /// Bytes after the last whole part are cut off.
  ///
  /// Errors: throws kInvalidArgument if the file is no journal, or that of another subject, or if
  ///         another process has it open; kIo.
  AtlasJournal(std::filesystem::path path, const AtlasSubject& subject,
               const std::function<void(std::uint64_t pattern, AtlasPart part)>& take);
  AtlasJournal(const AtlasJournal&) = delete;
  AtlasJournal& operator=(const AtlasJournal&) = delete;
  ~AtlasJournal();

  /// Adds a part; several threads may. Errors: throws kIo.
  void add(std::uint64_t pattern, const AtlasPart& part);

  /// Removes the file: its atlas is there, or nothing was compiled.
  void remove() noexcept;

  static std::filesystem::path path_beside(const std::filesystem::path& atlas);

 private:
  bool open();
  std::size_t read(const AtlasSubject& subject,
                   const std::function<void(std::uint64_t, AtlasPart)>& take);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t salt_ = 0;  ///< salts the parts' checksums: checksum of the beginning
  std::mutex mutex_;
};

}  // namespace xorloom
