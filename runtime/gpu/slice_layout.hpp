#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// Some columns of a stripe in the memory of a lane: of each chunk of a kernel the part that holds
/// the columns, one part after the other.
///
///     | chunks only read | read and written | only written |
///     |<------- copied to the device ------>|
///                        |<- copied back from the device ->|
///
/// On packets a part is whole super-blocks, as in the chunk. On words it is the columns of each
/// sub-chunk, `pitch` bytes apart.
struct Slice {
  std::size_t begin;    ///< first column
  std::size_t end;      ///< end of the columns
  std::size_t columns;  ///< columns that the kernel computes
  std::size_t pitch;
  std::vector<std::uint64_t> places;  ///< by chunk of the kernel: where its part begins
  std::size_t bytes;                  ///< bytes of all parts
  std::size_t in_bytes;               ///< bytes, from 0 on, of the chunks that are read
  std::size_t out_begin;              ///< beginning of the chunks that are written
};

/// Bytes that are copied between a chunk of the host and a lane.
struct SliceCopy {
  std::uint8_t* host;
  std::size_t place;
  std::size_t bytes;
};

/// Layout of slices of the chunks of a kernel.
class SliceLayout {
 public:
  /// Shape: the text is that of the program.
  SliceLayout(const Code& code, const Program& program, const KernelText& text);

  /// Slices begin at a multiple of this: a super-block, or a line of words.
  std::size_t multiple() const { return multiple_; }

  /// Bytes of a slice for each of its columns, approximately.
  std::size_t bytes_per_column() const { return uses_.size() * rows_; }

  Slice slice(std::size_t begin, std::size_t end) const;

  /// The copies of a slice: all that is read, perhaps more; and exactly what is written.
  std::vector<SliceCopy> reads(const Slice& slice, std::uint8_t* const* chunks,
                               std::size_t chunk_bytes) const {
    return copies(slice, chunks, chunk_bytes, &Use::reads);
  }
  std::vector<SliceCopy> writes(const Slice& slice, std::uint8_t* const* chunks,
                                std::size_t chunk_bytes) const {
    return copies(slice, chunks, chunk_bytes, &Use::writes);
  }

 private:
  /// Rows of packets, or sub-chunks, that are read and written of a chunk; ascending.
  struct Use {
    std::size_t location;
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
  };

  using Rows = std::vector<std::size_t>;
  std::vector<SliceCopy> copies(const Slice& slice, std::uint8_t* const* chunks,
                                std::size_t chunk_bytes, Rows Use::*rows) const;

  bool is_packets_;
  std::size_t rows_;  ///< rows, or sub-chunks, of a chunk
  std::size_t packet_bytes_;
  std::size_t multiple_;
  std::vector<Use> uses_;             ///< by chunk of the kernel
  std::vector<std::size_t> rank_of_;  ///< by chunk of the kernel: the place of its part in a slice
  std::size_t num_read_ = 0;
  std::size_t first_written_ = 0;  ///< rank of the first chunk that is written
};

}  // namespace xorloom
