#pragma once

#include <optional>
#include <string>

#include "codes/text/json.hpp"
#include "runtime/plans/machine_rates.hpp"

namespace xorloom::cli {

/// Above that a prediction comes with a warning.
inline constexpr double kLargeError = 0.25;

/// The larger of both.
PredictionError worse(const PredictionError& a, const PredictionError& b);

/// A sentence or two on how far predictions can be trusted that rest on rates with such an error,
/// with a warning where it is large; or on none, and so on an ordinary core. Measured speeds may
/// stand beside them.
std::string prediction_error_text(const std::optional<PredictionError>& error,
                                  bool has_measured = false);

/// {"residual", "held_out"}, or null.
Json prediction_error_json(const std::optional<PredictionError>& error);

}  // namespace xorloom::cli
