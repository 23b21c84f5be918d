#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Direct equations: each output over the inputs alone, no temporaries. Where rows may be given, the
// outputs are the elements of those rows, and what no equation then reads is no input; none given
// are all of them. What a person asks for is a Request: equations/request/request.hpp.

/// XORs of the direct equations of a map.
///
/// Errors: throws kInvalidArgument for a row out of range or named twice.
std::size_t direct_xors(const Code& code, const LinearMap& map,
                        std::span<const std::size_t> rows = {});

/// Each output of a map over its inputs: one equation per output element, whose operands are the
/// ones of its row of the bitmatrix.
///
/// Errors: as direct_xors; throws kUnsupported if that takes more than kMaxDirectXors.
Program direct_program(const Code& code, const LinearMap& map,
                       std::span<const std::size_t> rows = {});

/// The same over the code's symbols: one equation per output cell, with coefficients. Rows are
/// sub-chunks. It has no bound.
///
/// Errors: throws kInvalidArgument for a row out of range or named twice.
Program direct_symbols(const Code& code, const LinearMap& map,
                       std::span<const std::size_t> rows = {});

/// A program over the symbols of a code with the inputs and outputs of a map, and no equations yet.
Program program_over_symbols(const Code& code, const LinearMap& map);

/// The rows of a bare 0/1 matrix. Its columns are elements 0 … c-1, locations of one row. Its rows
/// are the elements after them.
///
/// Errors: throws kUnsupported as above.
Program direct_program(const BitMatrix& matrix);

/// The outputs of a program over its inputs alone, over any field.
Program written_out(const Program& program);

/// All redundant elements from the data elements, or those of some rows.
Program direct_encoding(const Code& code, std::span<const std::size_t> rows = {},
                        Over over = Over::kBits);

/// The elements of the wanted locations (all lost ones if none is named) from what survives; see
/// best_survivors for what that is. Over symbols it is what decoding_map reads.
///
/// Errors: throws kInvalidArgument for bad locations, kDamaged if the wanted cannot be rebuilt.
Program direct_decoding(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted = {},
                        std::span<const std::size_t> rows = {}, Over over = Over::kBits);

/// What a change of the data of some locations does to the redundant elements, those of data
/// locations with redundancy of their own among them.
///
///   inputs    the differences of the data elements of the locations, then the old values of the
///             redundant elements that change
///   outputs   these, updated: each its old value XOR the differences it depends on
///
/// All are virtual elements, numbered in that order, each ascending by its cell.
///
/// Errors: as direct_program; throws kInvalidArgument for a location that holds no data.
Program direct_update(const Code& code, std::span<const std::size_t> updated,
                      std::span<const std::size_t> rows = {}, Over over = Over::kBits);

/// recovery_map of the wanted locations (all lost ones if none is named), which throws kDamaged
/// where that finds none. Redundancy is taken in ascending order: no time goes into a choice.
LinearMap decoding_map(const Code& code, std::span<const std::size_t> lost,
                       std::span<const std::size_t> wanted = {});

/// The recovery maps of the wanted locations (all lost ones if none is named) whose direct
/// equations, or those of some rows, have the fewest XORs: at most `most` of them, the best first.
///
/// All data left are known; the choice is which redundant locations stand in for the lost data,
/// where more survive than it takes. They are at most as many as decoding_map takes. If such sets
/// are at most kMaxSurvivorChoices, all are tried. Else, beginning with that of decoding_map, one
/// location is exchanged for another as long as that saves XORs, until that many sets were tried.
/// For a large code the number is smaller, so that the choice takes about a second at most.
///
/// So the first map never has more XORs than decoding_map, and if the code is MDS no more inputs.
/// Where nothing is saved, it is that of decoding_map.
///
/// Errors: as decoding_map; throws kInvalidArgument for a row out of range or named twice.
std::vector<LinearMap> best_survivors(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> rows, std::size_t most);

inline constexpr std::size_t kMaxSurvivorChoices = 1000;

}  // namespace xorloom
