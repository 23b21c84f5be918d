#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "xorloom/xorloom.hpp"

namespace xorloom::test {

/// A text with the first `from` replaced.
inline std::string change(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  return text.replace(at, from.size(), to);
}

/// The sentence with which a call is refused by an error of that kind; "" if it is not refused.
template <typename Call>
std::string refusal(Status kind, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "";
}

}  // namespace xorloom::test
