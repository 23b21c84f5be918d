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

/// Makes plans from the programs of an atlas; none if there is no atlas.
///
/// A program of the atlas is proved before it runs. Damage is only counted: the caller then makes
/// its own equations, as for patterns that the atlas does not have.
///
/// All functions may be called by many threads at once.
class AtlasPlans {
 public:
  /// `path`: the atlas; "": none.
  ///
  /// Errors: throws what Atlas throws, kInvalidArgument if it is the atlas of another code or the
  ///         options ask for direct equations.
  AtlasPlans(const std::string& path, const Code& code, const PlanOptions& options);

  std::optional<Plan> encoding(const Code& code, const PlanOptions& options) const;

  /// The plan that rebuilds the `wanted` ones of the `lost` locations (empty: all), with the
  /// program of the pattern `wanted`. nullopt if that program reads a lost location, or not all of
  /// `at_hand`.
  ///
  /// Errors: throws kInvalidArgument for a lost location out of range or named twice.
  std::optional<Plan> decoding(const Code& code, const PlanOptions& options,
                               std::span<const std::size_t> lost,
                               std::span<const std::size_t> wanted,
                               std::span<const std::size_t> at_hand = {}) const;

  /// The plan of a repair: from the pattern's program if all survivors cost the same to read and
  /// the atlas has it, else from make_repair_plan.
  ///
  /// Errors: as for make_repair_plan.
  Plan repair(const Code& code, const PlanOptions& options, const Repair& repair) const;

  /// Adds the numbers of plans made from the atlas and of damaged programs.
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
