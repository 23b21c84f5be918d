#pragma once

#include <cstddef>
#include <optional>

#include "equations/ir/program.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Data and redundant elements of a coprocessor that is drawn.
inline constexpr std::size_t kMostDrawnMultipliers = 16;

/// A coprocessor that computes m elements from k: a multiplier for each pair of them, with its
/// factor out of the matrix memory, and an XOR adder for each row.
///
/// Result: none for more elements than the bound says.
/// Source: figure 4 of the paper that the worked example is from.
std::optional<Picture> draw_coprocessor(std::size_t k, std::size_t m);

/// Inputs and equations of engines that are drawn.
inline constexpr std::size_t kMostDrawnEngines = 128;

/// XOR engines through which the inputs of a program stream: a row for each equation, with a dot
/// for each input that its engine adds up. Right of the engines are the values that equations
/// share, with a dot for each XOR gate.
///
/// Result: none for more inputs or equations than the bound says.
/// Source: section 3.2 of the same paper.
std::optional<Picture> draw_xor_engines(const Program& program);

}  // namespace xorloom
