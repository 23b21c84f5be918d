#include "cli/measuring/code_speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <string_view>

#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/chunk_block.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/codec_access.hpp"

namespace xorloom::cli {
namespace {

constexpr int kPasses = 3;
constexpr int kTurns = 3;                // turns per pass, for chunks in L2
constexpr double kMemorySeconds = 0.15;  // seconds of calls in memory, per code
constexpr std::size_t kMemoryOverCache = 2;
constexpr std::size_t kMostLocations = 256;

/// Stripe size in bytes for timing in memory. It is smaller than that of `bench`, as more codes are
/// timed here.
std::size_t memory_stripe_bytes(const SystemDescription& machine) {
  return std::min(most_stripe_bytes(machine.caches, machine.memory_bytes),
                  kMemoryOverCache * machine.caches.l3);
}

/// The chunk size that gives a stripe of about `stripe_bytes`.
std::size_t chunk_bytes_of_stripe(const Code& code, std::size_t stripe_bytes) {
  const std::size_t multiple = std::lcm(chunk_multiple(code), kLineBytes);
  return std::max<std::size_t>(1, stripe_bytes / code.locations / multiple) * multiple;
}

/// Encoding or decoding, with its best times.
struct Timed {
  Plan plan;
  double l2 = 0;      ///< least seconds of a call in L2
  double memory = 0;  ///< least seconds of a call in memory; 0: not timed
};

void keep_least(double& least, double seconds) {
  if (least == 0 || seconds < least) least = seconds;
}

class Trial {
 public:
  Trial(const MeasuredCode& of, const Options& options, const SystemDescription& machine,
        const ChunkBlock& block)
      : Trial(of.code, options_for(of.engine, options), machine, block) {}

  void take_turns() {
    take_near_turns();
    take_far_turns();
  }

  CodeSpeeds speeds() const { return {speed_of(encode_), speed_of(decode_)}; }

 private:
  Trial(const Code& code, const Options& options, const SystemDescription& machine,
        const ChunkBlock& block)
      : code_(code),
        near_(make_fixture(code, chunk_bytes_of_stripe(code, machine.caches.l2 / 2),
                           Layout::kStaggered, options)),
        far_chunk_bytes_(chunk_bytes_of_stripe(code, memory_stripe_bytes(machine))),
        far_(block.chunks(code.locations, far_chunk_bytes_)),
        codec_(CodecAccess::codec_of(code, options)),
        lost_(most_lost(code)),
        encode_{codec_.encoding()},
        decode_{codec_.decoding(lost_)} {
    for (const Timed* timed : {&encode_, &decode_}) {
      ruin(near_, timed->plan, code_);
      run_near(*timed);
      if (const auto wrong = first_difference(near_, timed->plan.writes())) fail_at(*wrong);
    }
    take_near_turns();
    if (!has_time_for(encode_) || !has_time_for(decode_)) memory_seconds_ = kMemorySeconds;
    if (memory_seconds_ == 0) verify_far();
    take_far_turns();
  }

  static Options options_for(Engine engine, Options options) {
    options.executor = Executor::kRanges;  // no device
    options.engine = engine;
    options.threads = 1;
    return options;
  }

  void take_near_turns() {
    for (Timed* timed : {&encode_, &decode_}) {
      Contender contender{"", [&](std::size_t calls) {
                            for (std::size_t i = 0; i < calls; ++i) run_near(*timed);
                          }};
      warm_up(contender);
      for (int turn = 0; turn < kTurns; ++turn) take_turn(contender);
      keep_least(timed->l2, std::ranges::min(contender.seconds_of));
    }
  }

  /// Times one call of each operation in memory, until kMemorySeconds are spent.
  void take_far_turns() {
    if (memory_seconds_ >= kMemorySeconds) return;
    for (Timed* timed : {&encode_, &decode_}) {
      const Stopwatch watch;
      run_far(*timed);
      keep_least(timed->memory, watch.seconds());
      memory_seconds_ += watch.seconds();
    }
  }

  /// Verifies plans in memory, where stores may bypass the caches: encodes, then decodes the lost
  /// chunks.
  void verify_far() {
    run_far(encode_);
    std::vector<std::uint64_t> sums;
    for (const std::size_t l : lost_) {
      const std::span<std::uint8_t> chunk{far_[l], far_chunk_bytes_};
      sums.push_back(checksum(chunk));
      std::ranges::fill(chunk, std::uint8_t{0xa5});
    }
    run_far(decode_);
    for (std::size_t i = 0; i < lost_.size(); ++i) {
      if (checksum({far_[lost_[i]], far_chunk_bytes_}) != sums[i]) fail_at(lost_[i]);
    }
  }

  /// True if a call in memory fits kMemorySeconds, if it took as long per byte as one in L2.
  bool has_time_for(const Timed& timed) const {
    const double more =
        static_cast<double>(far_chunk_bytes_) / static_cast<double>(near_.stripe.chunk_bytes());
    return timed.l2 * more < kMemorySeconds;
  }

  void run_near(const Timed& timed) const {
    check(timed.plan.run(near_.stripe.pointers(), near_.stripe.chunk_bytes()));
  }
  void run_far(const Timed& timed) const { check(timed.plan.run(far_.data(), far_chunk_bytes_)); }

  CodeSpeed speed_of(const Timed& timed) const {
    const auto speed = [this](std::size_t chunk_bytes, double seconds) {
      return gigabytes_per_second(data_capacity(code_, chunk_bytes), seconds);
    };
    CodeSpeed speeds{speed(near_.stripe.chunk_bytes(), timed.l2), {}};
    if (timed.memory != 0) speeds.memory = speed(far_chunk_bytes_, timed.memory);
    return speeds;
  }

  [[noreturn]] void fail_at(std::size_t location) const {
    fail(Status::kInternal,
         fmt::format("{}: chunk {} is wrong; no time is reported", code_.name(), location));
  }

  const Code& code_;
  BenchFixture near_;
  std::size_t far_chunk_bytes_;
  std::vector<std::uint8_t*> far_;
  Codec codec_;
  std::vector<std::size_t> lost_;
  Timed encode_;
  Timed decode_;
  double memory_seconds_ = 0;
};

}  // namespace

std::vector<std::size_t> most_lost(const Code& code) {
  std::vector<std::size_t> lost(code.promised_losses);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  return lost;
}

std::vector<CodeSpeeds> measured_speeds(const std::vector<MeasuredCode>& codes,
                                        const Options& options) {
  const SystemDescription machine = describe_system();
  std::atomic<std::size_t> done = 0;
  const ProgressLine line([&](std::size_t columns) {
    return fmt::format("measuring {}: {} %", counted(codes.size(), "code"),
                       100 * done.load() / (kPasses * codes.size()))
        .substr(0, columns);
  });
  const ChunkBlock block(memory_stripe_bytes(machine), kMostLocations);
  std::vector<std::unique_ptr<Trial>> trials;
  for (const MeasuredCode& code : codes) {
    trials.push_back(std::make_unique<Trial>(code, options, machine, block));
    ++done;
  }
  for (int pass = 1; pass < kPasses; ++pass) {
    for (const std::unique_ptr<Trial>& trial : trials) {
      trial->take_turns();
      ++done;
    }
  }
  std::vector<CodeSpeeds> speeds;
  for (const std::unique_ptr<Trial>& trial : trials) speeds.push_back(trial->speeds());
  return speeds;
}

}  // namespace xorloom::cli
