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
  /// True if the file was named to be searched, is in a directory that was, or is far from
  /// protected files: it stays where it is.
  bool is_given = false;
  std::optional<ModifiedTime> modified{};  ///< nullopt: not known

  bool has_time(const ModifiedTime& time) const {
    return modified && is_same_time(*modified, time);
  }
};

/// The place at which a segment was found.
struct SegmentPlace {
  static constexpr std::uint32_t kLost = ~std::uint32_t{0};
  std::uint32_t source = kLost;
  std::uint64_t offset = 0;

  bool is_found() const { return source != kLost; }
};

/// Reads sources; keeps only the last one open, as they may be too many. Used by one thread.
class SourceReader {
 public:
  /// Precondition: `sources` outlive this; more may be added to them.
  explicit SourceReader(const std::vector<SourceFile>& sources) : sources_(sources) {}

  /// Opens a source, until the next one is opened. is_open() is false if that fails.
  const OpenFile& open(std::uint32_t source);

  /// Fills a span from a place. True if its checksum is `strong`.
  bool read(const SegmentPlace& place, std::span<std::uint8_t> bytes, std::uint64_t strong);

  /// errno of the last read(), if the system refused it; else 0 or less.
  int error() const { return error_; }

 private:
  const std::vector<SourceFile>& sources_;
  std::uint32_t opened_ = SegmentPlace::kLost;
  OpenFile file_;
  int error_ = 0;
};

}  // namespace xorloom
