#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace xorloom {

// Numbers the sets of up to `losses` of n locations: first none lost, then the sets of one
// location, of two and so on. Sets of one size are in lexicographic order: {0,1} comes before
// {0,2}, and {1,2} after both.

/// Number of sets; nullopt if it exceeds `most`.
std::optional<std::uint64_t> number_of_patterns(std::size_t n, std::size_t losses,
                                                std::uint64_t most);

/// Number of a set, from 0. Shape: `lost` is ascending, below n.
std::uint64_t pattern_number(std::size_t n, std::span<const std::size_t> lost);

/// The set of a number. Shape: the number is below number_of_patterns(n, n).
std::vector<std::size_t> pattern_at(std::size_t n, std::uint64_t number);

}  // namespace xorloom
