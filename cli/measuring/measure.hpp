#pragma once

#include <cstddef>
#include <vector>

#include "cli/measuring/bench_fixture.hpp"
#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Seconds, and speed in both units: data bytes, and all bytes of the stripe as ISA-L's tool counts.
Json speed_json(const Code& code, std::size_t chunk_bytes, double seconds);

struct MeasureOptions {
  std::size_t threads = 1;
  std::vector<std::vector<std::size_t>> losses;  ///< a decoding of each, ascending
  const char* level = "";                        ///< of memory: what it is called
  bool small = false;  ///< stripes stay in a core's own caches: latencies, too
  bool cached = true;  ///< they stay in some cache, which is warmed before each turn
};

/// Runs everything once and compares every byte, then times it in rounds, and compares again. In a
/// round memcpy, plain XOR and ours come one after the other on the same buffers, so
/// that a ratio of two medians compares what the machine did at the same time.
///
/// What was measured is a record of the results of xorloom-bench (docs/benchmarks.md), and the curve
/// of single calls: seconds that each of latency_shares() take at most. Encoding comes first.
///
/// Shape:  the codec is one of the code, and runs on `options.threads` threads.
/// Errors: throws kInternal if a byte differs.
Json measure(const Code& code, const Codec& codec, BenchFixture& fixture,
             const MeasureOptions& options);

}  // namespace xorloom::cli
