#include "cli/measuring/timed_codes.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/chunk_block.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {
namespace {

constexpr int kTimedPasses = 6;
constexpr std::size_t kTimedRounds = 5;

/// No code is timed again after this many seconds.
constexpr double kMostSeconds = 8;

/// Narrow and wide codes are mixed, since every fifth code is left out of a fit together.
constexpr std::array kTimedPackets = {"cauchy-good:k=3,m=2,w=8",
                                      "cauchy-good:k=8,m=4,w=8",
                                      "cauchy-good:k=24,m=4,w=8",
                                      "cauchy-good:k=5,m=3,w=8",
                                      "parity:k=10",
                                      "cauchy-good:k=12,m=4,w=8",
                                      "cauchy-good:k=32,m=4,w=8",
                                      "cauchy-good:k=8,m=3,w=8",
                                      "parity:k=4",
                                      "cauchy-good:k=16,m=4,w=8",
                                      "cauchy-good:k=12,m=4,w=4",
                                      "cauchy-good:k=14,m=2,w=8",
                                      "parity:k=24",
                                      "cauchy-good:k=20,m=4,w=8",
                                      "cauchy-good:k=22,m=4,w=5"};
constexpr std::array kTimedWords = {"rs:k=3,m=2",         "rs:k=8,m=4",  "isa-cauchy:k=16,m=4",
                                    "rs:k=5,m=3",         "rs:k=32,m=4", "leopard:k=8,m=4",
                                    "rs:k=12,m=4",        "raid6:k=8",   "leopard:k=20,m=4",
                                    "isa-cauchy:k=8,m=4", "rs:k=8,m=3",  "rs:k=20,m=4",
                                    "leopard:k=32,m=4",   "rs:k=16,m=2", "isa-cauchy:k=24,m=4"};

constexpr std::size_t kMostTimedLocations = 64;

struct TimedCode {
  std::size_t number;
  Code code;
  Codec codec;
  PlanExplanation explanation;
  /// False for iterative equations: in memory bytes count, and direct equations move the same.
  bool is_far_timed;
};

std::vector<TimedCode> codes_of(Isa isa, Arrangement arrangement) {
  std::vector<TimedCode> codes;
  const auto add_all = [&](std::span<const char* const> specs, EquationForm style) {
    Options options;
    options.executor = Executor::kRanges;  // no device
    options.isa = isa;
    options.style = style;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      Code code = make_code(specs[i]);
      PlanExplanation explanation =
          explanation_of(code, encoding_map(code), for_encoding(plan_options(options)));
      Codec codec = CodecAccess::codec_of(code, options);
      codes.push_back({i, std::move(code), std::move(codec), std::move(explanation),
                       style != EquationForm::kIterative});
    }
  };
  if (arrangement == Arrangement::kWord) {
    add_all(kTimedWords, EquationForm::kAuto);
  } else {
    add_all(kTimedPackets, EquationForm::kDirect);
    add_all(kTimedPackets, EquationForm::kIterative);
  }
  return codes;
}

/// Least seconds of a call, over turns of about a millisecond.
double seconds_of_call(const TimedCode& of, const std::vector<std::uint8_t*>& chunks,
                       std::size_t chunk_bytes) {
  Contender contender{"", [&](std::size_t calls) {
                        for (std::size_t i = 0; i < calls; ++i) {
                          check(of.codec.encode(chunks.data(), chunk_bytes));
                        }
                      }};
  warm_up(contender);
  for (std::size_t round = 0; round < kTimedRounds; ++round) take_turn(contender);
  return std::ranges::min(contender.seconds_of);
}

class Timing {
 public:
  Timing(const SystemDescription& machine)
      : machine_(machine),
        block_(most_stripe_bytes(machine.caches, machine.memory_bytes), kMostTimedLocations) {}

  void add(const TimedCode& of) {
    const Code& code = of.code;
    for (const std::size_t chunk_bytes :
         chunk_sizes(code, machine_.caches, machine_.memory_bytes)) {
      const std::size_t stripe_bytes = chunk_bytes * code.locations;
      const Level level = xorloom::level_of(machine_.caches, stripe_bytes);
      if (level == Level::kMemory && !of.is_far_timed) continue;
      const std::vector<std::uint8_t*> chunks = block_.chunks(code.locations, chunk_bytes);
      const auto encode = [&] { check(of.codec.encode(chunks.data(), chunk_bytes)); };
      const double seconds = level == Level::kMemory ? processor_seconds(encode, 1)
                                                     : seconds_of_call(of, chunks, chunk_bytes);
      const TileCounts& tile = of.explanation.work.tile;
      const auto known = std::ranges::find_if(calls_, [&](const TimedCall& call) {
        return call.code == of.number && call.level == level && call.counts == tile;
      });
      if (known != calls_.end()) {
        known->seconds = std::min(known->seconds, seconds);
        continue;
      }
      const double tiles = static_cast<double>(stripe_bytes) / static_cast<double>(bytes_of(tile));
      calls_.push_back({of.number, level, tile, code.locations, tiles, seconds});
    }
  }

  std::vector<TimedCall> take() { return std::move(calls_); }

 private:
  const SystemDescription& machine_;
  ChunkBlock block_;
  std::vector<TimedCall> calls_;
};

}  // namespace

std::size_t num_timings(Arrangement arrangement) {
  return kTimedPasses *
         (arrangement == Arrangement::kWord ? kTimedWords.size() : 2 * kTimedPackets.size());
}

std::vector<TimedCall> timed_calls(Isa isa, Arrangement arrangement,
                                   std::atomic<std::size_t>& done) {
  const Stopwatch watch;
  const SystemDescription machine = describe_system();
  const std::vector<TimedCode> codes = codes_of(isa, arrangement);
  Timing timing(machine);
  for (int pass = 0; pass < kTimedPasses; ++pass) {
    for (const TimedCode& code : codes) {
      if (pass == 0 || watch.seconds() < kMostSeconds) timing.add(code);
      ++done;
    }
  }
  return timing.take();
}

}  // namespace xorloom::cli
