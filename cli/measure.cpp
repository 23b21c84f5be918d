#include "cli/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <span>

#include "cli/options.hpp"
#include "cli/running.hpp"
#include "codes/error.hpp"
#include "codes/linear_map.hpp"
#include "equations/oracle.hpp"
#include "runtime/isa.hpp"
#include "runtime/user_bytes.hpp"

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

void compare(Stripe& expected, Stripe& got, const Info& info, const char* what) {
  for (std::size_t l = 0; l < info.locations; ++l) {
    if (std::ranges::equal(expected.chunk(l), got.chunk(l))) continue;
    fail(Status::kInternal,
         fmt::format("{} {} with {} kernels gave a wrong chunk {}; nothing was timed", what,
                     info.spec, info.isa, l));
  }
}

/// Median seconds of a run, after one that warms the caches and tells how often a repetition runs.
template <typename Run>
double median_seconds(const Run& run) {
  const Stopwatch once;
  check(run());
  const double wanted = kRepetitionSeconds / std::max(once.seconds(), 1e-9);
  const auto times = static_cast<std::size_t>(std::clamp(std::ceil(wanted), 1.0, 1e7));
  std::array<double, kRepetitions> seconds{};
  for (double& result : seconds) {
    const Stopwatch watch;
    for (std::size_t i = 0; i < times; ++i) check(run());
    result = watch.seconds() / static_cast<double>(times);
  }
  std::ranges::sort(seconds);
  return seconds[kRepetitions / 2];
}

}  // namespace

Reference make_reference(const Code& code, std::size_t chunk_bytes, const Options& options) {
  Reference reference{Stripe(code.locations, chunk_bytes), "the oracle"};
  Stripe& stripe = reference.stripe;
  stripe.hold_all();
  std::mt19937_64 random(chunk_bytes);
  for (std::size_t l = 0; l < code.locations; ++l) fill_randomly(stripe.chunk(l), random);

  const Isa measured = choose_isa(options.isa);
  const Isa other = measured == Isa::kPortable ? machine_isas().back() : Isa::kPortable;
  if (chunk_bytes * code.locations <= kOracleBytes || other == measured) {
    oracle(code, encoding_map(code), stripe.pointers(), chunk_bytes);
    return reference;
  }
  Options second = options;
  second.isa = to_string(other);
  second.executor = "ranges";
  second.threads = 0;
  const Codec codec(code.spec, second);
  check(codec.encode(stripe.pointers(), chunk_bytes));
  reference.computed_by = fmt::format("the {} kernels", second.isa);
  return reference;
}

std::vector<std::size_t> locations_to_lose(const Code& code) {
  std::vector<std::size_t> lost;
  for (std::size_t l = 0; l < code.promised_losses; ++l) lost.push_back(l);
  while (!is_recoverable(code, lost)) lost.pop_back();
  return lost;
}

Measurement measure(const Code& code, Reference& reference, const Options& options) {
  const Codec codec(code.spec, options);
  const std::size_t chunk_bytes = reference.stripe.chunk_bytes();
  Measurement result{
      codec.info(),
      options.threads == 0 ? machine_threads() : static_cast<std::size_t>(options.threads),
      chunk_bytes,
      data_capacity(code, chunk_bytes),
      chunk_bytes * code.locations,
      locations_to_lose(code),
      0,
      0,
      reference.computed_by};
  Stripe stripe(code.locations, chunk_bytes);
  stripe.hold_all();
  std::vector<std::uint8_t> user_bytes(result.data_bytes);
  collect_user_bytes(code, reference.stripe.pointers(), chunk_bytes, user_bytes);
  spread_user_bytes(code, user_bytes, stripe.pointers(), chunk_bytes);

  const auto encode = [&] { return codec.encode(stripe.pointers(), chunk_bytes); };
  check(encode());
  compare(reference.stripe, stripe, result.info, "encoding");
  result.encode_seconds = median_seconds(encode);
  if (result.lost.empty()) return result;

  const Plan plan = codec.decoding(result.lost);
  const auto decode = [&] { return plan.run(stripe.pointers(), chunk_bytes); };
  for (const std::size_t l : result.lost) std::ranges::fill(stripe.chunk(l), std::uint8_t{0xa5});
  check(decode());
  compare(reference.stripe, stripe, result.info, "decoding");
  result.decode_seconds = median_seconds(decode);
  return result;
}

}  // namespace xorloom::cli
