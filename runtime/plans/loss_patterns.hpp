#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace xorloom {

// The sets of up to `losses` of n locations, in an order: none lost, then those of one location, of
// two and so on, sets of a size as words are ordered in a dictionary. So {0,1} comes before {0,2},
// and {1,2} after both.

/// How many there are, or none if that exceeds `most`.
std::optional<std::uint64_t> number_of_patterns(std::size_t n, std::size_t losses,
                                                std::uint64_t most);

/// The place of a set, from 0. Shape: ascending, below n.
std::uint64_t pattern_number(std::size_t n, std::span<const std::size_t> lost);

/// The set at a place. Shape: its number is below number_of_patterns(n, n).
std::vector<std::size_t> pattern_at(std::size_t n, std::uint64_t number);

}  // namespace xorloom
