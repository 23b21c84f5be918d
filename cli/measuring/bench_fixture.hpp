#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/placed_stripe.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// A stripe of seeded random data with the redundancy it should have, computed by something other
/// than what is measured, and the one that is worked on, which begins as its equal.
struct BenchFixture {
  PlacedStripe expected;
  PlacedStripe stripe;
  Layout layout;
  std::string verified_by;
};

/// Up to kOracleBytes by the oracle, past it by the kernels of another instruction set if the
/// machine has one.
BenchFixture make_fixture(const Code& code, std::size_t chunk_bytes, Layout layout,
                          const Options& options);
inline constexpr std::size_t kOracleBytes = std::size_t{4} << 20;

/// Overwrites chunks of the stripe that is worked on.
void ruin(const BenchFixture& fixture, const std::vector<std::size_t>& locations);

/// Writes all chunks of the stripe that is worked on as they are expected, so that no other core has
/// them in its caches.
void renew(const BenchFixture& fixture);

/// Overwrites what a plan of the code computes: of chunks that hold data, too, no more than that.
void ruin(const BenchFixture& fixture, const Plan& plan, const Code& code);

/// The first of the locations whose chunk is not as expected.
std::optional<std::size_t> first_difference(const BenchFixture& fixture,
                                            const std::vector<std::size_t>& locations);

/// Throws kInternal, naming the code, if one of the chunks is not as expected.
void check_chunks(const Code& code, const BenchFixture& fixture,
                  const std::vector<std::size_t>& locations);

/// Seconds of a call that encodes the stripe: the median of `rounds` turns, by a plan that runs on
/// so many threads. `begins_cold`: the stripe exceeds all caches. The plan runs once before, and
/// every byte is compared.
///
/// Errors: throws kInternal if a byte differs.
double seconds_of_encoding(const Code& code, const Plan& encoding, const BenchFixture& fixture,
                           bool begins_cold, std::size_t rounds, std::size_t threads = 1);

/// 1, 2, 4 … and `threads`; 0 or less stands for all threads of the machine.
std::vector<std::size_t> thread_counts(int threads);

}  // namespace xorloom::cli
