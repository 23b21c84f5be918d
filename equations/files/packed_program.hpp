#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Programs as the store holds them: as numbers of few bytes, and without their places in a stripe,
// so that losses with equal equations share them. docs/store.md defines the bytes.

/// Renumbers a program so that it does not depend on the places of its cells: input i is element i,
/// output o is element inputs.size() + o, both by ascending elements. Temporaries follow in the
/// order of their equations.
///
/// Answer: locations of one row each, without virtual elements.
Program without_places(Program program);

/// Puts a program without places onto the elements of a stripe. Shape: `inputs` and `outputs` have
/// the sizes of the program's, and all are distinct.
Program placed(Program program, std::size_t locations, std::size_t rows,
               const std::vector<Element>& inputs, const std::vector<Element>& outputs);

/// Puts a program without places onto the layout, inputs and outputs of `like`, which may have
/// virtual elements. Shape: both have equally many inputs and outputs.
Program placed_like(Program program, const Program& like);

/// Packs the equations of a program without places, in order; with coefficients unless it is an XOR
/// program.
std::vector<std::uint8_t> packed(const Program& program);

/// Unpacks a program over `field`.
///
/// Errors: throws kDamaged if the bytes are not a program, or one of more than `cells` inputs or
///         outputs, or with a coefficient outside the field. The invariants of the result hold; the
///         outputs that it computes are not checked.
Program unpacked(std::span<const std::uint8_t> bytes, std::uint32_t cells,
                 const Field& field = gf2());

/// Packs ascending elements: their number, then runs of consecutive elements.
std::vector<std::uint8_t> packed_elements(const std::vector<Element>& elements);

/// Unpacks ascending elements. Errors: throws kDamaged if the bytes are not ascending elements
/// below `end`.
std::vector<Element> unpacked_elements(std::span<const std::uint8_t> bytes, Element end);

}  // namespace xorloom
