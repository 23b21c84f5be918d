#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The plan that a codec encodes with. It may begin as a plan of kernels, which is made in
/// microseconds. Better ones take its place, each once the calls have taken as long as it takes to
/// be made: one of a fast search, then the best one.
///
/// All of its functions may be called by many threads at once.
class EncodingPlan {
 public:
  /// Makes a plan; `is_best` asks for one of the effort that encoding is worth.
  using Make = std::function<Plan(bool is_best)>;

  /// Without a quick plan the best one is made at once.
  ///
  /// Units:  nanoseconds that the first plan of `make` takes to be made, about.
  /// Errors: what makes the best plan throws.
  EncodingPlan(std::optional<Plan> quick, Make make, std::uint64_t nanoseconds);

  /// The plan as it is now.
  const Plan& now() const noexcept { return *now_.load(std::memory_order_acquire); }

  /// The best one, made now if it is not there.
  ///
  /// Errors: what makes it throws.
  const Plan& best();

  /// What a call of the plan gives. The call that finds a better one due makes it first.
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
  enum Level : std::size_t { kQuick, kFirst, kBest, kLevels };

  void make_next() noexcept;
  const Plan& make_level(Level level);

  Make make_;
  std::mutex making_;
  std::array<std::optional<Plan>, kLevels> plans_;  ///< those made stay, as calls may be using them
  std::atomic<const Plan*> now_{nullptr};
  std::atomic<std::uint64_t> spent_{0};     ///< by calls, since the plan is the one it is
  std::atomic<std::uint64_t> due_{kNever};  ///< of what is spent
};

}  // namespace xorloom
