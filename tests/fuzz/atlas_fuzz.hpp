#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xorloom::test {

/// Gives the bytes of an atlas the checksums that they need, as far as its records can be told:
/// inputs whose checksums are left to chance go nowhere.
void mend_atlas(std::span<std::uint8_t> file);

/// Reads an input, and throws std::logic_error if the result contradicts itself. An input is one
/// byte and an atlas, whose checksums are mended first if the byte is odd.
void fuzz_atlas(std::span<const std::uint8_t> input);

/// Whole inputs to begin with.
std::vector<std::vector<std::uint8_t>> atlas_seeds();

}  // namespace xorloom::test
