#pragma once

#include <optional>
#include <string>

#include "codes/text/json.hpp"
#include "runtime/plans/machine_rates.hpp"

namespace xorloom::cli {

/// A held-out error above this comes with a warning.
inline constexpr double kLargeError = 0.25;

/// The larger residual and the larger held-out error.
PredictionError worse(const PredictionError& a, const PredictionError& b);

/// Tells in a sentence or two how far predictions can be trusted, with a warning if the error is
/// large. nullopt: predictions are for an ordinary core. `has_measured`: measured speeds stand
/// beside them.
std::string prediction_error_text(const std::optional<PredictionError>& error,
                                  bool has_measured = false);

/// {"residual", "held_out"}, or null.
Json prediction_error_json(const std::optional<PredictionError>& error);

}  // namespace xorloom::cli
