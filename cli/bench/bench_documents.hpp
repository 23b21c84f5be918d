#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/bench/bench_subject.hpp"
#include "cli/document/document.hpp"

namespace xorloom::cli {

/// A code, and what is measured or explained of it: chunks of each size, and decoding with the first
/// `losses` chunks lost.
struct BenchTask {
  BenchCode of;
  std::vector<std::size_t> chunk_bytes;
  std::vector<std::size_t> losses;
};

/// What was measured of a code, as the results of xorloom-bench have it.
struct BenchResult {
  std::string name;  ///< "cauchy-good 10 + 4, w = 8"
  std::vector<Json> measurements;
  std::vector<Json> by_threads{};  ///< encoding on numbers of threads between one and all
};

/// All that was measured, with charts and the machine. Its data are version 3 of xorloom-bench.
///
/// Shape: at least one code, with at least one measurement.
Document bench_document(const std::vector<BenchResult>& codes, const MeasuredMachine& machine);

/// What would run, and why. Its data are version 1 of xorloom-explanation. Codes are not timed, but
/// if the options ask for an executor, the machine is measured.
Document explanation_document(const std::vector<BenchTask>& tasks, const Options& options,
                              const MeasuredMachine& machine);

}  // namespace xorloom::cli
