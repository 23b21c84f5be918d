#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/families/families.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {

/// What a code costs and brings beside speed.
struct Tradeoffs {
  std::size_t survives = 0;      ///< any set of this many lost chunks
  std::uint64_t sets_tried = 0;  ///< to prove that; 0: proved by construction
  /// The share of the sets of one loss more that can be rebuilt; none where they are not tried.
  std::optional<double> survives_one_more;
  double stored = 0;        ///< bytes stored per byte of data
  double repair_reads = 0;  ///< bytes read per byte rebuilt, one chunk lost: the mean over chunks
  /// Other chunks whose redundancy changes with the data of one chunk: the mean over those.
  double chunks_changed = 0;
  /// Redundant packets that change with one data packet, or symbols with one symbol: the mean.
  double cells_changed = 0;
  std::vector<OtherSoftware> software;  ///< that writes the same bytes
};

/// Shape: the tolerance is that of the losses promised, and proved.
/// Cost:  some hundredths of a second; a second for the largest codes of 256 chunks.
Tradeoffs tradeoffs_of(const Code& code, const Tolerance& tolerance);

/// The most sets of one loss more that are tried.
inline constexpr double kMostLargerSets = 5'000;

}  // namespace xorloom::cli
