#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

/// A file that is protected where it is.
struct ProtectedFile {
  std::string name;  ///< from the base directory, as in "photos/a.jpg"; see why_no_path
  std::uint64_t bytes = 0;
  std::uint32_t permissions = 0;      ///< as chmod takes them, at most 0777
  std::int64_t modified_seconds = 0;  ///< since 1970
  std::uint32_t modified_nanoseconds = 0;

  friend bool operator==(const ProtectedFile&, const ProtectedFile&) = default;
};

inline constexpr std::size_t kMaxPathBytes = 4096;

/// Why a text is no name of a protected file, as a phrase; none if it is one. No name leads out of
/// the base directory.
std::optional<std::string> why_no_path(std::string_view name);

/// A part of one file in one block.
struct Segment {
  std::size_t number;         ///< among all segments
  std::size_t file;           ///< the number of the file
  std::uint64_t file_offset;  ///< where it begins in the file
  std::uint64_t at;           ///< where it begins in the stream
  std::size_t bytes;          ///< 1 to those of a block
};

/// Where files lie in the stream: one behind the other. The stream is cut into blocks, and blocks
/// are cut where a file ends. What results are segments, each with a checksum:
///
///     files      | a           | b | c                     |
///     blocks     |       |       |       |       |       |       |
///     segments   |   0   |  1  |2|3| 4   |   5   |   6   | 7 |
class FileMap {
 public:
  /// Shape: block_bytes is at least 1, and the files together have at most 2^62 bytes.
  FileMap(const std::vector<ProtectedFile>& files, std::uint64_t block_bytes);

  std::uint64_t stream_bytes() const { return begins_.back(); }
  std::size_t num_files() const { return begins_.size() - 1; }
  std::size_t num_segments() const { return first_segments_.back(); }
  std::uint64_t block_bytes() const { return block_bytes_; }

  std::uint64_t begin_of_file(std::size_t file) const { return begins_[file]; }
  std::uint64_t bytes_of_file(std::size_t file) const { return begins_[file + 1] - begins_[file]; }

  /// The segments of a file are those from this one up to the next file's.
  std::size_t first_segment(std::size_t file) const { return first_segments_[file]; }

  /// A segment of a file. Shape: first_segment(file) <= number < first_segment(file + 1).
  Segment segment(std::size_t file, std::size_t number) const;

  /// The file of a byte of the stream. Shape: at < stream_bytes().
  std::size_t file_at(std::uint64_t at) const;

  /// Calls visit(Segment) for the segments between two places of the stream, in their order.
  ///
  /// Shape: begin is a multiple of block_bytes; what lies past the stream has no segments.
  template <typename Visit>
  void visit_segments(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
    end = end < stream_bytes() ? end : stream_bytes();
    if (begin >= end) return;
    std::size_t file = file_at(begin);
    for (std::uint64_t at = begin; at < end;) {
      while (at == begins_[file + 1]) ++file;
      const std::size_t number =
          first_segments_[file] +
          static_cast<std::size_t>(at / block_bytes_ - begins_[file] / block_bytes_);
      const Segment found = segment(file, number);
      visit(found);
      at += found.bytes;
    }
  }

 private:
  std::uint64_t block_bytes_;
  std::vector<std::uint64_t> begins_;        ///< by file, and the end of the stream
  std::vector<std::size_t> first_segments_;  ///< by file, and the number of all
};

}  // namespace xorloom
