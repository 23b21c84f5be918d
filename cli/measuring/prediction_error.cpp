#include "cli/measuring/prediction_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace xorloom::cli {

PredictionError largest_error(std::span<const MachineRates::Of> rates) {
  PredictionError largest;
  for (const auto& [isa, arrangement, costs, error] : rates) {
    largest.residual = std::max(largest.residual, error.residual);
    largest.held_out = std::max(largest.held_out, error.held_out);
  }
  return largest;
}

std::string prediction_error_text(const std::optional<PredictionError>& error, bool has_measured) {
  if (!error) {
    return "Predictions are for an ordinary core, since this machine was not measured for such "
           "codes; "
           "their error is not known.";
  }
  return prediction_error_text(std::array{MachineRates::Of{{}, {}, {}, *error}}, has_measured);
}

std::string percentages(std::span<const MachineRates::Of> rates, double PredictionError::*error) {
  std::vector<std::string> parts;
  for (const MachineRates::Of& of : rates) {
    parts.push_back(fmt::format("{:.0f} %", of.error.*error * 100));
    if (rates.size() == 1) continue;
    parts.back() += fmt::format(" ({}{})", to_string(of.isa),
                                of.arrangement == Arrangement::kWord ? ", words" : "");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string prediction_error_text(std::span<const MachineRates::Of> rates, bool has_measured) {
  std::string text = fmt::format(
      "Predictions come from other codes that were timed. Nine of ten are within {} for "
      "codes that the costs were not fitted to, and within {} for the others.",
      percentages(rates, &PredictionError::held_out),
      percentages(rates, &PredictionError::residual));
  const double largest = largest_error(rates).held_out;
  if (largest > kLargeError) {
    text += fmt::format(" Warning: {:.0f} % is a large error; {}.", largest * 100,
                        has_measured ? "choose by what was measured" : "measure before you choose");
  }
  return text;
}

Json prediction_error_json(const std::optional<PredictionError>& error) {
  if (!error) return nullptr;
  return {{"residual", error->residual}, {"held_out", error->held_out}};
}

}  // namespace xorloom::cli
