#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Cells computed from other cells: output i is the sum over j of coefficients(i, j) · input j.
///
/// Shape: coefficients is outputs.size() x inputs.size(); cells ascend unless said otherwise.
struct LinearMap {
  std::vector<Cell> inputs;
  std::vector<Cell> outputs;
  Matrix coefficients;
};

/// Returns `map` without the inputs that no output needs; the inputs then ascend.
LinearMap without_unused(LinearMap map);

/// All redundant cells from all data cells (in the order of the user's bytes).
LinearMap encoding_map(const Code& code);

/// Returns the map from cells of surviving locations to the cells of the wanted locations; nullopt
/// if the survivors do not suffice. Inputs are only cells with a non-zero coefficient.
///
/// Redundant locations are taken in ascending order until the wanted cells are determined. So for
/// an MDS code the map is the usual one, by the inverse of the first surviving rows.
///
/// Errors: throws kInvalidArgument for a location out of range, named twice, or wanted but not
///         lost.
/// Cost:   O(u^2 (u + n) + o·u·d) field operations, u lost data cells, o wanted cells, d data
///         cells.
std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted);

/// As above, from the surviving data and only the redundancy of the locations `redundant`, taken in
/// their order.
///
/// Errors: as above, and kInvalidArgument for a redundant location out of range, named twice, or
///         lost.
std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> redundant);

/// The surviving locations that hold redundancy, ascending.
///
/// Errors: throws kInvalidArgument for a location out of range or named twice.
std::vector<std::size_t> redundant_survivors(const Code& code, std::span<const std::size_t> lost);

/// True if every lost location can be rebuilt from the others. Precondition: the locations are in
/// range.
bool is_recoverable(const Code& code, std::span<const std::size_t> lost);

/// By location: the indices of its cells in code.data, ascending.
std::vector<std::vector<std::size_t>> columns_by_location(const Code& code);

/// As above, faster for many sets of losses, since only lost data are looked at.
///
/// Shape: columns is columns_by_location(code).
bool is_recoverable(const Code& code, std::span<const std::size_t> lost,
                    const std::vector<std::vector<std::size_t>>& columns);

/// The locations of `cells`, ascending, each once.
std::vector<std::size_t> locations_of(const Code& code, const std::vector<Cell>& cells);

/// By location of a code: true if it is among `locations`. `what` describes them in messages:
/// "lost", "wanted".
///
/// Errors: throws kInvalidArgument for a location out of range or named twice.
std::vector<bool> location_flags(const Code& code, std::span<const std::size_t> locations,
                                 const char* what);

/// As location_flags for wanted locations, which have to be lost. `is_lost` flags `lost`.
///
/// Errors: throws kInvalidArgument as that, and for a wanted location that is not lost.
std::vector<bool> wanted_flags(const Code& code, std::span<const std::size_t> wanted,
                               std::span<const std::size_t> lost, const std::vector<bool>& is_lost);

/// "{0, 3}": a set of locations, for messages.
std::string set_text(std::span<const std::size_t> locations);

/// "the loss of {0, 3} cannot be rebuilt: rs 4+1 has 5 locations and promises to survive any 1
/// loss".
std::string cannot_rebuild_text(const Code& code, std::span<const std::size_t> lost);

}  // namespace xorloom
