#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// GB/s of data on one core, with a stripe that lies in L2 and in memory.
struct CodeSpeed {
  double l2 = 0;
  std::optional<double> memory;  ///< none where a call takes too long to be timed here
};

struct CodeSpeeds {
  CodeSpeed encode;
  CodeSpeed decode;  ///< with as many chunks lost as the code promises to survive, the first ones
};

/// A code, and how its plans are made.
struct MeasuredCode {
  const Code& code;
  Engine engine;
};

/// The chunks that are lost when the decoding of a code is compared with that of others.
std::vector<std::size_t> most_lost(const Code& code);

/// Times codes on this machine, each as a codec with these options runs it on one thread, with
/// staggered chunks. All have a turn before any has another, and the best time counts: on a machine
/// that others use, they take speed away for seconds, and never add to it. Encoding is compared
/// with the oracle before it is timed, and decoding with what was lost. Shown on a terminal while
/// it lasts.
///
/// Errors: throws kInternal if a byte differs.
/// Cost:   some tenths of a second for each.
std::vector<CodeSpeeds> measured_speeds(const std::vector<MeasuredCode>& codes,
                                        const Options& options);

}  // namespace xorloom::cli
