#include "cli/measuring/cost_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace xorloom::cli {
namespace {

constexpr std::size_t kCosts = 15;
constexpr std::array kOverlaps = {1.0, 2.0, 4.0, 8.0};
constexpr std::size_t kFolds = 5;

constexpr double kHold = 0.1;     // weight of a cost's distance from its guess; a call: 1
constexpr double kFarOff = 0.25;  // log ratio from which on a call counts for less
constexpr double kMostFactor = 16;
constexpr int kSteps = 60;

/// First guesses of costs that the calls hardly determine: per call, per chunk, and of crowding.
constexpr double kCallSeconds = 60e-9;
constexpr double kChunkSeconds = 2e-9;
constexpr double kCrowding = 1.0 / 2500;

/// The logarithm of each cost, or a derivative by each.
using Vector = std::array<double, kCosts>;
using Matrix = std::array<Vector, kCosts>;

CoreCosts costs_of(const Vector& logs, double overlap) {
  Vector cost;
  std::ranges::transform(logs, cost.begin(), [](double log) { return std::exp(log); });
  CoreCosts costs{cost[0], cost[1], cost[2], cost[3], {}, cost[4], cost[5], overlap};
  for (std::size_t i = 0; i < costs.moving.size(); ++i) {
    costs.moving[i] = {cost[6 + 3 * i], cost[7 + 3 * i], cost[8 + 3 * i]};
  }
  return costs;
}

Vector guess_of(std::span<const TimedCall> calls) {
  const auto least = [&](auto is_counted, auto count_of) {
    std::optional<double> best;
    for (const TimedCall& call : calls) {
      if (!is_counted(call.level)) continue;
      const double seconds = call.seconds / call.tiles / static_cast<double>(count_of(call.counts));
      if (!best || seconds < *best) best = seconds;
    }
    return best;
  };
  const auto work = [](const TileCounts& counts) {
    return counts.instructions + counts.loads + counts.stores + counts.multiplications;
  };
  const double core =
      std::log(least([](Level level) { return level <= Level::kL2; }, work).value_or(1e-10));
  Vector guess{core, core, core, core, std::log(kCallSeconds), std::log(kChunkSeconds)};
  double moved = core;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto is_there = [i](Level level) { return static_cast<std::size_t>(level) == i + 1; };
    if (const auto seconds = least(is_there, bytes_of)) moved = std::log(*seconds);
    guess[6 + 3 * i] = guess[7 + 3 * i] = moved;
    guess[8 + 3 * i] = std::log(kCrowding);
  }
  return guess;
}

/// log(predicted / measured).
double log_ratio(const CoreCosts& costs, const TimedCall& call) {
  return std::log(seconds_of_call(costs, call.level, call.counts, call.chunks, call.tiles) /
                  call.seconds);
}

/// The function that the fit minimises. A call with log ratio r counts as a² log(1 + r²/a²), a =
/// kFarOff: as r² if r is small.
class Misfit {
 public:
  Misfit(std::span<const TimedCall> calls, double overlap)
      : calls_(calls), overlap_(overlap), guess_(guess_of(calls)) {}

  const Vector& guess() const { return guess_; }

  double at(const Vector& logs) const {
    const CoreCosts costs = costs_of(logs, overlap_);
    double sum = 0;
    for (const TimedCall& call : calls_) {
      const double off = log_ratio(costs, call) / kFarOff;
      sum += kFarOff * kFarOff * std::log1p(off * off);
    }
    for (std::size_t i = 0; i < kCosts; ++i) {
      sum += kHold * kHold * (logs[i] - guess_[i]) * (logs[i] - guess_[i]);
    }
    return sum;
  }

  /// Half of the gradient, and half of the Gauss-Newton approximation of the Hessian.
  void slope(const Vector& logs, Vector& gradient, Matrix& curvature) const {
    constexpr double kStep = 1e-5;
    gradient = {};
    curvature = {};
    const CoreCosts costs = costs_of(logs, overlap_);
    std::array<CoreCosts, kCosts> moved;
    for (std::size_t i = 0; i < kCosts; ++i) {
      Vector aside = logs;
      aside[i] += kStep;
      moved[i] = costs_of(aside, overlap_);
    }
    for (const TimedCall& call : calls_) {
      const double off = log_ratio(costs, call);
      const double weight = 1 / (1 + off * off / (kFarOff * kFarOff));
      Vector by;
      for (std::size_t i = 0; i < kCosts; ++i) by[i] = (log_ratio(moved[i], call) - off) / kStep;
      for (std::size_t i = 0; i < kCosts; ++i) {
        gradient[i] += weight * off * by[i];
        for (std::size_t j = 0; j < kCosts; ++j) curvature[i][j] += weight * by[i] * by[j];
      }
    }
    for (std::size_t i = 0; i < kCosts; ++i) {
      gradient[i] += kHold * kHold * (logs[i] - guess_[i]);
      curvature[i][i] += kHold * kHold;
    }
  }

 private:
  std::span<const TimedCall> calls_;
  double overlap_;
  Vector guess_;
};

/// Solves by Gaussian elimination without exchanges. Precondition: `matrix` is symmetric positive
/// definite.
Vector solved(Matrix matrix, Vector right) {
  for (std::size_t pivot = 0; pivot < kCosts; ++pivot) {
    for (std::size_t row = pivot + 1; row < kCosts; ++row) {
      const double factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (std::size_t i = pivot; i < kCosts; ++i) matrix[row][i] -= factor * matrix[pivot][i];
      right[row] -= factor * right[pivot];
    }
  }
  for (std::size_t row = kCosts; row-- > 0;) {
    for (std::size_t i = row + 1; i < kCosts; ++i) right[row] -= matrix[row][i] * right[i];
    right[row] /= matrix[row][row];
  }
  return right;
}

/// Minimises the misfit by the Levenberg-Marquardt method, with each cost within bounds around its
/// guess.
CoreCosts fitted(std::span<const TimedCall> calls, double overlap) {
  const Misfit misfit(calls, overlap);
  const Vector& guess = misfit.guess();
  Vector best = guess;
  double least = misfit.at(best);
  double damping = 1e-2;
  Vector gradient;
  Matrix curvature;
  bool has_moved = true;
  for (int step = 0; step < kSteps && damping < 1e6; ++step) {
    if (has_moved) misfit.slope(best, gradient, curvature);
    Matrix damped = curvature;
    for (std::size_t i = 0; i < kCosts; ++i) damped[i][i] *= 1 + damping;
    const Vector down = solved(damped, gradient);
    Vector next;
    for (std::size_t i = 0; i < kCosts; ++i) {
      const double most = std::log(kMostFactor);
      next[i] = std::clamp(best[i] - down[i], guess[i] - most, guess[i] + most);
    }
    const double now = misfit.at(next);
    has_moved = now < least;
    damping *= has_moved ? 0.3 : 4;
    if (!has_moved) continue;
    const bool is_done = least - now < 1e-9 * least;
    least = now;
    best = next;
    if (is_done) break;
  }
  return costs_of(best, overlap);
}

/// The relative error that nine of ten ratios do not exceed.
double error_of(std::vector<double> log_ratios) {
  if (log_ratios.empty()) return 0;
  for (double& ratio : log_ratios) ratio = std::abs(ratio);
  std::ranges::sort(log_ratios);
  const std::size_t rank = (9 * log_ratios.size() + 9) / 10;
  return std::exp(log_ratios[rank - 1]) - 1;
}

double residual(const CoreCosts& costs, std::span<const TimedCall> calls) {
  std::vector<double> ratios;
  for (const TimedCall& call : calls) ratios.push_back(log_ratio(costs, call));
  return error_of(std::move(ratios));
}

double held_out(std::span<const TimedCall> calls, double overlap) {
  std::vector<double> ratios;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<TimedCall> used;
    std::vector<TimedCall> left;
    for (const TimedCall& call : calls) {
      (call.code % kFolds == fold ? left : used).push_back(call);
    }
    if (used.empty() || left.empty()) continue;
    const CoreCosts costs = fitted(used, overlap);
    for (const TimedCall& call : left) ratios.push_back(log_ratio(costs, call));
  }
  return error_of(std::move(ratios));
}

}  // namespace

FittedCosts fit_costs(std::span<const TimedCall> calls) {
  double least = 0;
  std::optional<double> best;
  for (const double overlap : kOverlaps) {
    const double error = held_out(calls, overlap);
    if (best && error >= least) continue;
    best = overlap;
    least = error;
  }
  const CoreCosts costs = fitted(calls, *best);
  return {costs, {residual(costs, calls), least}};
}

}  // namespace xorloom::cli
