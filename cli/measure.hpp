#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/stripe.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// One line of a benchmark: a code on one executor with so many threads and so large chunks.
struct Measurement {
  Info info;
  std::size_t threads;
  std::size_t chunk_bytes;
  std::size_t data_bytes;    ///< the user's, of one stripe
  std::size_t stripe_bytes;  ///< of all chunks
  std::vector<std::size_t> lost;
  double encode_seconds;  ///< median of kRepetitions
  double decode_seconds;  ///< 0 if nothing can be lost
  std::string verified_by;
};

inline constexpr std::size_t kRepetitions = 5;
inline constexpr double kRepetitionSeconds = 0.05;

/// A stripe of seeded random data with the redundancy it should have, computed by something other
/// than what is measured.
struct Reference {
  Stripe stripe;
  std::string computed_by;
};

/// Up to kOracleBytes by the oracle, past it by the kernels of another instruction set if the machine
/// has one.
Reference make_reference(const Code& code, std::size_t chunk_bytes, const Options& options);
inline constexpr std::size_t kOracleBytes = std::size_t{4} << 20;

/// The first locations, as many as the code promises to survive, or fewer if it does not keep that.
std::vector<std::size_t> locations_to_lose(const Code& code);

/// Encodes and decodes copies of the reference, compares every byte, and only then takes the time.
///
/// Errors: throws kInternal if a byte differs.
Measurement measure(const Code& code, Reference& reference, const Options& options);

}  // namespace xorloom::cli
