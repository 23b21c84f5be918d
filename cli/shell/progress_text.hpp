#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xorloom::cli {

/// A phase of work in a line: "encoding 1.23 of 2.15 GB, 57 %, 1.02 GB/s, 0:01 left".
///
/// What is not known or does not fit is left out.
///
/// Units: done and total in bytes, total 0 if it is not known (or less than done); bytes_per_second
///        0 if that is not known. kB, MB, GB and TB are 10^3, 10^6, 10^9 and 10^12 bytes.
/// Shape: at most that many columns; a phase is taken to be ASCII.
std::string progress_text(std::string_view phase, std::uint64_t done, std::uint64_t total,
                          double bytes_per_second, std::size_t columns);

}  // namespace xorloom::cli
