#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/gpu/device_program.hpp"
#include "runtime/plans/machine_rates.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {

/// What a call does on the processor and on a device, by what it does for a column.
struct PlanWork {
  Isa isa;
  Arrangement arrangement;
  std::size_t threads;
  std::size_t rows;        ///< a chunk has one column for that many bytes
  std::size_t inputs;      ///< bytes of a column
  std::size_t outputs;     ///< bytes of a column
  std::size_t operations;  ///< that a kernel adds up
  std::size_t chunks;      ///< read or written
  TileCounts tile;
  std::size_t tile_columns;
};

/// Of a plan that threads run.
///
/// Shape: the computation is that of the program; one without equations stands for the map itself.
PlanWork plan_work(const Code& code, const Program& program, const Computation& computation,
                   const PlanOptions& options);

/// Seconds of a call on the processor. Threads are taken to share the work without any loss; what
/// is not measured takes no time.
double processor_seconds(const MachineRates& rates, const PlanWork& work, std::size_t chunk_bytes);

/// Seconds of a call on chunks in memory of the host.
double device_seconds(const DeviceRates& rates, const PlanWork& work, std::size_t chunk_bytes);

/// The part of the columns that devices compute if threads compute the rest and both end at the
/// same time, by the seconds that each takes for all of them.
constexpr double device_share(double processor_seconds, double device_seconds) {
  return processor_seconds / (processor_seconds + device_seconds);
}

/// A device has to be that many times as fast as the processor, since predictions are not exact.
inline constexpr double kDeviceMargin = 1.25;

/// The devices that `auto` gives a call to, or null for the processor, as where a kernel would be
/// too long.
const DeviceRates* device_that_pays(const MachineRates& rates, const PlanWork& work,
                                    std::size_t chunk_bytes);

/// The rates that are kept of this machine, if the executor is `auto`, the store is the user's,
/// and there are devices among the rates; else null.
std::shared_ptr<const MachineRates> rates_with_devices(const PlanOptions& options);

/// Which calls of a plan a device computes, where the executor is `auto`. The device is looked for,
/// and the kernel is made and accepted, when the calls so far would have saved as much time as that
/// takes. Devices that are not those that were measured, and processors, are not used.
class DeviceChoice {
 public:
  /// Shape: on_cpu computes the map, and is accepted.
  DeviceChoice(Code code, LinearMap map, Program program, const PlanWork& work,
               std::shared_ptr<const MachineRates> rates, const Computation& on_cpu)
      : code_(std::move(code)),
        map_(std::move(map)),
        program_(std::move(program)),
        work_(work),
        rates_(std::move(rates)),
        on_cpu_(on_cpu) {}

  /// Whether a device has computed the call. If it has not, outputs hold any bytes.
  bool run(std::uint8_t* const* chunks, std::size_t chunk_bytes) noexcept;

  /// About what it takes of memory.
  std::size_t memory_bytes() const noexcept;

 private:
  const DeviceProgram* program_for(const DeviceRates& rates, double saved);
  void make(const DeviceRates& rates);

  Code code_;
  LinearMap map_;
  Program program_;
  PlanWork work_;
  std::shared_ptr<const MachineRates> rates_;
  const Computation& on_cpu_;
  std::mutex mutex_;
  double saved_ = 0;      ///< seconds that a device would have saved so far
  bool is_over_ = false;  ///< it was made, or is not to be had
  std::optional<DeviceProgram> made_;
  std::atomic<const DeviceProgram*> ready_ = nullptr;  ///< what was made
};

/// The choice of a plan, or null if no device pays for chunks of any size.
std::shared_ptr<DeviceChoice> device_choice(const Code& code, const LinearMap& map,
                                            const Program& program, const PlanOptions& options,
                                            const Computation& on_cpu);

/// Lets devices run a plan that is ready to run on the processor, if the options' executor runs on
/// devices and the kernel can be made. Else the plan stays as it is, why_no_device says why, and
/// the function of set_log() hears it.
///
/// Shape:  the program computes the map; one without equations stands for the map itself.
/// Errors: throws kUnsupported, or kInternal if a kernel is not accepted, if options.needs_devices.
void use_devices(const Code& code, const LinearMap& map, const Program& program,
                 const PlanOptions& options, PlanAccess::Impl& plan);

/// The names of the devices that run a plan, with commas between them; "" if threads run it.
std::string device_names(const Plan& plan);

}  // namespace xorloom
