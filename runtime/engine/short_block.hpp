#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/computation.hpp"

namespace xorloom {

/// The last block of chunks whose symbols lie in planes, if it is shorter than the others. It is
/// computed as a whole block, in memory of its own, with zeros behind its symbols:
///
///     in a chunk   | rest / 2 low bytes | rest / 2 high bytes |
///     here         | rest / 2 low bytes | zeros | rest / 2 high bytes | zeros |
class ShortBlock {
 public:
  /// Allocates a block for each of the `used` locations, unless all blocks of chunks are whole.
  ///
  /// Units:  `block_bytes` is plane_block_bytes() of the code; 0: its symbols lie in no planes.
  /// Errors: throws std::bad_alloc.
  ShortBlock(std::size_t block_bytes, std::size_t chunk_bytes, std::size_t locations,
             std::span<const std::size_t> used);

  /// The bytes of a chunk's whole blocks.
  std::size_t whole_bytes() const noexcept { return whole_bytes_; }

  /// Computes the last block of chunks, if it is short.
  ///
  /// Shape: `used` is that of the constructor; `writes` are some of them.
  void run(const Computation& computation, std::uint8_t* const* chunks,
           std::span<const std::size_t> used, std::span<const std::size_t> writes) noexcept;

 private:
  std::size_t block_bytes_;
  std::size_t whole_bytes_;
  std::size_t rest_bytes_;             ///< bytes of the short block; 0 if there is none
  std::vector<std::uint8_t> memory_;   ///< a block for each used location
  std::vector<std::uint8_t*> blocks_;  ///< by location
};

}  // namespace xorloom
