#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Words as planes of bits. A work item takes as many vectors of a cell as a symbol has bits, and
// transposes them: plane i then holds bit i of all their symbols, and equations over symbols become
// equations over bits, as on packets.
//
//     vector 0   | a3 a2 a1 a0 | b3 b2 b1 b0 | …      plane 0   | d0 c0 b0 a0 | …
//     vector 1   | …                                  plane 1   | d1 c1 b1 a1 | …
//
// (w = 4.) In which order the symbols of a plane stand does not matter. The vectors of an item lie
// apart, so that items that run together read memory that lies together:
//
//     item       0    1    …   31     0    1    …   31
//              | v0 | v0 | … | v0 | | v1 | v1 | … | v1 | …      31 = team - 1

inline constexpr std::size_t kPlaneTeam = 32;

/// The program over bits: element e·w + i is bit i of symbol e, for cells, virtual elements and
/// temporaries alike. It is proved to compute the same.
Program bits_of(const Program& symbols);

/// XL_GET_PLANES and XL_PUT_PLANES for a code.
std::string define_planes(const Code& code, std::size_t vector_bytes);

/// The first lines of a kernel that uses them.
std::string place_of_planes(const Code& code, std::size_t vector_bytes);

/// Instructions that transpose a cell, and get or put it.
std::size_t plane_instructions(std::size_t w, std::size_t vector_bytes);

}  // namespace xorloom
