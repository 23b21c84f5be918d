#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// Some columns of a stripe as they lie in the memory of a lane: the part of each chunk of a kernel
/// that the columns are in, one chunk after the other.
///
///     | chunks only read | read and written | only written |
///     |<------- copied to the device ------>|
///                        |<- copied back from the device ->|
///
/// On packets a part is whole super-blocks, as in the chunk. On words it is the columns of each
/// sub-chunk, `pitch` bytes apart.
struct Slice {
  std::size_t begin;    ///< of the columns
  std::size_t end;      ///< of the columns
  std::size_t columns;  ///< that the kernel computes
  std::size_t pitch;
  std::vector<std::uint64_t> places;  ///< by chunk of the kernel, where its part begins
  std::size_t bytes;                  ///< of all parts
  std::size_t in_bytes;               ///< that the chunks that are read take, from 0 on
  std::size_t out_begin;              ///< from there on lie those that are written
};

/// Bytes that lie in a chunk of the host, and in a lane.
struct SliceCopy {
  std::uint8_t* host;
  std::size_t place;
  std::size_t bytes;
};

/// How the chunks of a kernel are cut into slices.
class SliceLayout {
 public:
  /// Shape: the text is that of the program.
  SliceLayout(const Code& code, const Program& program, const KernelText& text);

  /// Slices begin at a multiple of this: a super-block, or a line of words.
  std::size_t multiple() const { return multiple_; }

  /// About the bytes of a slice for each of its columns.
  std::size_t bytes_per_column() const { return uses_.size() * rows_; }

  Slice slice(std::size_t begin, std::size_t end) const;

  /// What of a stripe is read, and exactly what is written, of a slice.
  std::vector<SliceCopy> reads(const Slice& slice, std::uint8_t* const* chunks,
                               std::size_t chunk_bytes) const {
    return copies(slice, chunks, chunk_bytes, &Use::reads);
  }
  std::vector<SliceCopy> writes(const Slice& slice, std::uint8_t* const* chunks,
                                std::size_t chunk_bytes) const {
    return copies(slice, chunks, chunk_bytes, &Use::writes);
  }

 private:
  /// What is read and written of a chunk: rows of packets, or sub-chunks, ascending.
  struct Use {
    std::size_t location;
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
  };

  using Rows = std::vector<std::size_t>;
  std::vector<SliceCopy> copies(const Slice& slice, std::uint8_t* const* chunks,
                                std::size_t chunk_bytes, Rows Use::*rows) const;

  bool is_packets_;
  std::size_t rows_;  ///< or sub-chunks
  std::size_t packet_bytes_;
  std::size_t multiple_;
  std::vector<Use> uses_;             ///< by chunk of the kernel
  std::vector<std::size_t> rank_of_;  ///< by chunk of the kernel, its place in a slice
  std::size_t num_read_ = 0;
  std::size_t first_written_ = 0;  ///< by rank
};

}  // namespace xorloom
