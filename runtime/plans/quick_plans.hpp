#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/transforms/transform_decoder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What kernels compute in a nanosecond, in the units of Computation::cost: bytes that are added,
/// or multiplied and added. From 60 (AVX2) to 170 (AVX-512, GFNI) were measured.
inline constexpr std::uint64_t kWorkOfNanosecond = 128;

/// Plans of kernels for what a codec computes for the first time: encoding, and decoding losses
/// that are new to it. They are made in microseconds, where a plan of machine code takes hundreds
/// or more, and serve until their calls have taken as long as another plan takes to be made.
///
/// Kernels run the rows of the map. Where a code has transforms (TransformDecoder), its rows are
/// made and proved by these, or they run in their place if that takes less time in all.
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

  /// The plan that encodes. None if it has too many terms, if its kernels are not accepted, or if
  /// the options ask for something else.
  std::optional<Plan> make_encoding();

  /// How long another plan takes to be made, about.
  std::uint64_t making_nanoseconds() const noexcept {
    return making_nanoseconds_.load(std::memory_order_relaxed);
  }

  /// Tells how long another plan took to be made.
  void note_making(std::uint64_t nanoseconds) noexcept;

 private:
  static std::uint64_t usual_making(const Code& code);
  static bool fits(const PlanOptions& options);
  const TransformDecoder* transforms();
  bool is_accepted(const Computation& kernels);
  bool takes_rows(const TransformDecoder& transforms, std::size_t outputs,
                  std::uint64_t decoded) const;
  std::optional<Plan> by_points(const TransformDecoder& transforms,
                                std::span<const std::size_t> lost,
                                std::span<const std::size_t> wanted, std::uint64_t decoded);
  std::optional<Plan> by_map(const LinearMap& map);

  const Code& code_;
  const PlanOptions& options_;
  bool are_wanted_;
  std::atomic<std::uint32_t> accepted_rows_{0};
  std::once_flag making_transforms_;
  std::unique_ptr<const TransformDecoder> transforms_;  ///< or null, if there are none
  std::atomic<std::uint64_t> making_nanoseconds_;
};

}  // namespace xorloom
