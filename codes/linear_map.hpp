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

/// The same map without the inputs that no output needs, those left ascending.
LinearMap without_unused(const LinearMap& map);

/// All redundant cells from all data cells (in the order of the user's bytes).
LinearMap encoding_map(const Code& code);

/// The map to the cells of the wanted locations from cells of the locations not lost, or none if
/// those do not suffice. Only cells with a non-zero coefficient are among the inputs.
///
/// Redundant locations are taken in ascending order until the wanted cells are determined, so for
/// an MDS code the map is the well-known one: the inverse of the first surviving rows.
///
/// Errors: throws kInvalidArgument for a location out of range, named twice, or wanted but not
///         lost.
/// Cost:   O(u^2 (u + n) + o·u·d) field operations, u lost data cells, o wanted cells, d data
///         cells.
std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted);

/// The same from the data left and only the redundancy of the locations given, taken in their
/// order.
///
/// Errors: as above, and for a redundant location out of range, named twice, or lost.
std::optional<LinearMap> recovery_map(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> redundant);

/// The locations not lost that hold redundancy, ascending.
///
/// Errors: throws kInvalidArgument for a location out of range or named twice.
std::vector<std::size_t> redundant_survivors(const Code& code, std::span<const std::size_t> lost);

/// Whether every lost location can be rebuilt from the others. The locations are in range.
bool is_recoverable(const Code& code, std::span<const std::size_t> lost);

/// By location, the columns of code.data that its cells have, ascending.
std::vector<std::vector<std::size_t>> columns_by_location(const Code& code);

/// The same for one of many sets of losses: the data that are not lost are not looked at.
///
/// Shape: columns is what columns_by_location says of the code.
bool is_recoverable(const Code& code, std::span<const std::size_t> lost,
                    const std::vector<std::vector<std::size_t>>& columns);

/// The locations of some cells, ascending.
std::vector<std::size_t> locations_of(const Code& code, const std::vector<Cell>& cells);

/// For each location of a code whether it is one of those given. `what` says in a sentence what
/// they are: "lost", "wanted".
///
/// Errors: throws kInvalidArgument for a location out of range or named twice.
std::vector<bool> location_flags(const Code& code, std::span<const std::size_t> locations,
                                 const char* what);

/// "{0, 3}": a set of locations for a sentence.
std::string set_text(std::span<const std::size_t> locations);

/// "the loss of {0, 3} cannot be rebuilt: rs 4+1 has 5 locations and promises to survive any 1
/// loss".
std::string cannot_rebuild_text(const Code& code, std::span<const std::size_t> lost);

}  // namespace xorloom
