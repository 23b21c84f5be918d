#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "runtime/files/modified_time.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom {

/// A file in which segments may be found: a protected one under its name, or another.
struct SourceFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  /// It was named to be searched, or is in a directory that was, or is far from protected files: it
  /// stays where it is.
  bool is_given = false;
  std::optional<ModifiedTime> modified{};  ///< nullopt: not known

  bool has_time(const ModifiedTime& time) const {
    return modified && is_same_time(*modified, time);
  }
};

/// Where a segment was found.
struct SegmentPlace {
  static constexpr std::uint32_t kLost = ~std::uint32_t{0};
  std::uint32_t source = kLost;
  std::uint64_t offset = 0;

  bool is_found() const { return source != kLost; }
};

/// Reads sources, each of which is open until another one is read: they may be too many to be open
/// all. Used by one thread.
class SourceReader {
 public:
  /// Shape: the sources outlive this; more may be added to them.
  explicit SourceReader(const std::vector<SourceFile>& sources) : sources_(sources) {}

  /// A source, until the next one is read. It is not open if it cannot be.
  const OpenFile& open(std::uint32_t source);

  /// Fills a span from a place. False unless what is there has the checksum.
  bool read(const SegmentPlace& place, std::span<std::uint8_t> bytes, std::uint64_t strong);

  /// errno, if the last read() failed for a reason that the system has; else 0 or less.
  int error() const { return error_; }

 private:
  const std::vector<SourceFile>& sources_;
  std::uint32_t opened_ = SegmentPlace::kLost;
  OpenFile file_;
  int error_ = 0;
};

}  // namespace xorloom
