#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The plan that a codec encodes with. It may begin as a plan of kernels, which is made in
/// microseconds. Once the calls have taken as long as a better plan takes to be made, the better
/// plan replaces it: first a plan of a fast search, then the best one.
///
/// All of its functions may be called by many threads at once.
class EncodingPlan {
 public:
  /// Makes a plan that encodes: by the effort for encoding if `is_best`, else by a fast search.
  using Make = std::function<Plan(bool is_best)>;

  /// Begins with the quick plan. Without one, makes the best plan at once.
  ///
  /// Units:  `nanoseconds` is about the time that the first plan of `make` takes to be made.
  /// Errors: throws what `make` throws, if there is no quick plan.
  EncodingPlan(std::optional<Plan> quick, Make make, std::uint64_t nanoseconds);

  /// The best plan that was made so far.
  const Plan& now() const noexcept { return *now_.load(std::memory_order_acquire); }

  /// The best plan of all, made now unless it was made before.
  ///
  /// Errors: throws what `make` throws.
  Plan best();

  /// Calls `call` with the plan and returns its status. If a better plan is due, makes it first.
  template <typename Call>
  Status run(const Call& call) noexcept {
    const std::uint64_t due = due_.load(std::memory_order_acquire);
    if (due == kNever) return call(now());
    if (spent_.load(std::memory_order_relaxed) >= due) make_next();
    const auto begin = std::chrono::steady_clock::now();
    const Status status = call(now());
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
    spent_.fetch_add(static_cast<std::uint64_t>(taken.count()), std::memory_order_relaxed);
    return status;
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  enum Level : std::size_t { kByKernels, kSearched, kSearchedLonger, kCount };

  void make_next() noexcept;
  const Plan& make_level(Level level);

  Make make_;
  std::mutex making_;
  std::array<std::optional<Plan>, kCount> plans_;  ///< kept, as calls may be using old ones
  std::atomic<const Plan*> now_{nullptr};
  std::atomic<std::uint64_t> spent_{0};     ///< nanoseconds of calls of the current plan
  std::atomic<std::uint64_t> due_{kNever};  ///< value of spent_ at which a better plan pays
};

}  // namespace xorloom
