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

namespace xorloom::cli {
namespace {

constexpr std::size_t kLeastRounds = 3;
constexpr std::size_t kMostRounds = 31;
constexpr double kRoundsSeconds = 0.8;  // more rounds begin before this is over
constexpr std::size_t kFinalists = 3;
constexpr std::size_t kLargeStripe = std::size_t{32} << 20;  // past which they are chosen once

/// Everything that takes its turn at one operation.
struct Turns {
  explicit Turns(Plan of) : plan(std::move(of)) {}
  Plan plan;
  Contender ours{"xorloom", {}};
  PlainXorStreams streams{};
  std::vector<const std::uint8_t*> reads;
  std::vector<std::uint8_t*> writes;
  std::vector<Contender> limits;
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
        chunk_bytes_(fixture.stripe.chunk_bytes()) {
    result_ = {codec_.info(),
               options.threads,
               fixture.layout,
               chunk_bytes_,
               data_capacity(code, chunk_bytes_),
               chunk_bytes_ * code.locations,
               fixture.verified_by,
               0,
               1,
               0,
               {}};
  }

  Measurement run() {
    add({}, codec_.encoding());
    for (const std::vector<std::size_t>& lost : options_.losses) add(lost, codec_.decoding(lost));
    add_limits();
    run_rounds();
    if (options_.small && result_.threads == 1) take_latencies();
    std::vector<std::size_t> all(code_.locations);
    std::iota(all.begin(), all.end(), std::size_t{0});
    verify("after timing", all);
    return result_;
  }

 private:
  /// Runs a plan once on ruined outputs and compares.
  void add(const std::vector<std::size_t>& lost, const Plan& plan) {
    Turns& turns = turns_.emplace_back(plan);
    turns.ours.run = [this, &turns](std::size_t calls) {
      for (std::size_t i = 0; i < calls; ++i) {
        check(turns.plan.run(fixture_.stripe.pointers(), chunk_bytes_));
      }
    };
    result_.operations.push_back({lost, plan.reads().size(), plan.writes().size(), 0, {}, {}});
    ruin(fixture_, plan, code_);
    turns.ours.run(1);
    verify(lost.empty() ? "encoding" : "decoding", plan.writes());
    prepare(turns.ours);
    warm_up(turns.ours);
  }

  /// Plain XOR reads chunks that encoding reads and writes those it writes, as many of both as the
  /// operation does: encoding makes good what it wrote. Where encoding writes to chunks that it
  /// reads, there is no such limit.
  void add_limits() {
    const Plan& encoding = turns_.front().plan;
    for (const std::size_t location : encoding.reads()) {
      if (std::ranges::find(encoding.writes(), location) != encoding.writes().end()) return;
    }
    const bool select_once = result_.stripe_bytes > kLargeStripe || result_.threads > 1;
    std::vector<std::string> finalists;
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      Turns& turns = turns_[i];
      const std::size_t num_reads = result_.operations[i].num_reads;
      const std::size_t num_writes = result_.operations[i].num_writes;
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
      turns.limits = limit_contenders(turns.streams, chunk_bytes_, result_.threads);
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
    contender.threads = result_.threads;
    contender.begins_cold = !options_.cached;
  }

  void run_rounds() {
    std::vector<std::uint8_t*> targets;
    std::vector<const std::uint8_t*> sources;
    for (const std::size_t location : turns_.front().plan.reads()) {
      sources.push_back(fixture_.expected.pointers()[location]);
      targets.push_back(fixture_.stripe.pointers()[location]);  // which holds the same
    }
    Contender copy = copy_contender(targets, sources, chunk_bytes_, result_.threads);
    prepare(copy);
    warm_up(copy);
    const Stopwatch watch;
    const double processor_before = thread_seconds();
    while (result_.rounds < kLeastRounds ||
           (result_.rounds < kMostRounds && watch.seconds() < kRoundsSeconds)) {
      take_turn(copy);
      for (Turns& turns : turns_) {
        if (&turns == &turns_.front()) take_turns_of_limits();
        take_turn(turns.ours);  // last: it makes good what the others wrote
      }
      ++result_.rounds;
    }
    result_.processor_share = (thread_seconds() - processor_before) / watch.seconds();
    result_.copy_seconds = median_seconds(copy);
    for (std::size_t i = 0; i < turns_.size(); ++i) conclude(turns_[i], result_.operations[i]);
  }

  /// They write the redundancy, which encoding makes good.
  void take_turns_of_limits() {
    for (Turns& turns : turns_) {
      for (Contender& limit : turns.limits) take_turn(limit);
    }
  }

  void conclude(const Turns& turns, Operation& operation) const {
    operation.seconds = median_seconds(turns.ours);
    for (const Contender& limit : turns.limits) {
      const double seconds = median_seconds(limit);
      if (operation.limit.seconds == 0 || seconds < operation.limit.seconds) {
        operation.limit = {limit.name, seconds};
      }
    }
  }

  /// Of encoding, and of the decoding of most chunks.
  void take_latencies() {
    result_.operations.front().latency = latency_of(turns_.front().ours.run);
    if (turns_.size() > 1) result_.operations.back().latency = latency_of(turns_.back().ours.run);
  }

  void verify(const char* what, const std::vector<std::size_t>& locations) const {
    if (const auto wrong = first_difference(fixture_, locations)) {
      fail(Status::kInternal,
           fmt::format("{}, {} kernels: chunk {} is wrong ({}); no time is reported", code_.name(),
                       to_string(result_.info.isa), *wrong, what));
    }
  }

  const Code& code_;
  const Codec& codec_;
  BenchFixture& fixture_;
  const MeasureOptions& options_;
  const std::size_t chunk_bytes_;
  std::deque<Turns> turns_;  ///< encoding first; they stay where they are
  Measurement result_;
};

}  // namespace

Measurement measure(const Code& code, const Codec& codec, BenchFixture& fixture,
                    const MeasureOptions& options) {
  return TimedOperations(code, codec, fixture, options).run();
}

}  // namespace xorloom::cli
