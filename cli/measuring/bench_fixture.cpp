#include "cli/measuring/bench_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "cli/measuring/rounds.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/codec_access.hpp"

namespace xorloom::cli {
namespace {

void fill_randomly(std::span<std::uint8_t> bytes, std::mt19937_64& random) {
  while (bytes.size() >= 8) {
    const std::uint64_t word = random();
    std::memcpy(bytes.data(), &word, 8);
    bytes = bytes.subspan(8);
  }
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
}

void copy_chunk(const PlacedStripe& from, const PlacedStripe& to, std::size_t location) {
  std::memcpy(to.chunk(location).data(), from.chunk(location).data(), from.chunk_bytes());
}

}  // namespace

BenchFixture make_fixture(const Code& code, std::size_t chunk_bytes, Layout layout,
                          const Options& options) {
  BenchFixture fixture{PlacedStripe(code.locations, chunk_bytes, layout),
                       PlacedStripe(code.locations, chunk_bytes, layout), layout, "the oracle"};
  std::mt19937_64 random(chunk_bytes);
  for (std::size_t l = 0; l < code.locations; ++l) fill_randomly(fixture.expected.chunk(l), random);
  const Isa measured = choose_isa(options.isa);
  const Isa other = measured == Isa::kPortable ? machine_isas().back() : Isa::kPortable;
  if (chunk_bytes * code.locations <= kOracleBytes || other == measured) {
    oracle(code, encoding_map(code), fixture.expected.pointers(), chunk_bytes);
  } else {
    Options second = options;
    second.isa = other;
    second.executor = Executor::kRanges;
    second.threads = 0;
    second.effort = Effort::kFast;
    second.atlas = "";
    check(CodecAccess::codec_of(code, second).encode(fixture.expected.pointers(), chunk_bytes));
    fixture.verified_by = fmt::format("the {} kernels", to_string(other));
  }
  renew(fixture);
  return fixture;
}

void renew(const BenchFixture& fixture) {
  for (std::size_t l = 0; l < fixture.stripe.locations(); ++l) {
    copy_chunk(fixture.expected, fixture.stripe, l);
  }
}

void ruin(const BenchFixture& fixture, const std::vector<std::size_t>& locations) {
  for (const std::size_t l : locations) {
    std::ranges::fill(fixture.stripe.chunk(l), std::uint8_t{0xa5});
  }
}

void ruin(const BenchFixture& fixture, const Plan& plan, const Code& code) {
  const std::size_t units = units_of_chunk(code);
  const std::size_t unit_bytes = code.arrangement == Arrangement::kPacket
                                     ? code.packet_bytes
                                     : fixture.stripe.chunk_bytes() / units;
  for (const std::size_t location : plan.writes()) {
    const auto chunk = fixture.stripe.chunk(location);
    for (std::size_t first = 0; first < chunk.size(); first += units * unit_bytes) {
      for (const std::uint32_t unit : plan.units_written(location)) {
        std::ranges::fill(chunk.subspan(first + unit * unit_bytes, unit_bytes), std::uint8_t{0xa5});
      }
    }
  }
}

std::optional<std::size_t> first_difference(const BenchFixture& fixture,
                                            const std::vector<std::size_t>& locations) {
  for (const std::size_t l : locations) {
    if (!std::ranges::equal(fixture.expected.chunk(l), fixture.stripe.chunk(l))) return l;
  }
  return std::nullopt;
}

void check_chunks(const Code& code, const BenchFixture& fixture,
                  const std::vector<std::size_t>& locations) {
  if (const auto wrong = first_difference(fixture, locations)) {
    fail(Status::kInternal,
         fmt::format("{}: chunk {} is wrong; no time is reported", code.name(), *wrong));
  }
}

double seconds_of_encoding(const Code& code, const Plan& encoding, const BenchFixture& fixture,
                           bool begins_cold, std::size_t rounds, std::size_t threads) {
  const auto run = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(encoding.run(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
    }
  };
  ruin(fixture, encoding, code);
  run(1);
  check_chunks(code, fixture, encoding.writes());
  return timed_alone(run, begins_cold, rounds, threads);
}

std::vector<std::size_t> thread_counts(int threads) {
  const std::size_t most = threads > 0 ? static_cast<std::size_t>(threads) : machine_threads();
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

}  // namespace xorloom::cli
