#include "cli/measuring/device_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/progress.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/gpu/device_computation.hpp"
#include "runtime/gpu/kernel_cache.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kDeviceRounds = 9;
constexpr std::size_t kNext = std::size_t{64} << 10;  // bytes of a call that moves next to nothing

/// Bytes of a stripe: one that exceeds the cache of a GPU, and one for slow devices.
constexpr std::size_t kLargeBytes = std::size_t{256} << 20;
constexpr std::size_t kSmallBytes = std::size_t{8} << 20;
constexpr double kSlowSeconds = 1e-3;  // a kernel on kSmallBytes that takes longer: a slow device

/// A code that mostly moves bytes, and one that mostly computes.
struct Codes {
  const char* moving;
  const char* computing;
};
constexpr Codes kPackets = {"cauchy-good:k=10,m=2,w=8", "cauchy-good:k=12,m=12,w=5"};
constexpr Codes kWords = {"rs:k=10,m=2", "rs:k=16,m=16"};

/// Measures the first device of a set.
class DeviceMeasuring {
 public:
  explicit DeviceMeasuring(std::shared_ptr<const DeviceSet> set)
      : set_(std::move(set)),
        device_(set_->pools.front()->shared_device()),
        lane_(device_->make_lane(kSmallBytes)) {
    if (kernel_seconds(encoding(kPackets.moving, kSmallBytes)) > kSlowSeconds) return;
    lane_ = device_->make_lane(kLargeBytes);
  }

  DeviceRates rates(Executor executor) {
    const std::size_t bytes = lane_->bytes();
    std::vector<std::uint8_t> pageable(bytes, 1);
    std::uint8_t* const host = lane_->host();
    std::fill_n(host, bytes, std::uint8_t{1});
    const auto byte = [&](const std::function<void()>& copy) {
      return seconds(copy) / static_cast<double>(bytes);
    };
    DeviceRates rates;
    rates.executor = executor;
    rates.devices = description_of(*set_);
    rates.byte_staged = byte([&] { std::memcpy(host, pageable.data(), bytes); });
    rates.byte_in = byte([&] { lane_->copy_in(0, host, bytes); });
    rates.byte_out = byte([&] { lane_->copy_out(host, 0, bytes); });
    rates.packets = kernel_rates(kPackets);
    rates.words = kernel_rates(kWords);
    rates.call = call_seconds();
    return rates;
  }

 private:
  /// Seconds of `work`, which enqueues on the lane.
  double seconds(const std::function<void()>& work) {
    return timed_alone(
        [&](std::size_t calls) {
          for (std::size_t i = 0; i < calls; ++i) work();
          lane_->finish();
        },
        false, kDeviceRounds);
  }

  /// A kernel that encodes, and the places of its chunks in the memory of the lane.
  struct Encoding {
    KernelText text;
    std::shared_ptr<const DeviceKernel> kernel;
    std::vector<std::uint64_t> places;
    std::uint64_t pitch;
    std::uint64_t columns;
    double bytes;
    double operations;

    KernelLaunch launch() const { return {*kernel, places, pitch, columns, text.items(columns)}; }
  };

  Encoding encoding(const char* spec, std::size_t bytes) {
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    const Program program = code.arrangement == Arrangement::kPacket ? direct_program(code, map)
                                                                     : direct_symbols(code, map);
    const DeviceProgram accepted(code, program, set_, KernelFiles::kUsers);
    accept(code, map, accepted, *make_computation(code, program, {.isa = choose_isa({})}));
    Encoding made{accepted.text(), {}, {}, 0, 0, 0, 0};
    made.kernel = loaded_kernel(device_, made.text, KernelFiles::kUsers);
    const std::size_t multiple = chunk_multiple(code) * 64;
    const std::size_t chunk =
        std::max<std::size_t>(1, bytes / code.locations / multiple) * multiple;
    for (const std::size_t location : made.text.chunks) made.places.push_back(location * chunk);
    made.columns = chunk / program.rows;
    made.pitch = code.arrangement == Arrangement::kPacket ? 0 : made.columns;
    made.bytes = static_cast<double>(chunk * code.locations);
    for (const Equation& equation : program.equations) {
      made.operations += static_cast<double>(equation.operands.size() * made.columns);
    }
    return made;
  }

  double kernel_seconds(const Encoding& encoding) {
    return seconds([&] { lane_->launch(encoding.launch()); });
  }

  KernelRates kernel_rates(const Codes& codes) {
    const Encoding moving = encoding(codes.moving, lane_->bytes());
    const Encoding computing = encoding(codes.computing, lane_->bytes());
    return {kernel_seconds(moving) / moving.bytes,
            kernel_seconds(computing) / computing.operations};
  }

  /// Seconds of a call on few bytes; each call waits for the one before.
  double call_seconds() {
    const Encoding small = encoding(kWords.moving, kNext);
    return seconds([&] {
      lane_->copy_in(0, lane_->host(), 64);
      lane_->launch(small.launch());
      lane_->copy_out(lane_->host(), 0, 64);
      lane_->flush();
      lane_->finish();
    });
  }

  std::shared_ptr<const DeviceSet> set_;
  std::shared_ptr<const Device> device_;
  std::unique_ptr<DeviceLane> lane_;
};

}  // namespace

DeviceRates measured_device_rates(MachineRates& rates, Executor executor) {
  check_devices(executor);
  const auto set = device_set(executor);
  const std::string devices = description_of(*set);
  const auto known = std::ranges::find(rates.devices, executor, &DeviceRates::executor);
  if (known != rates.devices.end() && known->devices == devices) return *known;
  DeviceRates measured;
  {
    const ProgressLine line([&](std::size_t columns) {
      return fmt::format("measuring once: {}", devices).substr(0, columns);
    });
    measured = DeviceMeasuring(set).rates(executor);
  }
  const auto is_processor = [](const auto& pool) { return pool->device().is_processor(); };
  if (std::ranges::any_of(set->pools, is_processor)) return measured;
  std::erase_if(rates.devices, [&](const DeviceRates& of) { return of.executor == executor; });
  rates.devices.push_back(measured);
  keep_rates(rates);
  return measured;
}

}  // namespace xorloom::cli
