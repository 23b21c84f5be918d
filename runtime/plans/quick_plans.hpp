#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/made_once.hpp"
#include "runtime/engine/codewords.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/transforms/transform_decoder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Work of kernels in a nanosecond, in the units of Computation::cost: bytes that are added, or
/// multiplied and added. From 60 (AVX2) to 170 (AVX-512, GFNI) were measured.
inline constexpr std::uint64_t kWorkOfNanosecond = 128;

/// Plans of kernels for computations that are new to a codec: encoding, and decoding new losses.
/// They are made in microseconds; a plan of machine code takes hundreds or more. A quick plan
/// serves until its calls have taken as long as machine code takes to be made; with
/// Engine::kKernels it serves for good.
///
/// Kernels run the rows of the map. If the code has transforms (TransformDecoder), these make and
/// prove the rows, or run instead of the rows if that is faster in all. If chunks have several
/// cells, the code's own sums run instead: no map is made, and random codewords prove them.
///
/// All of its functions may be called by many threads at once.
class QuickPlans {
 public:
  /// Buffers: the code and the options outlive it.
  QuickPlans(const Code& code, const PlanOptions& options, bool are_wanted)
      : code_(code),
        options_(options),
        are_wanted_(are_wanted && fits(options)),
        contents_(code),
        making_nanoseconds_(usual_making(code)) {}

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  struct Made {
    Plan plan;
    std::uint64_t enough;  ///< bytes of data after which machine code pays, or kNever
  };

  /// The plan of a set of losses, for a call that decodes `decoded` bytes of data. nullopt if
  /// machine code pays at once, if the rows have too many terms, if the kernels are not accepted,
  /// or if the options exclude quick plans.
  ///
  /// Errors: as in_memory_map.
  std::optional<Made> make(std::span<const std::size_t> lost, std::span<const std::size_t> wanted,
                           std::uint64_t decoded);

  /// A plan of a proved map of whole chunks, for a call that computes `bytes` bytes of them.
  /// nullopt as for the other make().
  std::optional<Made> make(const LinearMap& map, std::uint64_t bytes);

  /// The plan that encodes. nullopt if it has too many terms, if its kernels are not accepted, or
  /// if the options exclude quick plans.
  std::optional<Plan> make_encoding();

  /// Approximate nanoseconds to make a plan of machine code; kNever if none is to be made.
  std::uint64_t making_nanoseconds() const noexcept {
    return are_final() ? kNever : making_nanoseconds_.load(std::memory_order_relaxed);
  }

  /// Records how long a plan of machine code took to be made.
  void note_making(std::uint64_t nanoseconds) noexcept;

 private:
  static std::uint64_t usual_making(const Code& code);
  static bool fits(const PlanOptions& options);
  bool are_final() const noexcept { return options_.engine == Engine::kKernels; }
  const TransformDecoder* transforms();
  bool is_accepted(const Computation& kernels);
  bool takes_rows(const TransformDecoder& transforms, std::size_t outputs,
                  std::uint64_t decoded) const;
  std::optional<Plan> by_points(const TransformDecoder& transforms,
                                std::span<const std::size_t> lost,
                                std::span<const std::size_t> wanted, std::uint64_t decoded);
  std::optional<Plan> by_sums(std::span<const std::size_t> lost,
                              std::span<const std::size_t> wanted);
  bool are_few_terms(std::size_t inputs, std::size_t outputs) const;
  std::optional<Plan> by_rows(const LinearMap& map);
  std::optional<Made> serving(Plan plan, std::uint64_t bytes, std::uint64_t bytes_of_column,
                              std::uint64_t making) const;

  const Code& code_;
  const PlanOptions& options_;
  bool are_wanted_;
  CellContents contents_;
  std::atomic<std::uint32_t> accepted_rows_{0};
  MadeOnce<std::unique_ptr<const TransformDecoder>> transforms_;  ///< or null, if the code has none
  MadeOnce<std::unique_ptr<const Codewords>> codewords_;          ///< codewords that prove sums
  std::atomic<std::uint64_t> making_nanoseconds_;
};

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
