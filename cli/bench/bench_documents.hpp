#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/bench/bench_subject.hpp"
#include "cli/document/document.hpp"

namespace xorloom::cli {

/// A code to measure or explain: with each chunk size, and for decoding with the first n chunks
/// lost, for each n of `losses`.
struct BenchTask {
  BenchCode of;
  std::vector<std::size_t> chunk_bytes;
  std::vector<std::size_t> losses;
};

/// Measurements of a code, as "results" of xorloom-bench.
struct BenchResult {
  std::string name;  ///< "cauchy-good 10 + 4, w = 8"
  std::string spec;  ///< whole, or the path of a code file
  std::vector<Json> measurements;
  std::vector<Json> by_threads{};  ///< encoding on numbers of threads between one and all
};

/// Document of all measurements, with charts and the machine; JSON is version 3 of xorloom-bench.
///
/// Shape: at least one code, with at least one measurement.
Document bench_document(const std::vector<BenchResult>& codes, const MeasuredMachine& machine);

/// Document that explains what would run and why; JSON is version 1 of xorloom-explanation. Codes
/// are not timed. If `options` ask for an executor, the machine is measured.
Document explanation_document(const std::vector<BenchTask>& tasks, const Options& options,
                              const MeasuredMachine& machine);

}  // namespace xorloom::cli
