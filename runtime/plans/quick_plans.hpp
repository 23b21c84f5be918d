#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "codes/code.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/transforms/transform_decoder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Plans of kernels for losses that a codec meets for the first time. They are made in
/// microseconds, where a plan of machine code takes hundreds or more, and serve until they have
/// decoded so much that what another one takes to be made is no more than what its calls have
/// taken.
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
        making_nanoseconds_(kFirstMaking +
                            kFirstMakingOfTerm * code.data.size() * code.redundant.size()) {}

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
  /// What another plan is taken to need in nanoseconds, until one was made.
  static constexpr std::uint64_t kFirstMaking = 500'000;
  static constexpr std::uint64_t kFirstMakingOfTerm = 100;  ///< of the code's matrix

  static bool fits(const PlanOptions& options);
  const TransformDecoder* transforms();
  bool are_accepted();
  void accept_rows() const;
  bool takes_rows(const TransformDecoder& transforms, std::size_t outputs,
                  std::uint64_t decoded) const;
  std::optional<Plan> by_points(const TransformDecoder& transforms,
                                std::span<const std::size_t> lost,
                                std::span<const std::size_t> wanted, std::uint64_t decoded);
  std::optional<Plan> by_map(std::span<const std::size_t> lost,
                             std::span<const std::size_t> wanted);

  const Code& code_;
  const PlanOptions& options_;
  bool are_wanted_;
  std::once_flag accepting_;
  bool are_accepted_ = false;
  std::once_flag making_transforms_;
  std::unique_ptr<const TransformDecoder> transforms_;  ///< or null, if there are none
  std::atomic<std::uint64_t> making_nanoseconds_;
};

}  // namespace xorloom
