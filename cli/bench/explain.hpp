#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/bench/bench_subject.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "codes/code.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/plans/device_rates.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Encoding, or rebuilding that many chunks, the first ones.
struct ExplainedOperation {
  std::vector<std::size_t> lost;  ///< none: encoding
  PlanExplanation explanation;
  std::size_t shared_from;  ///< bytes of a chunk from which on `auto` shares it between threads
};

/// What depends on how large chunks are.
struct ExplainedSize {
  std::size_t chunk_bytes;
  std::size_t stripe_bytes;
  const char* level;
  Stores stores;                  ///< of encoding
  std::size_t threads;            ///< that encode
  std::vector<double> gigabytes;  ///< predicted, of data a second on one core, by operation
  /// The same of encoding by the executor asked for, on the threads or on devices; or by the
  /// devices that `auto` knows.
  std::optional<double> shared;
  bool is_on_devices = false;  ///< `auto` gives encoding to them
};

/// How a code would run, and why.
struct Explanation {
  Code code;
  Options options;
  PlanOptions plan;
  xorloom::Machine machine;
  std::vector<ExplainedOperation> operations;  ///< encoding first
  std::vector<ExplainedSize> sizes;
  /// Of predictions from what was measured of this machine; none where they are an ordinary core's.
  std::optional<PredictionError> error{};
  std::optional<DeviceRates> devices{};  ///< asked for, or known to `auto`
};

/// Finds the choices for encoding and for rebuilding the first `losses`, in chunks
/// of the sizes. The code is not timed, but where an executor is asked for, the machine is
/// measured, and the devices of that executor.
Explanation explain(const Code& code, const std::vector<std::size_t>& losses,
                    const std::vector<std::size_t>& chunk_bytes, const Options& options);

/// All explanations. Its data are version 1 of xorloom-explanation.
Document explanation_document(const std::vector<Explanation>& all, const MeasuredMachine& machine);

}  // namespace xorloom::cli
