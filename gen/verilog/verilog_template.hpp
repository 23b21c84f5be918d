#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// A text with what stands for each @name@ in it.
///
/// Errors: throws kInternal for a name without a value.
std::string filled(std::string_view text,
                   std::initializer_list<std::pair<std::string_view, std::string>> values);

/// Bits of a number below a bound, at least 1.
std::size_t bits_below(std::size_t bound);

/// Symbols of w bits side by side as a hexadecimal number, the first in its lowest bits.
std::string hexadecimal(const std::vector<Field::Symbol>& symbols, std::size_t w);

}  // namespace xorloom
