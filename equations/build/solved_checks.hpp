#pragma once

#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// The parity checks of a code, solved for target cells:
///
///                   sources
///     target 0    | . x x . x |    a row adds up to its target
///     target 1    | x . x x . |
///     free 0      | x x . . x |    a row adds up to zero, and may be added to any other
///
/// So the rows contain every way to compute the targets from the sources.
struct SolvedChecks {
  std::vector<Cell> targets;
  std::vector<Cell> sources;
  Matrix rows;       ///< targets.size() x sources.size()
  Matrix free_rows;  ///< columns: `sources`
};

/// Role of a cell in solved_checks().
enum class CellUse : std::uint8_t { kUnknown, kTarget, kSource };

/// Solves the parity checks for the targets. Cells of kUnknown are eliminated from all rows.
/// nullopt if the sources do not determine the targets.
///
/// Shape: uses has an entry per cell of the code. Targets and sources of the result ascend.
/// Cost:  O(r^2 n) field operations for r redundant of n cells: checks_work.
std::optional<SolvedChecks> solved_checks(const Code& code, const std::vector<CellUse>& uses);

/// Estimate of the field operations of solved_checks().
std::size_t checks_work(const Code& code);

}  // namespace xorloom
