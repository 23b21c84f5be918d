#pragma once

#include <string>
#include <string_view>

#include "codes/field/field.hpp"

namespace xorloom {

// Functions of Verilog for the arithmetic of a field. Factors and products are polynomials: bit i
// is the coefficient of x^i. Inside the functions, d is a product before it is reduced.

/// `product`, of two polynomials. In a field whose symbols are coordinates in another basis also
/// `polynomial_of` and `symbol_of`. They use the localparam W of their module.
///
/// What was written is read back and compared with the field (check_field_functions).
std::string write_field_functions(const Field& field);

/// Reads such functions back. A product is linear in both factors, so it is compared for each pair
/// of a bit of one and a bit of the other, and the other functions for each bit.
///
/// Errors: throws kInternal, saying where they differ.
void check_field_functions(const Field& field, std::string_view text);

}  // namespace xorloom
