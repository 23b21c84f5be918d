#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xorloom::cli {

/// Describes a phase of work: "encoding 1.23 of 2.15 GB, 57 %, 1.02 GB/s, 0:01 left".
///
/// Leaves out what is not known or does not fit.
///
/// Units: `done` and `total` in bytes; `total` 0 or below `done`: not known. `bytes_per_second` 0:
///        not known. kB, MB, GB and TB are 10^3, 10^6, 10^9 and 10^12 bytes.
/// Shape: at most `columns` columns; `phase` must be ASCII.
std::string progress_text(std::string_view phase, std::uint64_t done, std::uint64_t total,
                          double bytes_per_second, std::size_t columns);

}  // namespace xorloom::cli
