#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Direct equations: each output over the inputs alone, without temporaries. `rows`, if not empty,
// restricts the outputs to the elements of these rows of a location, and the inputs to those that
// the equations then read. Requests of users: equations/request/request.hpp.

/// Number of XORs of the direct equations of a map.
///
/// Errors: throws kInvalidArgument for a row out of range or named twice.
std::size_t direct_xors(const Code& code, const LinearMap& map,
                        std::span<const std::size_t> rows = {});

/// Direct equations of a map: one per output element, with the ones of its row of the bitmatrix as
/// operands.
///
/// Errors: as direct_xors; throws kUnsupported if they take more than kMaxDirectXors.
Program direct_program(const Code& code, const LinearMap& map,
                       std::span<const std::size_t> rows = {});

/// Direct equations of a map over the code's symbols: one per output cell, with coefficients. Rows
/// are sub-chunks. The number of XORs is not bounded.
///
/// Errors: throws kInvalidArgument for a row out of range or named twice.
Program direct_symbols(const Code& code, const LinearMap& map,
                       std::span<const std::size_t> rows = {});

/// A program over the symbols of a code with the inputs and outputs of a map, without equations.
Program program_over_symbols(const Code& code, const LinearMap& map);

/// Direct equations of a bare 0/1 matrix. Its c columns are elements 0 … c-1, its rows the elements
/// after them; each is a location of one row.
///
/// Errors: throws kUnsupported if they take more than kMaxDirectXors.
Program direct_program(const BitMatrix& matrix);

/// The direct equations of a program's outputs, over any field.
Program written_out(const Program& program);

/// Direct equations of all redundant elements (of `rows`) over the data elements.
Program direct_encoding(const Code& code, std::span<const std::size_t> rows = {},
                        Over over = Over::kBits);

/// Direct equations of the elements of the wanted locations (empty: all lost ones) over surviving
/// elements: those of the best map of best_survivors, or over symbols those of decoding_map.
///
/// Errors: throws kInvalidArgument for bad locations, kDamaged if the wanted cannot be rebuilt.
Program direct_decoding(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted = {},
                        std::span<const std::size_t> rows = {}, Over over = Over::kBits);

/// Equations that update the redundant elements after a change of the data of some locations. That
/// includes redundant elements on data locations.
///
///   inputs    the differences of the data elements of `updated`, then the old values of the
///             redundant elements that change
///   outputs   the new values of those redundant elements: each is its old value XOR the
///             differences that it depends on
///
/// All are virtual elements, numbered in that order, each ascending by its cell.
///
/// Errors: as direct_program; throws kInvalidArgument for a location that holds no data.
Program direct_update(const Code& code, std::span<const std::size_t> updated,
                      std::span<const std::size_t> rows = {}, Over over = Over::kBits);

/// recovery_map of the wanted locations (empty: all lost ones); throws kDamaged if there is none.
/// Takes redundant locations in ascending order, without a search for a better choice.
LinearMap decoding_map(const Code& code, std::span<const std::size_t> lost,
                       std::span<const std::size_t> wanted = {});

/// Returns the recovery maps of the wanted locations (empty: all lost ones) whose direct equations
/// (of `rows`) have the fewest XORs: at most `most` maps, the best first.
///
/// All surviving data may be read; the choice is which redundant locations replace the lost data. A
/// set has at most the number of locations that decoding_map takes. Up to kMaxSurvivorChoices sets,
/// all are tried. With more, a local search begins with the set of decoding_map. It exchanges one
/// location for another as long as that saves XORs, until kMaxSurvivorChoices sets were tried. For
/// a large code the limit is lower, so that the choice takes about a second at most.
///
/// So the first map never has more XORs than decoding_map, nor more inputs if the code is MDS. If
/// nothing is saved, it is decoding_map.
///
/// Errors: as decoding_map; throws kInvalidArgument for a row out of range or named twice.
std::vector<LinearMap> best_survivors(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> rows, std::size_t most);

inline constexpr std::size_t kMaxSurvivorChoices = 1000;

}  // namespace xorloom
