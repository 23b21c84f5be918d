#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "codes/code.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What kernels compute in a nanosecond, in the units of Computation::cost: bytes that are added,
/// or multiplied and added. From 60 (AVX2) to 170 (AVX-512, GFNI) were measured.
inline constexpr std::uint64_t kWorkOfNanosecond = 128;

/// Plans of kernels for losses that a codec meets for the first time. They are made in
/// microseconds, where a plan of machine code takes hundreds or more, and serve until they have
/// decoded so much that what another one takes to be made is no more than what its calls have
/// taken.
///
/// All of its functions may be called by many threads at once.
class QuickPlans {
 public:
  /// Buffers: the code and the options outlive it.
  QuickPlans(const Code& code, const PlanOptions& options, bool are_wanted)
      : code_(code), options_(options), are_wanted_(are_wanted && fits(code, options)) {}

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

  /// Tells how long another plan took to be made.
  void note_making(std::uint64_t nanoseconds) noexcept;

 private:
  static bool fits(const Code& code, const PlanOptions& options);
  bool are_accepted();

  const Code& code_;
  const PlanOptions& options_;
  bool are_wanted_;
  std::once_flag accepting_;
  bool are_accepted_ = false;
  std::atomic<std::uint64_t> making_nanoseconds_{500'000};
};

}  // namespace xorloom
