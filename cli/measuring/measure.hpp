#pragma once

#include <cstddef>
#include <vector>

#include "cli/measuring/bench_fixture.hpp"
#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Seconds, GB/s of data, and GB/s of the whole stripe, which ISA-L's tool counts.
Json speed_json(const Code& code, std::size_t chunk_bytes, double seconds);

struct MeasureOptions {
  std::size_t threads = 1;
  std::vector<std::vector<std::size_t>> losses;  ///< lost locations of each decoding, ascending
  const char* level = "";                        ///< name of the memory level
  bool small = false;  ///< the stripe fits L1 or L2: single calls are timed, too
  bool cached = true;  ///< the stripe fits a cache; caches are warmed before each turn
};

/// Verifies and times encoding and the decoding of each loss. Every byte is compared before and
/// after. In a round memcpy, plain XOR and ours take turns on the same buffers, so that ratios of
/// medians compare the same state of the machine.
///
/// Returns a record of the results of xorloom-bench (docs/benchmarks.md), encoding first. Its curve
/// of single calls has, for each of latency_shares(), the seconds that this share of calls does not
/// exceed.
///
/// Shape:  `codec` is of `code`, and runs on `options.threads` threads.
/// Errors: throws kInternal if a byte differs.
Json measure(const Code& code, const Codec& codec, BenchFixture& fixture,
             const MeasureOptions& options);

}  // namespace xorloom::cli
