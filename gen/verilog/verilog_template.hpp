#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
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

/// A number of that many bits: "3'd5".
std::string verilog_number(std::size_t bits, std::size_t value);

/// Numbers in their order, runs of them written short: "0-3,5" with a comma between them.
std::string runs_text(std::span<const std::uint32_t> numbers, std::string_view between);

/// Wires of a testbench, of which the third is the random number that follows `random`.
std::string xorshift_wires(std::string_view one, std::string_view two, std::string_view three);

/// Symbols of w bits side by side as a hexadecimal number, the first in its lowest bits.
std::string hexadecimal(const std::vector<Field::Symbol>& symbols, std::size_t w);

}  // namespace xorloom
