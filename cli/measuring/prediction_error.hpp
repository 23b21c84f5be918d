#pragma once

#include <optional>
#include <span>
#include <string>

#include "codes/text/json.hpp"
#include "runtime/plans/machine_rates.hpp"

namespace xorloom::cli {

/// A held-out error above this comes with a warning.
inline constexpr double kLargeError = 0.25;

/// The largest residual and the largest held-out error of `rates`.
PredictionError largest_error(std::span<const MachineRates::Of> rates);

/// The held-out errors, or the residuals: "30 %" for one, else "30 % (avx2), 255 % (portable)".
std::string percentages(std::span<const MachineRates::Of> rates, double PredictionError::*error);

/// Tells in a sentence or two how far predictions can be trusted, with a warning if the error is
/// large. nullopt: predictions are for an ordinary core. `has_measured`: measured speeds stand
/// beside them.
std::string prediction_error_text(const std::optional<PredictionError>& error,
                                  bool has_measured = false);

/// Describes the errors of all `rates` that speeds are predicted from. Precondition: `rates` is not
/// empty.
std::string prediction_error_text(std::span<const MachineRates::Of> rates, bool has_measured);

/// {"residual", "held_out"}, or null.
Json prediction_error_json(const std::optional<PredictionError>& error);

/// The errors of each of `rates`, with its "isa" and "arrangement".
Json prediction_errors_json(std::span<const MachineRates::Of> rates);

}  // namespace xorloom::cli
