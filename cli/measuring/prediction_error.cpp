#include "cli/measuring/prediction_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace xorloom::cli {

PredictionError worse(const PredictionError& a, const PredictionError& b) {
  return {std::max(a.residual, b.residual), std::max(a.held_out, b.held_out)};
}

std::string prediction_error_text(const std::optional<PredictionError>& error, bool has_measured) {
  if (!error) {
    return "Predictions are for an ordinary core, since this machine was not measured for such "
           "codes; "
           "their error is not known.";
  }
  std::string text = fmt::format(
      "Predictions come from other codes that were timed. Nine of ten are within {:.0f} % for "
      "codes that the costs were not fitted to, and within {:.0f} % for the others.",
      error->held_out * 100, error->residual * 100);
  if (error->held_out > kLargeError) {
    text += fmt::format(" Warning: {:.0f} % is a large error; {}.", error->held_out * 100,
                        has_measured ? "choose by what was measured" : "measure before you choose");
  }
  return text;
}

Json prediction_error_json(const std::optional<PredictionError>& error) {
  if (!error) return nullptr;
  return {{"residual", error->residual}, {"held_out", error->held_out}};
}

}  // namespace xorloom::cli
