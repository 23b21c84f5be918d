#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "codes/code.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The plans that a codec makes of an atlas's programs, or none where there is no atlas.
///
/// What the atlas holds is proved before it runs. What turns out to be damaged is counted, and
/// nothing else comes of it: the caller makes its own equations then, as it does where the atlas
/// has none.
///
/// All functions may be called by many threads at once.
class AtlasPlans {
 public:
  /// Errors: throws what Atlas throws, kInvalidArgument if it is the atlas of another code or the
  ///         options ask for direct equations; the path "" is none.
  AtlasPlans(const std::string& path, const Code& code, const PlanOptions& options);

  std::optional<Plan> encoding(const Code& code, const PlanOptions& options) const;

  /// What rebuilds the wanted ones of the lost locations (all of them if none is named): by the
  /// pattern of those that are wanted, unless its program reads another that is lost. It reads all
  /// of `at_hand`.
  ///
  /// Errors: throws kInvalidArgument for a lost location out of range or named twice.
  std::optional<Plan> decoding(const Code& code, const PlanOptions& options,
                               std::span<const std::size_t> lost,
                               std::span<const std::size_t> wanted,
                               std::span<const std::size_t> at_hand = {}) const;

  /// What a repair wants: by the pattern's program where all survivors cost the same to read, else,
  /// and where the atlas has none, by make_repair_plan.
  ///
  /// Errors: as make_repair_plan.
  Plan repair(const Code& code, const PlanOptions& options, const Repair& repair) const;

  /// Adds what it counted.
  void count(PlanCounts& counts) const noexcept;

 private:
  using Locations = std::span<const std::size_t>;
  std::optional<Plan> plan(const Code& code, const PlanOptions& options, Locations pattern,
                           Locations lost, Locations at_hand) const;

  std::optional<Atlas> atlas_;
  mutable std::atomic<std::uint64_t> made_{0};
  mutable std::atomic<std::uint64_t> damaged_{0};
};

}  // namespace xorloom
