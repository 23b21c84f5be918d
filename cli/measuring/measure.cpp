#include "cli/measuring/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "cli/measuring/rounds.hpp"
#include "cli/measuring/xor_roofline.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kLeastRounds = 3;
constexpr std::size_t kMostRounds = 31;
constexpr double kRoundsSeconds = 0.8;  // no round starts after this
constexpr std::size_t kFinalists = 3;
constexpr std::size_t kLargeStripe = std::size_t{32} << 20;  // larger: finalists are chosen once

/// An operation with its contenders: ours, and the variants of plain XOR that limit it.
struct Turns {
  std::vector<std::size_t> lost;  ///< empty: encoding
  Plan plan;
  Contender ours{"xorloom", {}};
  PlainXorStreams streams{};
  std::vector<const std::uint8_t*> reads{};
  std::vector<std::uint8_t*> writes{};
  std::vector<Contender> limits{};
};

/// A measurement under way.
class TimedOperations {
 public:
  TimedOperations(const Code& code, const Codec& codec, BenchFixture& fixture,
                  const MeasureOptions& options)
      : code_(code),
        codec_(codec),
        fixture_(fixture),
        options_(options),
        chunk_bytes_(fixture.stripe.chunk_bytes()) {}

  Json run() {
    add({}, codec_.encoding());
    for (const std::vector<std::size_t>& lost : options_.losses) add(lost, codec_.decoding(lost));
    add_limits();
    Json rounds = run_rounds();
    Json operations = Json::array();
    for (const Turns& turns : turns_) operations.push_back(to_json(turns));
    std::vector<std::size_t> all(code_.locations);
    std::iota(all.begin(), all.end(), std::size_t{0});
    verify("after timing", all);
    const Info info = codec_.info();
    Json result{{"spec", info.spec},
                {"k", info.k},
                {"m", info.m},
                {"w", info.w},
                {"packet_bytes", info.packet_bytes},
                {"isa", to_string(info.isa)},
                {"engine", info.code_memory == CodeMemory::kNoCode ? "kernels" : "machine code"},
                {"executor", to_string(info.executor)},
                {"threads", options_.threads},
                {"layout", to_string(fixture_.layout)},
                {"level", options_.level},
                {"chunk_bytes", chunk_bytes_},
                {"data_bytes", data_capacity(code_, chunk_bytes_)},
                {"stripe_bytes", stripe_bytes()},
                {"verified_by", fixture_.verified_by}};
    result.update(std::move(rounds));
    result["operations"] = std::move(operations);
    return result;
  }

 private:
  /// Adds an operation: runs its plan once on ruined outputs, compares, and warms up.
  void add(const std::vector<std::size_t>& lost, const Plan& plan) {
    Turns& turns = turns_.emplace_back(Turns{lost, plan});
    turns.ours.run = [this, &turns](std::size_t calls) {
      for (std::size_t i = 0; i < calls; ++i) {
        check(turns.plan.run(fixture_.stripe.pointers(), chunk_bytes_));
      }
    };
    ruin(fixture_, plan, code_);
    turns.ours.run(1);
    verify(lost.empty() ? "encoding" : "decoding", plan.writes());
    prepare(turns.ours);
    warm_up(turns.ours);
  }

  /// Adds the limits: plain XOR that reads and writes the same numbers of chunks as each operation.
  /// It uses the chunks of encoding, since encoding restores what it overwrites. There are no
  /// limits if encoding writes chunks that it reads.
  void add_limits() {
    const Plan& encoding = turns_.front().plan;
    for (const std::size_t location : encoding.reads()) {
      if (std::ranges::find(encoding.writes(), location) != encoding.writes().end()) return;
    }
    const bool select_once = stripe_bytes() > kLargeStripe || options_.threads > 1;
    std::vector<std::string> finalists;
    for (Turns& turns : turns_) {
      const std::size_t num_reads = turns.plan.reads().size();
      const std::size_t num_writes = turns.plan.writes().size();
      if (num_reads == 0 || num_reads > encoding.reads().size() ||
          num_writes > encoding.writes().size()) {
        continue;
      }
      std::uint8_t* const* chunks = fixture_.stripe.pointers();
      for (std::size_t r = 0; r < num_reads; ++r)
        turns.reads.push_back(chunks[encoding.reads()[r]]);
      for (std::size_t w = 0; w < num_writes; ++w) {
        turns.writes.push_back(chunks[encoding.writes()[w]]);
      }
      turns.streams = {turns.reads.data(), num_reads, turns.writes.data(), num_writes};
      turns.limits = limit_contenders(turns.streams, chunk_bytes_, options_.threads);
      for (Contender& limit : turns.limits) prepare(limit);
      if (!finalists.empty()) {
        std::erase_if(turns.limits, [&](const Contender& contender) {
          return std::ranges::find(finalists, contender.name) == finalists.end();
        });
      }
      keep_fastest(turns.limits, kFinalists);
      if (select_once && finalists.empty()) {
        for (const Contender& limit : turns.limits) finalists.push_back(limit.name);
      }
    }
    turns_.front().ours.run(1);
  }

  void prepare(Contender& contender) const {
    contender.threads = options_.threads;
    contender.begins_cold = !options_.cached;
  }

  /// Times all rounds. Returns their number, the share of a processor that this thread had, and the
  /// speed of memcpy.
  Json run_rounds() {
    std::vector<std::uint8_t*> targets;
    std::vector<const std::uint8_t*> sources;
    for (const std::size_t location : turns_.front().plan.reads()) {
      sources.push_back(fixture_.expected.pointers()[location]);
      targets.push_back(fixture_.stripe.pointers()[location]);  // holds the same bytes
    }
    Contender copy = copy_contender(targets, sources, chunk_bytes_, options_.threads);
    prepare(copy);
    warm_up(copy);
    const Stopwatch watch;
    const double processor_before = thread_seconds();
    std::size_t rounds = 0;
    while (rounds < kLeastRounds || (rounds < kMostRounds && watch.seconds() < kRoundsSeconds)) {
      take_turn(copy);
      for (Turns& turns : turns_) {
        if (&turns == &turns_.front()) take_turns_of_limits();
        take_turn(turns.ours);  // last, since it restores what the limits overwrote
      }
      ++rounds;
    }
    return {{"rounds", rounds},
            {"processor_share", (thread_seconds() - processor_before) / watch.seconds()},
            {"memcpy", speed_json(code_, chunk_bytes_, median_seconds(copy))}};
  }

  /// Times the limits. They overwrite the redundancy, which encoding restores.
  void take_turns_of_limits() {
    for (Turns& turns : turns_) {
      for (Contender& limit : turns.limits) take_turn(limit);
    }
  }

  Json to_json(const Turns& turns) const {
    const double seconds = median_seconds(turns.ours);
    Json json{{"operation", turns.lost.empty() ? "encode" : "decode"},
              {"lost", turns.lost},
              {"chunks_read", turns.plan.reads().size()},
              {"chunks_written", turns.plan.writes().size()}};
    json.update(speed_json(code_, chunk_bytes_, seconds));
    json["limit"] = nullptr;
    if (!turns.limits.empty()) {
      const Contender& limit = std::ranges::min(turns.limits, {}, median_seconds);
      json["limit"] = speed_json(code_, chunk_bytes_, median_seconds(limit));
      json["limit"]["variant"] = limit.name;
      json["share"] = median_seconds(limit) / seconds;
    }
    // Single calls are timed for encoding and for the decoding of most chunks.
    const bool is_shown = &turns == &turns_.front() || &turns == &turns_.back();
    if (options_.small && options_.threads == 1 && is_shown) {
      json["single_calls"] = latency_json(latency_of(turns.ours.run));
    }
    return json;
  }

  static Json latency_json(const Latency& latency) {
    return {{"calls", latency.calls},        {"p50_seconds", latency.p50},
            {"p90_seconds", latency.p90},    {"p99_seconds", latency.p99},
            {"p99_9_seconds", latency.p999}, {"most_seconds", latency.most},
            {"curve_seconds", latency.curve}};
  }

  std::size_t stripe_bytes() const { return chunk_bytes_ * code_.locations; }

  void verify(const char* what, const std::vector<std::size_t>& locations) const {
    if (const auto wrong = first_difference(fixture_, locations)) {
      fail(Status::kInternal,
           fmt::format("{}, {} kernels: chunk {} is wrong ({}); no time is reported", code_.name(),
                       to_string(codec_.info().isa), *wrong, what));
    }
  }

  const Code& code_;
  const Codec& codec_;
  BenchFixture& fixture_;
  const MeasureOptions& options_;
  const std::size_t chunk_bytes_;
  std::deque<Turns> turns_;  ///< encoding first; a deque, as pointers to its elements are kept
};

}  // namespace

Json speed_json(const Code& code, std::size_t chunk_bytes, double seconds) {
  return {{"seconds", seconds},
          {"data_gb_per_s", gigabytes_per_second(data_capacity(code, chunk_bytes), seconds)},
          {"stripe_gb_per_s", gigabytes_per_second(chunk_bytes * code.locations, seconds)}};
}

Json measure(const Code& code, const Codec& codec, BenchFixture& fixture,
             const MeasureOptions& options) {
  return TimedOperations(code, codec, fixture, options).run();
}

}  // namespace xorloom::cli
