#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/families/families.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {

/// Costs and benefits of a code besides speed.
struct Tradeoffs {
  std::size_t survives = 0;      ///< any set of this many lost chunks can be rebuilt
  std::uint64_t sets_tried = 0;  ///< to prove `survives`; 0: proved by construction
  /// Share of the sets of `survives` + 1 losses that can be rebuilt; nullopt: not tried.
  std::optional<double> survives_one_more;
  double stored = 0;  ///< bytes stored per byte of data
  /// Bytes read per byte rebuilt if one chunk is lost, the mean over chunks: of shards as encode
  /// makes them, and if all rows of packets can be read apart.
  double repair_reads = 0;
  double row_reads = 0;
  /// Other chunks whose redundancy changes if the data of one chunk change: mean over data chunks.
  double chunks_changed = 0;
  /// Redundant packets that change if one data packet changes (on words: symbols): mean over data.
  double cells_changed = 0;
  std::vector<OtherSoftware> software;  ///< other software that writes the same bytes
};

/// Precondition: `tolerance` proves that the code survives `promised_losses` losses.
/// Cost:         some hundredths of a second; a second for the largest codes of 256 chunks.
Tradeoffs tradeoffs_of(const Code& code, const Tolerance& tolerance);

/// The most sets that are tried for `survives_one_more`.
inline constexpr double kMostLargerSets = 5'000;

}  // namespace xorloom::cli
