#pragma once

#include <cstdint>
#include <span>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Resources that reading shards may take, whoever made them: a small file must not cost its reader
/// much. What exceeds a bound is refused; the message says what it would take, and that
/// --allow-large lifts the bound.
///
/// A spec in a header never opens a file, nor makes its reader find out what its code survives.
struct ReadingBounds {
  std::uint64_t memory_bytes = std::uint64_t{256}
                               << 20;  ///< for a stripe, or for choosing what to read
  /// Field operations by table lookup, about 1 ns each, for finding out how lost chunks are
  /// rebuilt.
  std::uint64_t operations = 1'000'000'000;
  SpecLimits spec{.opens_files = false,
                  .finds_promises = false,
                  .symbols = std::size_t{1} << 22,
                  .operations = std::uint64_t{1} << 28};
};

/// The bounds for shards that their reader trusts.
ReadingBounds lifted_bounds();

/// Throws kUnsupported if a stripe with blocks of `block_bytes` bytes exceeds the bound of memory.
void check_stripe(const ReadingBounds& bounds, const Code& code, std::uint64_t block_bytes);

/// Throws kUnsupported if finding out how to rebuild `wanted` when `lost` are lost exceeds a bound.
/// If `wanted` is empty, only whether `lost` can be rebuilt is to be found out.
void check_recovery(const ReadingBounds& bounds, const Code& code,
                    std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

}  // namespace xorloom
