#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "runtime/plans/plan_cache.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Machine code for matrices that callers multiply with often. For other matrices, callers use
/// kernels that read the matrix as data.
///
/// A plan is made once the calls with a matrix have taken several times as long as plans have taken
/// to be made. A table of fixed size counts the work of each matrix, by the hash of its key. If two
/// matrices share an entry, the last one counts. Once a plan had to make room for another, the next
/// one must pay 16 times as much. So if plans of many matrices do not fit, kernels run most calls.
///
/// All of its functions may be called by many threads at once.
class HotMatrices {
 public:
  /// Nanoseconds since a fixed moment.
  using Clock = std::uint64_t (*)();
  static std::uint64_t steady_nanoseconds();

  /// Units: `most_bytes` limits all plans that are kept. `nanoseconds` is what the first plan is
  ///        expected to take; `clock` measures later ones.
  HotMatrices(std::size_t most_bytes, std::uint64_t nanoseconds, Clock clock = steady_nanoseconds)
      : plans_(most_bytes), making_nanoseconds_(nanoseconds), clock_(clock) {}

  /// A matrix, and everything else that its plan depends on, as numbers.
  using Key = PlanCache::Key;

  /// The plan of a matrix, made now if it pays. nullopt: it does not pay yet, or cannot be made.
  ///
  /// Units: `work` is what this call computes, in bytes that are multiplied and added.
  std::optional<Plan> find(const Key& key, std::uint64_t work,
                           const std::function<Plan()>& make) noexcept;

  PlanCounts counts() const noexcept { return plans_.counts(); }

 private:
  struct Mark {
    std::atomic<std::uint64_t> matrix{0};  ///< the hash of its key
    std::atomic<std::uint64_t> work{0};    ///< bytes multiplied since the last plan was made
    std::atomic<bool> has_plan{false};     ///< the cache had its plan when last asked
  };
  static constexpr std::size_t kMarks = 4096;

  std::uint64_t enough() const noexcept;
  std::optional<Plan> made(const Key& key, const std::function<Plan()>& make) noexcept;

  PlanCache plans_;
  std::array<Mark, kMarks> marks_{};
  std::atomic<std::uint64_t> making_nanoseconds_;
  Clock clock_;
  std::atomic<bool> is_full_{false};  ///< a plan had to make room for another one
};

}  // namespace xorloom
