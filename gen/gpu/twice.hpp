#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codes/field/field.hpp"

namespace xorloom {

/// The function xl_twice, which doubles every symbol of a vector. It is read back and compared with
/// the field.
///
/// Shape:  symbols have 4, 8, 16 or 32 bits and no other basis than the powers of x.
/// Errors: throws kInternal if the text does not double.
std::string define_twice(const Field& field, std::size_t vector_bytes);

/// Runs the text of xl_twice on a symbol with one bit, for each bit of a vector, and compares it
/// with the field. That is enough, since shifts and products with one bit of each symbol are
/// linear.
///
/// Errors: throws kInternal if they differ, or the text has another form.
void check_twice(const Field& field, std::size_t vector_bytes, std::string_view text);

}  // namespace xorloom
