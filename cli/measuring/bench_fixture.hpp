#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/placed_stripe.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Two equal stripes of seeded random data with redundancy: `expected` is kept for comparison,
/// `stripe` is coded. The redundancy comes from another implementation than the measured one.
struct BenchFixture {
  PlacedStripe expected;
  PlacedStripe stripe;
  Layout layout;
  std::string verified_by;
};

/// Makes a fixture. The redundancy comes from the oracle up to kOracleBytes; above, from the
/// kernels of another instruction set, if the machine has one.
BenchFixture make_fixture(const Code& code, std::size_t chunk_bytes, Layout layout,
                          const Options& options);
inline constexpr std::size_t kOracleBytes = std::size_t{4} << 20;

/// Overwrites chunks of `stripe`.
void ruin(const BenchFixture& fixture, const std::vector<std::size_t>& locations);

/// Copies `expected` to all of `stripe`, so that no other core has its chunks in a cache.
void renew(const BenchFixture& fixture);

/// Overwrites exactly the units that `plan` computes: in chunks that mix data and redundancy, only
/// the latter.
void ruin(const BenchFixture& fixture, const Plan& plan, const Code& code);

/// The first of `locations` whose chunk differs from the expected one; nullopt: none.
std::optional<std::size_t> first_difference(const BenchFixture& fixture,
                                            const std::vector<std::size_t>& locations);

/// Throws kInternal, naming the code, if one of the chunks differs from the expected one.
void check_chunks(const Code& code, const BenchFixture& fixture,
                  const std::vector<std::size_t>& locations);

/// Seconds of a call that encodes the stripe with `encoding`, a plan for `threads` threads: the
/// median of `rounds` turns. Before, the plan runs once and every byte is compared. `begins_cold`:
/// the stripe exceeds all caches.
///
/// Errors: throws kInternal if a byte differs.
double seconds_of_encoding(const Code& code, const Plan& encoding, const BenchFixture& fixture,
                           bool begins_cold, std::size_t rounds, std::size_t threads = 1);

/// 1, 2, 4, … and `threads`, ascending. `threads` <= 0: all threads of the machine.
std::vector<std::size_t> thread_counts(int threads);

}  // namespace xorloom::cli
