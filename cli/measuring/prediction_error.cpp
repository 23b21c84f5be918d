#include "cli/measuring/prediction_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace xorloom::cli {
namespace {

std::string percentage(double share) { return fmt::format("{:.0f} %", share * 100); }

/// `held_out` and `residual` as percentages; `largest` held-out error as a share.
std::string error_text(const std::string& held_out, const std::string& residual, double largest,
                       bool has_measured) {
  std::string text = fmt::format(
      "Predictions come from other codes that were timed. Nine of ten are within {} for "
      "codes that the costs were not fitted to, and within {} for the others.",
      held_out, residual);
  if (largest > kLargeError) {
    text += fmt::format(" Warning: {} is a large error; {}.", percentage(largest),
                        has_measured ? "choose by what was measured" : "measure before you choose");
  }
  return text;
}

}  // namespace

PredictionError largest_error(std::span<const MachineRates::Of> rates) {
  PredictionError largest;
  for (const auto& [isa, arrangement, costs, error] : rates) {
    largest.residual = std::max(largest.residual, error.residual);
    largest.held_out = std::max(largest.held_out, error.held_out);
  }
  return largest;
}

std::string percentages(std::span<const MachineRates::Of> rates, double PredictionError::*error) {
  std::vector<std::string> parts;
  for (const MachineRates::Of& of : rates) {
    parts.push_back(percentage(of.error.*error));
    if (rates.size() == 1) continue;
    parts.back() += fmt::format(" ({}{})", to_string(of.isa),
                                of.arrangement == Arrangement::kWord ? ", words" : "");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string prediction_error_text(const std::optional<PredictionError>& error, bool has_measured) {
  if (error) {
    return error_text(percentage(error->held_out), percentage(error->residual), error->held_out,
                      has_measured);
  }
  return "Predictions are for an ordinary core, since this machine was not measured for such "
         "codes; their error is not known.";
}

std::string prediction_error_text(std::span<const MachineRates::Of> rates, bool has_measured) {
  return error_text(percentages(rates, &PredictionError::held_out),
                    percentages(rates, &PredictionError::residual), largest_error(rates).held_out,
                    has_measured);
}

Json prediction_error_json(const std::optional<PredictionError>& error) {
  if (!error) return nullptr;
  return {{"residual", error->residual}, {"held_out", error->held_out}};
}

Json prediction_errors_json(std::span<const MachineRates::Of> rates) {
  Json errors = Json::array();
  for (const MachineRates::Of& of : rates) {
    Json error = prediction_error_json(of.error);
    error.update({{"isa", to_string(of.isa)},
                  {"arrangement", of.arrangement == Arrangement::kWord ? "word" : "packet"}});
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace xorloom::cli
