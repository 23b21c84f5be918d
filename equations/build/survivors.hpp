#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

/// The recovery map of the wanted locations (all lost ones if none is named) whose direct
/// equations, or those of some rows, have the fewest XORs.
///
/// All data left are known; the choice is which redundant locations stand in for the lost data,
/// where more survive than it takes. They are at most as many as decoding_map takes. If such sets
/// are at most kMaxSurvivorChoices, all are tried. Else, beginning with that of decoding_map, one
/// location is exchanged for another as long as that saves XORs, until that many sets were tried.
/// For a large code the number is smaller, so that the choice takes about a second at most.
///
/// So there are never more XORs than decoding_map has, and if the code is MDS no more inputs. Where
/// nothing is saved, the map is that of decoding_map.
///
/// Errors: as decoding_map; throws kInvalidArgument for a row out of range or named twice.
LinearMap choose_survivors(const Code& code, std::span<const std::size_t> lost,
                           std::span<const std::size_t> wanted = {},
                           std::span<const std::size_t> rows = {});

/// The maps of that many of the choices above, fewest XORs first, for callers that count XORs
/// otherwise.
/// Answer: at least that of choose_survivors.
std::vector<LinearMap> best_survivors(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> rows, std::size_t most);

inline constexpr std::size_t kMaxSurvivorChoices = 1000;

}  // namespace xorloom
