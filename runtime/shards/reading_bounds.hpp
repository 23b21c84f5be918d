#pragma once

#include <cstdint>
#include <span>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// What looking at shards may take, whoever made them: a small file must not cost its reader much.
/// What exceeds a bound is refused with a sentence that says what it would take, and that
/// --allow-large lifts it.
///
/// Never does a spec in a header open a file, or make its reader find out what its code survives.
struct ReadingBounds {
  std::uint64_t memory_bytes = std::uint64_t{256}
                               << 20;  ///< of a stripe, or for choosing what to read
  /// Operations of a field with tables, about a nanosecond each, for finding out how lost chunks
  /// are rebuilt.
  std::uint64_t operations = 1'000'000'000;
  SpecLimits spec{.opens_files = false,
                  .finds_promises = false,
                  .symbols = std::size_t{1} << 22,
                  .operations = std::uint64_t{1} << 28};
};

/// The bounds of shards that their reader trusts.
ReadingBounds lifted_bounds();

/// Throws kUnsupported if a stripe of blocks of that many bytes exceeds the bound of memory.
void check_stripe(const ReadingBounds& bounds, const Code& code, std::uint64_t block_bytes);

/// Throws kUnsupported if finding out how the wanted ones of lost locations are rebuilt exceeds a
/// bound. No location wanted asks only whether the lost ones can be rebuilt.
void check_recovery(const ReadingBounds& bounds, const Code& code,
                    std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

}  // namespace xorloom
