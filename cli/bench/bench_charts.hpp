#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/bench_documents.hpp"
#include "cli/shell/short_number.hpp"
#include "gen/pictures/drawing.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

// What was measured of codes, as charts for a page: speed by the size of chunks, single calls, and
// speed by threads. If both layouts were measured, charts show staggered chunks.

/// Of a limit that is one: a speed that exceeds it by more says that the limit was disturbed.
inline constexpr double kMostShare = 1.25;

/// Encoding, or the decoding of most losses.
enum class Coding { kEncoding, kDecoding };

/// The operation of a measurement; null if no decoding was measured.
const Json* operation_of(const Json& measurement, Coding coding);

/// "encoding" or "decoding 4 lost".
std::string coding_text(const Json& measurement, Coding coding);

/// The layout that is shown of what was measured.
std::string shown_layout(const BenchResult& code);

/// Measurements of the shown layout on `threads` threads, by size.
std::vector<const Json*> shown(const BenchResult& code, std::size_t threads);

/// The numbers of threads that were measured, ascending.
std::vector<std::size_t> threads_measured(const std::vector<BenchResult>& codes);

/// "1 thread".
std::string threads_text(std::size_t threads);

/// "32 KiB"; "1920 bytes" if `bytes` is no whole number of KiB.
std::string size_text(std::size_t bytes);

/// The legend of all charts of speeds by size. Empty if they are bars, which have their own.
std::vector<LegendEntry> speeds_legend(const std::vector<BenchResult>& codes);

/// GB/s by the bytes of a chunk under the limits, with the levels of memory named: lines, or bars if
/// there are fewer than three sizes. Codes that read and write as many chunks have one limit.
std::optional<Picture> speeds_chart(const std::vector<BenchResult>& codes, Coding coding,
                                    std::size_t threads, const CacheSizes& caches);

/// Which share of single calls takes how long, with most room for the slowest. Of one code
/// decoding, too.
std::optional<Picture> latency_chart(const std::vector<BenchResult>& codes);

/// GB/s by threads, if it was measured on more than two numbers of them.
std::optional<Picture> threads_chart(const std::vector<BenchResult>& codes);

}  // namespace xorloom::cli
