#pragma once

#include <string>

namespace xorloom::cli {

/// Three digits, or more before the point, but no more than that many behind it: "78.0", "1.25".
std::string short_number(double value, int most_decimals = 3);

/// Two digits, or more before the point, for what is predicted: "78", "9.2".
std::string rough_number(double value);

}  // namespace xorloom::cli
