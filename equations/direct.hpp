#pragma once

#include <cstddef>
#include <span>

#include "codes/bitmatrix.hpp"
#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/program.hpp"

namespace xorloom {

/// Each output of a map over its inputs alone, no temporaries: one equation an output element, its
/// operands the ones of its row of the bitmatrix.
///
/// Errors: throws kUnsupported if that takes more than kMaxDirectXors.
Program direct_program(const Code& code, const LinearMap& map);

/// The rows of a bare 0/1 matrix: its columns are elements 0 … c-1, locations of one row, its rows
/// the elements after them.
///
/// Errors: as above.
Program direct_program(const BitMatrix& matrix);

/// All redundant elements from the data elements.
Program direct_encoding(const Code& code);

/// The elements of the wanted locations (all lost ones if none is named) from what survives; see
/// recovery_map for which survivors are read. Inputs no equation reads are left out.
///
/// Errors: throws kInvalidArgument for bad locations, kDamaged if the wanted cannot be rebuilt.
Program direct_decoding(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted = {});

/// recovery_map of the wanted locations (all lost ones if none is named), which throws kDamaged
/// where that finds none.
LinearMap decoding_map(const Code& code, std::span<const std::size_t> lost,
                       std::span<const std::size_t> wanted = {});

}  // namespace xorloom
