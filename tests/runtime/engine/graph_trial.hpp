#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "codes/code.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/program.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {

/// Packets narrow, odd and wide, and words.
inline const std::vector<std::string> kGraphSpecs = {
    "cauchy:k=5,m=2,w=3",
    "cauchy-good:k=4,m=3,w=4,packet_bytes=24",
    "cauchy:k=3,m=2,w=3,packet_bytes=1000",
    "cauchy:k=3,m=2,w=3,packet_bytes=4096",
    "rs:k=4,m=3,w=8",
    "clay:k=4,m=2",
};

/// A program of such a code that encodes. On packets its sums read one another.
inline Program encoding_program(const Code& code) {
  return code.arrangement == Arrangement::kWord ? direct_symbols(code, encoding_map(code))
                                                : chained(direct_encoding(code));
}

/// Encodes a stripe with `run` on `threads` threads, and compares it with the oracle.
/// `begin(chunks, chunk_bytes)` prepares the run.
///
/// Shape: chunks are `multiples` chunk multiples long.
template <typename Run, typename Begin>
void check_on_threads(const Code& code, Run& run, std::size_t threads, std::size_t multiples,
                      std::size_t misalignment, const Begin& begin) {
  const std::size_t chunk_bytes = multiples * chunk_multiple(code);
  Stripe stripe(code.locations, chunk_bytes, 7 + multiples, misalignment);
  Stripe want = stripe;
  oracle(code, encoding_map(code), want.chunks(), chunk_bytes);
  begin(stripe.chunks(), chunk_bytes);
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back([&run, t] { run.help(t); });
  run.help(0);
  for (std::thread& other : others) other.join();
  REQUIRE(stripe == want);
  REQUIRE(stripe.guards_intact());
}

}  // namespace xorloom
