#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Speed on one core in GB/s of data, for stripes in L2 and in memory.
struct CodeSpeed {
  double l2 = 0;
  std::optional<double> memory;  ///< nullopt: a call takes too long to be timed
};

struct CodeSpeeds {
  CodeSpeed encode;
  CodeSpeed decode;  ///< with the chunks of most_lost() lost
};

/// A code and the engine that runs its plans.
struct MeasuredCode {
  const Code& code;
  Engine engine;
};

/// The first locations up to the number of losses that the code promises to survive: comparisons of
/// decoding speeds lose these.
std::vector<std::size_t> most_lost(const Code& code);

/// Times codes on one thread of this machine, with staggered chunks and codecs made with `options`.
/// Shows its progress on a terminal.
///
/// All codes take a turn before any takes another, and the best time counts: other users of a
/// machine take speed away for seconds. Encoding is verified by the oracle first, and decoding by
/// the chunks that were lost.
///
/// Errors: throws kInternal if a byte differs.
/// Cost:   some tenths of a second per code.
std::vector<CodeSpeeds> measured_speeds(const std::vector<MeasuredCode>& codes,
                                        const Options& options);

}  // namespace xorloom::cli
