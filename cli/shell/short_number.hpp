#pragma once

#include <cstddef>
#include <string>

namespace xorloom::cli {

inline constexpr double kMicro = 1e6;  ///< microseconds per second
inline constexpr double kSecondsOfHour = 3600;

/// Three significant digits, but all before the point and at most `most_decimals` after it: "78.0",
/// "1.25".
std::string short_number(double value, int most_decimals = 3);

std::string number(std::size_t value);

std::string ratio(double value);

/// Bytes stored per byte of data: "1.40"; "1.004" where two decimals would show no redundancy.
std::string stored_text(double bytes);

/// Two significant digits, but all before the point, for predictions: "78", "9.2".
std::string rough_number(double value);

}  // namespace xorloom::cli
