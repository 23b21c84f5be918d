#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Programs as the store holds them: as numbers of few bytes, and without their places in a stripe,
// so that two losses that take the same equations share them. docs/store.md says how they lie, byte
// by byte.

/// What a program computes, wherever its cells lie: input i is element i, output o element
/// inputs.size() + o, both by ascending elements, and temporaries follow in the order they are
/// computed in.
///
/// Shape: locations of one row each come out, and no virtual elements.
Program without_places(Program program);

/// The same over the elements of a stripe. Shape: as many inputs and outputs, all distinct.
Program placed(Program program, std::size_t locations, std::size_t rows,
               const std::vector<Element>& inputs, const std::vector<Element>& outputs);

/// The same with the places, inputs and outputs of a program that computes as much. It may have
/// virtual elements.
Program placed_like(Program program, const Program& like);

/// Equations of a program without places, in their order; with coefficients unless it is an XOR
/// program.
std::vector<std::uint8_t> packed(const Program& program);

/// The program over a field that some bytes are.
///
/// Errors: throws kDamaged if the bytes are no program, or one of more inputs or outputs than there
///         are cells, or with a coefficient that is not one. Its invariants hold, what it computes
///         is not known.
Program unpacked(std::span<const std::uint8_t> bytes, std::uint32_t cells,
                 const Field& field = gf2());

/// Ascending elements: how many, and then runs of consecutive ones.
std::vector<std::uint8_t> packed_elements(const std::vector<Element>& elements);

/// Errors: throws kDamaged if the bytes are no ascending elements below `end`.
std::vector<Element> unpacked_elements(std::span<const std::uint8_t> bytes, Element end);

}  // namespace xorloom
