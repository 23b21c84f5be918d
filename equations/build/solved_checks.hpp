#pragma once

#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// The parity checks of a code, solved for some cells:
///
///                   sources
///     target 0    | . x x . x |    a row adds up to its target
///     target 1    | x . x x . |
///     free 0      | x x . . x |    a row adds up to zero, and may be added to any other
///
/// So the rows say every way there is to compute the targets from the sources.
struct SolvedChecks {
  std::vector<Cell> targets;
  std::vector<Cell> sources;
  Matrix rows;       ///< targets.size() x sources.size()
  Matrix free_rows;  ///< as wide
};

/// What a cell is to those who solve.
enum class CellUse : std::uint8_t { kUnknown, kTarget, kSource };

/// Solves for the targets; what is unknown is in no row. None if the sources do not determine them.
///
/// Shape: uses has one entry a cell of the code's chunks. Targets and sources come out ascending.
/// Cost:  O(r^2 n) field operations, r redundant cells, n cells: checks_work.
std::optional<SolvedChecks> solved_checks(const Code& code, const std::vector<CellUse>& uses);

/// Field operations that solving takes, about.
std::size_t checks_work(const Code& code);

}  // namespace xorloom
