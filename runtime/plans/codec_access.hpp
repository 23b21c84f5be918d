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

/// A program for a codec to use, and optionally a schedule of the program on cores.
struct GivenProgram {
  Program program;
  std::optional<CoreSchedule> on_cores{};
  std::vector<std::size_t> rebuilt{};  ///< rebuilt locations, ascending; empty: it encodes
};

/// Makes codecs of codes that are built already, within the library; users name a code by its spec.
/// Building a code may take longer than all else: its promise is proved by trying sets of losses.
struct CodecAccess {
  /// The codec of a code. Ignores the options that belong to the code: packet_bytes and
  /// allow_non_mds. The program of `given` is used to encode if `given->rebuilt` is empty, else to
  /// decode if all locations of `given->rebuilt`, and no others, are lost and wanted.
  ///
  /// Errors: throws what Codec throws, except for the spec; and what make_plan throws for a
  ///         program.
  static Codec codec_of(Code code, const Options& options,
                        std::optional<GivenProgram> given = std::nullopt);

  /// The plan that a codec encodes with now. Later plans read and write the same locations. The
  /// plan lives as long as the codec.
  static const Plan& encoding_now(const Codec& codec);

  /// The code and the options of a codec. Both live as long as the codec.
  static const Code& code_of(const Codec& codec) noexcept;
  static const PlanOptions& options_of(const Codec& codec) noexcept;

  /// Makes the better plan that a codec gets for the losses `erased` after decoding much data: see
  /// Options::improves_plans. Does nothing if plans are not improved.
  ///
  /// Cost: a search of Effort::kQuick, unless the store has its result.
  static void improve(const Codec& codec, std::span<const std::size_t> erased);
};

}  // namespace xorloom
