#pragma once

#include <string>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Throws Error. The sentence gives the value and the bound: "k + m = 300 exceeds 2^w = 256".
[[noreturn]] void fail(Status kind, const std::string& sentence);

}  // namespace xorloom
