#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

/// Contiguous bytes of the stream.
struct Piece {
  std::uint64_t at = 0;  ///< offset in the stream
  std::uint64_t bytes = 0;

  std::uint64_t end() const { return at + bytes; }
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// A file that is protected where it is.
struct ProtectedFile {
  std::string name;  ///< from the base directory, as in "photos/a.jpg"; see why_no_path
  std::uint64_t bytes = 0;
  std::uint32_t permissions = 0;      ///< as chmod takes them, at most 0777
  std::int64_t modified_seconds = 0;  ///< since 1970
  std::uint32_t modified_nanoseconds = 0;
  std::vector<Piece> pieces = {};  ///< places of its bytes in the stream, in the order of the file

  friend bool operator==(const ProtectedFile&, const ProtectedFile&) = default;
};

/// A directory of protected files, as it was when they were protected.
struct ProtectedDirectory {
  std::string name;               ///< from the base directory, as of ProtectedFile
  std::uint32_t permissions = 0;  ///< as chmod takes them, at most 0777
  std::int64_t modified_seconds = 0;
  std::uint32_t modified_nanoseconds = 0;

  friend bool operator==(const ProtectedDirectory&, const ProtectedDirectory&) = default;
};

/// Lays files out in the stream, each in one piece, one behind the other.
void lay_out(std::vector<ProtectedFile>& files);

inline constexpr std::size_t kMaxPathBytes = 4096;

/// Says in a phrase why `name` cannot name a protected file; nullopt if it can. No name leads out
/// of the base directory.
std::optional<std::string> why_no_path(std::string_view name);

/// Bytes of a file that are contiguous in the stream.
struct PlacedBytes {
  std::size_t file;           ///< the number of the file
  std::uint64_t file_offset;  ///< their offset in the file
  std::uint64_t at;           ///< their offset in the stream
  std::uint64_t bytes;
};

/// A part of one file in one block.
struct Segment {
  std::size_t number;         ///< among all segments
  std::size_t file;           ///< the number of the file
  std::uint64_t file_offset;  ///< its offset in the file
  std::uint64_t at;           ///< its offset in the stream
  std::size_t bytes;          ///< from 1 to the bytes of a block
};

/// Places of files in the stream. The stream is cut into blocks, and blocks are cut where a piece
/// of a file ends. The results are segments, each with a checksum. Their numbers follow the files:
///
///     pieces     | a           | b | c     | a             | c |
///     blocks     |       |       |       |       |       |       |
///     segments   |   0   |  1  |4|5| 6     |   2   |   3   | 7 |
///
/// Bytes of files may be given up, once the files were edited or removed. The redundancy still has
/// these bytes, but no file does.
class FileMap {
 public:
  /// Precondition: block_bytes is at least 1; pieces have no bytes in common; `given_up` ascends;
  /// the stream has at most 2^62 bytes.
  FileMap(const std::vector<ProtectedFile>& files, std::uint64_t block_bytes,
          std::vector<Piece> given_up = {});

  std::uint64_t stream_bytes() const { return stream_bytes_; }
  std::size_t num_files() const { return bytes_.size(); }
  std::size_t num_segments() const { return first_segments_.back(); }
  std::uint64_t block_bytes() const { return block_bytes_; }

  std::uint64_t bytes_of_file(std::size_t file) const { return bytes_[file]; }

  /// The first segment of a file; the others follow, up to the first one of the next file.
  std::size_t first_segment(std::size_t file) const { return first_segments_[file]; }

  /// A segment of a file. Precondition: first_segment(file) <= number < first_segment(file + 1).
  Segment segment(std::size_t file, std::size_t number) const;

  /// True if any bytes `begin` to `end` - 1 of the stream are given up.
  bool is_given_up(std::uint64_t begin, std::uint64_t end) const;

  const std::vector<Piece>& given_up() const { return given_up_; }

  /// Calls visit(PlacedBytes) for the bytes of files from `begin` to `end` of the stream, in its
  /// order.
  template <typename Visit>
  void visit_ranges(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
    visit_runs(begin, end, [&](const Run& run, std::uint64_t from, std::uint64_t to) {
      visit(PlacedBytes{run.file, run.file_offset + (from - run.at), from, to - from});
    });
  }

  /// Calls visit(Segment) for the segments from `begin` to `end` of the stream, in its order.
  ///
  /// Shape: begin is a multiple of block_bytes; there are no segments past the end of the stream.
  template <typename Visit>
  void visit_segments(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
    visit_runs(begin, end, [&](const Run& run, std::uint64_t from, std::uint64_t to) {
      std::size_t number =
          run.first_segment + static_cast<std::size_t>(from / block_bytes_ - run.at / block_bytes_);
      while (from < to) {
        const Segment found = segment_of(run, number++);
        visit(found);
        from += found.bytes;
      }
    });
  }

 private:
  /// A piece of a file, with the number of its first segment.
  struct Run {
    std::uint64_t at;
    std::uint64_t bytes;
    std::size_t file;
    std::uint64_t file_offset;
    std::size_t first_segment;
    std::uint64_t end() const { return at + bytes; }
  };

  /// Calls visit(Run, from, to) for each run with bytes between `begin` and `end`: `from` to `to`.
  template <typename Visit>
  void visit_runs(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
    for (std::size_t i = first_run_behind(begin); i < by_place_.size(); ++i) {
      const Run& run = runs_[by_place_[i]];
      if (run.at >= end) break;
      visit(run, begin < run.at ? run.at : begin, end < run.end() ? end : run.end());
    }
  }

  Segment segment_of(const Run& run, std::size_t number) const;

  /// The first run that ends behind a place, as an index into `by_place_`.
  std::size_t first_run_behind(std::uint64_t at) const;

  std::uint64_t block_bytes_;
  std::uint64_t stream_bytes_ = 0;
  std::vector<std::uint64_t> bytes_;         ///< by file
  std::vector<std::size_t> first_segments_;  ///< by file; last element: number of all segments
  std::vector<std::size_t> first_runs_;      ///< by file; last element: number of all runs
  std::vector<Run> runs_;                    ///< by file, then by offset in the file
  std::vector<std::size_t> by_place_;        ///< indices into `runs_`, by place in the stream
  std::vector<Piece> given_up_;
};

}  // namespace xorloom
