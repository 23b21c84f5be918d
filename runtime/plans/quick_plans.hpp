#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Plans of kernels for what a codec computes for the first time: encoding, and decoding losses
/// that are new to it. They are made in microseconds, where a plan of machine code takes hundreds
/// or more, and serve until their calls have taken as long as another plan takes to be made.
///
/// All of its functions may be called by many threads at once.
class QuickPlans {
 public:
  /// Buffers: the code and the options outlive it.
  QuickPlans(const Code& code, const PlanOptions& options, bool are_wanted)
      : code_(code),
        options_(options),
        are_wanted_(are_wanted && fits(options)),
        making_nanoseconds_(usual_making(code)) {}

  struct Made {
    Plan plan;
    std::uint64_t enough;  ///< bytes of data that it decodes until another plan pays
  };

  /// The plan of a set of losses, for a call that decodes so many bytes of data. None if another
  /// plan pays at once, if its rows or the code's have too many terms, or if the options ask for
  /// something else.
  ///
  /// Errors: as in_memory_map.
  std::optional<Made> make(std::span<const std::size_t> lost, std::span<const std::size_t> wanted,
                           std::uint64_t decoded);

  /// A plan of kernels of a map of the code, accepted. None where the map has too many terms, where
  /// the kernels are not accepted, or if the options ask for something else.
  ///
  /// Errors: as make_kernel_plan.
  std::optional<Plan> make(const LinearMap& map);

  /// How long another plan takes to be made, about.
  std::uint64_t making_nanoseconds() const noexcept {
    return making_nanoseconds_.load(std::memory_order_relaxed);
  }

  /// Tells how long another plan took to be made.
  void note_making(std::uint64_t nanoseconds) noexcept;

 private:
  static std::uint64_t usual_making(const Code& code);
  static bool fits(const PlanOptions& options);
  bool is_accepted(const Plan& plan);

  const Code& code_;
  const PlanOptions& options_;
  bool are_wanted_;
  std::atomic<std::uint32_t> accepted_rows_{0};
  std::atomic<std::uint64_t> making_nanoseconds_;
};

}  // namespace xorloom
