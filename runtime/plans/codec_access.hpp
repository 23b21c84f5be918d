#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A program for a codec to use if it can, with a plan of the program for cores, if there is one.
struct GivenProgram {
  Program program;
  std::optional<CoreSchedule> on_cores{};
  std::vector<std::size_t> rebuilt{};  ///< locations that it rebuilds, ascending; empty: it encodes
};

/// Makes codecs of codes that are built already, within the library. Building a code may take
/// longer than all else: its promise is proved by trying sets of losses. Users name a code by its
/// spec.
struct CodecAccess {
  /// The codec of a code. Options that belong to the code, its packets and its promise, are not
  /// looked at. With a given program, what that program computes is computed by it: encoding, or
  /// rebuilding the locations that are its outputs' from those that it reads.
  ///
  /// Errors: throws what Codec throws, but for the spec, and what make_plan throws for a program.
  static Codec codec_of(Code code, const Options& options,
                        std::optional<GivenProgram> given = std::nullopt);

  /// The plan with which a codec encodes now. Later plans read and write the same locations. The
  /// plan lives as long as the codec.
  static const Plan& encoding_now(const Codec& codec);

  /// The code of a codec, and its options. They live as long as the codec.
  static const Code& code_of(const Codec& codec) noexcept;
  static const PlanOptions& options_of(const Codec& codec) noexcept;

  /// Makes the plan that a codec gets for a decoding once it has decoded much with it, see
  /// Options::improves_plans. Does nothing if plans are not improved.
  ///
  /// Cost: a search of Effort::kQuick, unless the store has what it finds.
  static void improve(const Codec& codec, std::span<const std::size_t> erased);
};

}  // namespace xorloom
