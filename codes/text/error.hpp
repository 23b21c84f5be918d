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

/// Text from outside, with control characters replaced by ?, so that it cannot control a terminal.
std::string printable(std::string text);

/// Quotes a text of a user or a file in a message: printable, and if it is too long, its beginning
/// and its length, "AAAA… (1000000 bytes)".
///
/// Units: `most` in bytes of the quoted text.
std::string excerpt(std::string_view text, std::size_t most = 200);

}  // namespace xorloom
