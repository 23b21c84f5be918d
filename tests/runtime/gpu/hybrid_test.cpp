// Executor `hybrid`: threads of the processor beside the coprocessor in Verilog, which Verilator
// simulates in a process of its own.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "codes/bits.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/gpu/device_computation.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/threads.hpp"
#include "runtime/plans/device_choice.hpp"
#include "tests/runtime/gpu/coprocessor_device.hpp"

namespace xorloom {
namespace {

#define SKIP_WITHOUT_SIMULATION()      \
  SKIP_WITHOUT_TOOL("verilator");      \
  SKIP_WITHOUT_COMPILERS(compilers()); \
  if (std::string why; [&] {           \
        simulation_folder(why);        \
        return !why.empty();           \
      }()) {                           \
    FAIL_CHECK(why);                   \
    return;                            \
  }

constexpr double kClockSeconds = 1 / 124e6;  // clock period of the paper's array

/// The coprocessor as the only device of an executor, and of `hybrid`.
class CoprocessorAlone {
 public:
  explicit CoprocessorAlone(const Code& code)
      : device(std::make_shared<const CoprocessorDevice>(code)),
        no_cuda_(Executor::kCuda, make_device_set({}, "there is none")),
        opencl_(Executor::kOpencl, make_device_set({device}, "", {1, 256, 4096})) {}

  const std::shared_ptr<const CoprocessorDevice> device;

 private:
  OtherDevices no_cuda_;
  OtherDevices opencl_;
};

ColumnSplit split_of(const Plan& plan) { return PlanAccess::impl_of(plan).on_devices->split(); }

TEST_CASE("A coprocessor in Verilog encodes and decodes as a device, alone and beside threads") {
  SKIP_WITHOUT_SIMULATION();
  for (const std::string spec :
       {"rs:k=10,m=4", "isa-cauchy:k=4,m=2", "lrc:k=4,m=2,l=3", "zigzag:k=3,r=2",
        "cauchy:k=5,m=2,w=3,packet_bytes=24", "evenodd:k=3,packet_bytes=64"}) {
    const Code code = make_code(spec);
    for (const Executor executor : {Executor::kOpencl, Executor::kHybrid}) {
      CAPTURE(std::string(to_string(executor)));
      const CoprocessorAlone alone(code);
      std::atomic<std::uint64_t> columns = 0;
      alone.device->computed = [&](std::uint64_t, std::size_t more) { columns += more; };
      const Codec codec(spec, {.threads = 2, .executor = executor});
      CHECK(codec.info().devices == "coprocessor of 8 x 8");
      const std::size_t chunk_bytes = 3000 / chunk_multiple(code) * chunk_multiple(code);
      check_decoding(codec, code, {0, 1}, chunk_bytes);
      check_decoding(codec, code, {2}, chunk_bytes);
      columns = 0;  // forget the columns of acceptance and of decoding
      check_encoding(codec, code, chunk_bytes);
      const ColumnSplit split = split_of(codec.encoding());
      CHECK(split.all == chunk_bytes / units_of_chunk(code));
      CHECK(split.on_devices == columns);
      if (executor == Executor::kOpencl) CHECK(split.on_devices == split.all);
    }
  }
}

/// The time of a world in which the processor and a device work at the same time: whoever is ahead
/// waits for the other, as long as there are columns left.
class SimulatedTime {
 public:
  enum Who : std::size_t { kProcessor, kDevice };

  explicit SimulatedTime(std::size_t columns) : columns_left_(columns) {}

  void spend(Who who, double seconds, std::size_t columns) {
    std::unique_lock lock(mutex_);
    at_[who] += seconds;
    columns_left_ -= columns;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(20),
                      [&] { return columns_left_ == 0 || at_[who] <= at_[1 - who]; });
  }

  /// Time at which both have ended.
  double seconds() const { return std::max(at_[0], at_[1]); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t columns_left_;
  std::array<double, 2> at_{};
};

/// A computation that tells how many columns it has just computed.
class Told final : public Computation {
 public:
  Told(std::unique_ptr<const Computation> computation, std::function<void(std::size_t)> tell)
      : Computation(computation->facts()),
        computation_(std::move(computation)),
        tell_(std::move(tell)) {}

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    computation_->run(chunks, chunk_bytes, begin, end, stores);
    tell_(end - begin);
  }
  std::size_t memory_bytes() const noexcept override { return computation_->memory_bytes(); }

 private:
  std::unique_ptr<const Computation> computation_;
  std::function<void(std::size_t)> tell_;
};

TEST_CASE("The split that the queue finds is the one that rates predict") {
  SKIP_WITHOUT_SIMULATION();
  if (usable_threads(2) < 2) return;  // threads that take turns find nothing
  const Code code = make_code("rs:k=10,m=4");
  const Program program = direct_symbols(code, encoding_map(code));
  constexpr std::size_t kBytes = 8192;
  const auto device = std::make_shared<const CoprocessorDevice>(code);
  const auto set = make_device_set({device}, "", {1, 1024, 4096});
  const Stripe expected = encoded_stripe(code, kBytes);
  const auto kernels = [&] {
    return make_computation(code, program, {.isa = choose_isa(), .engine = Engine::kKernels});
  };

  std::uint64_t clocks = 0;
  device->computed = [&](std::uint64_t more, std::size_t) { clocks += more; };
  const DeviceProgram on_device(code, program, set, KernelFiles::kNotKept);
  on_device.run(Stripe(expected).chunks(), kBytes, 0, kBytes);
  // Two clocks a word, and some for the matrix and the first results of each slice.
  CHECK(clocks >= 2 * kBytes);
  CHECK(clocks < 2.5 * kBytes);
  const double alone = static_cast<double>(clocks) * kClockSeconds;

  for (const double times_as_fast : {0.25, 1.0, 3.0}) {  // a processor beside the coprocessor
    CAPTURE(times_as_fast);
    SimulatedTime time(kBytes);
    device->computed = [&](std::uint64_t more, std::size_t columns) {
      time.spend(SimulatedTime::kDevice, static_cast<double>(more) * kClockSeconds, columns);
    };
    const DeviceComputation both(
        DeviceProgram(code, program, set, KernelFiles::kNotKept),
        std::make_unique<const Told>(
            kernels(),
            [&](std::size_t columns) {
              time.spend(SimulatedTime::kProcessor,
                         alone / times_as_fast / kBytes * static_cast<double>(columns), columns);
            }),
        {Executor::kAuto, 2, {}}, Executor::kHybrid);
    Stripe stripe = expected;
    for (const std::size_t location : {10U, 11U, 12U, 13U}) stripe.lose(location);
    both.run(stripe.chunks(), kBytes, 0, kBytes, Stores::kOrdinary);
    CHECK(stripe == expected);
    const double predicted = device_share(alone / times_as_fast, alone);
    const double found =
        static_cast<double>(both.split().on_devices) / static_cast<double>(both.split().all);
    MESSAGE("share of the coprocessor: predicted ", predicted, ", found ", found, "; in ",
            time.seconds() / alone, " of the coprocessor's time");
    CHECK(found > predicted - 0.1);
    CHECK(found < predicted + 0.1);
    // Both together take less time than either alone.
    CHECK(time.seconds() < 1.1 * predicted * alone + 0.1 * alone);
  }
}

void wait_until_lost(const Device& device) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(100);
  while (!device.is_lost() && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("If a co-simulation dies, before a call or within one, the processor computes it") {
  SKIP_WITHOUT_SIMULATION();
  const std::string spec = "rs:k=10,m=4";
  const Code code = make_code(spec);
  for (const Executor executor : {Executor::kOpencl, Executor::kHybrid}) {
    if (executor == Executor::kHybrid && usable_threads(2) < 2) continue;  // nobody drives it
    for (const std::size_t words : {0U, 500U}) {
      CAPTURE(std::string(to_string(executor)));
      CAPTURE(words);
      const CoprocessorAlone alone(code);
      const Codec codec(spec, {.threads = 2, .executor = executor});
      const Plan decoding = codec.decoding(std::vector<std::size_t>{0, 3});
      if (words == 0) {
        alone.device->simulation().kill();
      } else {
        alone.device->simulation().request(3, words);
      }
      const Heard heard;
      constexpr std::size_t kBytes = std::size_t{1} << 17;
      const Stripe expected = encoded_stripe(code, kBytes);
      Stripe stripe = expected;
      for (const std::size_t location : {10U, 11U, 12U, 13U}) stripe.lose(location);
      if (executor == Executor::kHybrid) {
        // The processor waits for the device, which would come too late for a share of some calls.
        const Program program = direct_symbols(code, encoding_map(code));
        const DeviceComputation both(
            DeviceProgram(code, program, make_device_set({alone.device}, "", {1, 1024, 4096}),
                          KernelFiles::kNotKept),
            std::make_unique<const Told>(
                make_computation(code, program, {.isa = choose_isa(), .engine = Engine::kKernels}),
                [&](std::size_t) { wait_until_lost(*alone.device); }),
            {Executor::kAuto, 2, {}}, executor);
        both.run(stripe.chunks(), kBytes, 0, kBytes, Stores::kOrdinary);
      } else {
        REQUIRE(codec.encode(stripe.chunks(), kBytes) == Status::kOk);
      }
      REQUIRE(stripe == expected);
      CHECK(alone.device->is_lost());
      REQUIRE(!heard.sentences.empty());
      CHECK(heard.sentences[0].ends_with("the co-simulation has ended"));
      check_encoding(codec, code, 8192);
      check_decoding(codec, code, {0, 3}, 8192);
      CHECK(split_of(decoding).on_devices == 0);
      CHECK(
          refusal_of(executor, spec).ends_with("coprocessor of 8 x 8 has failed in this process"));
    }
  }
}

}  // namespace
}  // namespace xorloom
