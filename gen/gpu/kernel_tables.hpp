#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "codes/field/field.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

// Products of symbols of 8 bits that are looked up, as the slides on GPUs have them. In the order
// of KernelTables, with a the symbol and b the coefficient:
//
//     full           products                     | at a · 256 + b
//     left-right     left | right                 | left at (a >> 4) · 256 + b,
//                                                 | right at (a & 15) · 256 + b
//     log-exp …      log | exp                    | exp at log a + log b
//     unbranched     log, 2 bytes each | exp      | the same; log 0 is 510, and exp is 0 from
//                                                 | there on
//     nibbles        32 bytes of each coefficient | low half, high half
//
// Source: slides on Reed-Solomon coding for cloud storage on GPUs; what their listings get wrong is
//         said in bench/codes/multiplication.hpp.

/// The bytes of the tables of a policy. Nibbles are those of the coefficients, ascending.
std::vector<std::uint8_t> table_bytes(KernelTables policy, const Field& field,
                                      const std::set<Field::Symbol>& coefficients);

/// xl_symbol_product(tables, a, b) for a policy, and XL_NIBBLES_0x1d for each coefficient where it
/// is nibbles. XL_TABLE stands for the word for memory of tables.
std::string define_symbol_product(KernelTables policy, const Field& field,
                                  const std::set<Field::Symbol>& coefficients);

/// What the function of a policy gives for a symbol and a coefficient, from bytes of tables.
std::uint8_t looked_up(KernelTables policy, const Field& field,
                       const std::vector<std::uint8_t>& tables,
                       const std::set<Field::Symbol>& coefficients, std::uint8_t symbol,
                       Field::Symbol coefficient);

/// Compares every product of a symbol with one of the coefficients with the one made by shift and
/// add. Errors: throws kInternal if they differ.
void check_tables(KernelTables policy, const Field& field, const std::vector<std::uint8_t>& tables,
                  const std::set<Field::Symbol>& coefficients);

}  // namespace xorloom
