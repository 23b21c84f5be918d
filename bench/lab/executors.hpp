#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/executor_prediction.hpp"
#include "cli/measuring/placed_stripe.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "runtime/plans/codec_access.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// One thread, or an executor on several. Units: seconds of a call.
struct ExecutorTime {
  double measured;
  double predicted;
};

/// What encoding chunks of one size took.
struct ExecutorRow {
  std::size_t chunk_bytes;
  std::size_t data_bytes;  ///< the user's, of one stripe
  const char* level;
  ExecutorTime one_thread;
  std::vector<ExecutorTime> executors;  ///< in the order they were asked for
};

/// Executors side by side.
struct ExecutorComparison {
  std::string spec;
  std::vector<Executor> executors;
  std::size_t threads;
  Layout layout;
  std::size_t rounds;
  ThreadCosts costs;      ///< what the predictions rest on, beside the rates of this machine
  PredictionError error;  ///< of those rates
  std::vector<ExecutorRow> rows;
};

/// Times encoding by one thread and by each executor, in turns, and predicts what each takes from
/// rates that are measured on other codes. Every byte is compared before and after.
///
/// Shape:  none of the executors is kAuto. Sizes are multiples of what a chunk of the code is.
/// Cost:   some 0.3 s for each size; the first time, what measured_rates takes.
/// Errors: throws kInternal if a byte differs.
ExecutorComparison compare_executors(const Code& code, const std::optional<GivenProgram>& given,
                                     const std::vector<Executor>& executors,
                                     const std::vector<std::size_t>& chunk_bytes, Layout layout,
                                     const Options& options);

/// 1 KiB … 1 MiB as multiples of what a chunk of the code is: where executors differ.
std::vector<std::size_t> executor_chunk_sizes(const Code& code);

/// In 80 columns for up to three executors.
std::string executors_table(const ExecutorComparison& comparison);

/// What the columns mean, in a paragraph.
std::string executors_legend();

/// One of a list in version 1 of its form.
Json executors_json(const ExecutorComparison& comparison);

}  // namespace xorloom::cli
