#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xorloom::cli {

/// "1.02 GB/s", or "12.35 MB/s": powers of 10, as benchmarks have them.
std::string speed_of(double bytes_per_second);

/// Describes a phase of work: "encoding 1.23 of 2.15 GiB, 57 %, 1.02 GB/s, 0:01 left".
///
/// Leaves out what is not known or does not fit.
///
/// Units: `done` and `total` in bytes; `total` 0 or below `done`: not known. `bytes_per_second` 0:
///        not known. KiB to TiB are 2^10 to 2^40 bytes, as bytes_text() has them.
/// Shape: at most `columns` columns; `phase` must be ASCII.
std::string progress_text(std::string_view phase, std::uint64_t done, std::uint64_t total,
                          double bytes_per_second, std::size_t columns);

}  // namespace xorloom::cli
