#pragma once

#include <cstddef>
#include <string>

namespace xorloom::cli {

inline constexpr double kMicro = 1e6;  ///< microseconds of a second
inline constexpr double kSecondsOfHour = 3600;

/// Three digits, or more before the point, but no more than that many behind it: "78.0", "1.25".
std::string short_number(double value, int most_decimals = 3);

/// All digits: "12".
std::string number(std::size_t value);

/// Two decimals: "1.25".
std::string ratio(double value);

/// Two digits, or more before the point, for what is predicted: "78", "9.2".
std::string rough_number(double value);

}  // namespace xorloom::cli
