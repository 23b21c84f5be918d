#pragma once

#include <string>
#include <vector>

#include "cli/bench/bench_subject.hpp"
#include "cli/document/document.hpp"
#include "cli/measuring/measure.hpp"

namespace xorloom::cli {

/// Encoding on some threads. Units: seconds of a call.
struct ThreadSpeed {
  Layout layout;
  const char* level;
  std::size_t chunk_bytes;
  std::size_t data_bytes;
  std::size_t threads;
  double seconds;
};

/// What was measured of a code.
struct BenchResult {
  std::string name;  ///< "cauchy-good 10 + 4, w = 8"
  std::vector<Measurement> measurements;
  std::vector<ThreadSpeed> by_threads{};  ///< on numbers of threads between one and all
};

/// All that was measured, with charts and the machine. Its data are version 3 of xorloom-bench.
///
/// Shape: at least one code, with at least one measurement.
Document bench_document(const std::vector<BenchResult>& codes, const MeasuredMachine& machine);

}  // namespace xorloom::cli
