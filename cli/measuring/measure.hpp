#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/rounds.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// The fastest plain XOR of as many chunks. Units: seconds of a call, 0 if there is none.
struct PlainXorLimit {
  std::string how;
  double seconds = 0;
};

/// Encoding, or rebuilding that many chunks, the first ones.
struct Operation {
  std::vector<std::size_t> lost;  ///< none: encoding
  std::size_t num_reads;          ///< chunks
  std::size_t num_writes;
  double seconds = 0;
  PlainXorLimit limit;
  Latency latency;  ///< no calls if it was not taken
};

/// What was measured of a code in one place: chunks of one size, laid out one way, on that many
/// threads.
struct Measurement {
  Info info;
  std::size_t threads;
  Layout layout;
  std::size_t chunk_bytes;
  std::size_t data_bytes;    ///< the user's, of one stripe
  std::size_t stripe_bytes;  ///< of all chunks
  std::string verified_by;
  std::size_t rounds;
  double
      processor_share;  ///< time the measuring thread ran / time that went by; others had the rest
  double copy_seconds;  ///< memcpy of the data chunks
  std::vector<Operation> operations;
};

struct MeasureOptions {
  std::size_t threads = 1;
  std::vector<std::vector<std::size_t>> losses;  ///< a decoding of each, ascending
  bool small = false;  ///< stripes stay in a core's own caches: latencies, too
  bool cached = true;  ///< they stay in some cache, which is warmed before each turn
};

/// Runs everything once and compares every byte, then times it in rounds, and compares again. In a
/// round memcpy, plain XOR and ours come one after the other on the same buffers, so
/// that a ratio of two medians compares what the machine did at the same time.
///
/// Shape:  the codec is one of the code, and runs on that many threads.
/// Errors: throws kInternal if a byte differs.
Measurement measure(const Code& code, const Codec& codec, BenchFixture& fixture,
                    const MeasureOptions& options);

}  // namespace xorloom::cli
