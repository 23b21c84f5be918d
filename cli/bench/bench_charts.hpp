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

// Charts of measured codes for a page: speed by chunk size, single calls, and speed by threads. If
// both layouts were measured, charts show staggered chunks.

/// Largest ratio of speed to limit that is credible; above it, the limit was disturbed.
inline constexpr double kMostShare = 1.25;

/// False if `operation` has no limit, or its ratio of speed to limit exceeds kMostShare.
bool has_limit(const Json& operation);

/// Operations in charts: encoding, or decoding with most losses.
enum class Coding { kEncoding, kDecoding };

/// The operation in a measurement; null if no decoding was measured.
const Json* operation_of(const Json& measurement, Coding coding);

/// "encoding" or "decoding 4 lost".
std::string coding_text(const Json& measurement, Coding coding);

/// The layout that charts show: "staggered" if it was measured, else "aligned".
std::string shown_layout(const BenchResult& code);

/// Measurements with the shown layout on `threads` threads, ascending in size.
std::vector<const Json*> shown(const BenchResult& code, std::size_t threads);

/// The numbers of threads that were measured, ascending.
std::vector<std::size_t> threads_measured(const std::vector<BenchResult>& codes);

/// "1 thread", "2 threads".
std::string threads_text(std::size_t threads);

/// "32 KiB"; "1920 bytes" if `bytes` is no whole number of KiB.
std::string size_text(std::size_t bytes);

/// Common legend of all line charts by size. Empty if the charts are bars, which have their own.
std::vector<LegendEntry> speeds_legend(const std::vector<BenchResult>& codes);

/// Chart of GB/s by chunk bytes, with limits and named levels of memory: lines, or bars for fewer
/// than three sizes. Codes that read and write the same numbers of chunks share a limit. nullopt:
/// nothing was measured.
std::optional<Picture> speeds_chart(const std::vector<BenchResult>& codes, Coding coding,
                                    std::size_t threads, const CacheSizes& caches);

/// Chart of the distribution of single calls, with most room for the slowest. For a single code it
/// shows decoding, too.
std::optional<Picture> latency_chart(const std::vector<BenchResult>& codes);

/// Chart of GB/s by threads; nullopt if fewer than three numbers of threads were measured.
std::optional<Picture> threads_chart(const std::vector<BenchResult>& codes);

}  // namespace xorloom::cli
