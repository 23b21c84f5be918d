#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Throws Error. The sentence gives the value and the bound: "k + m = 300 exceeds 2^w = 256".
[[noreturn]] void fail(Status kind, const std::string& sentence);

/// Throws Error with a sentence that is formatted from values.
template <typename... Values>
[[noreturn]] void fail(Status kind, fmt::format_string<Values...> sentence, Values&&... values) {
  fail(kind, fmt::format(sentence, std::forward<Values>(values)...));
}

/// Text from outside without what would move a terminal's cursor.
std::string printable(std::string text);

/// What a sentence quotes of a text that a user or a file gave: it is printable, and of a longer
/// one it is the beginning and how long it is, "AAAA… (1000000 bytes)".
///
/// Units: most in bytes, without what is added.
std::string excerpt(std::string_view text, std::size_t most = 200);

}  // namespace xorloom
