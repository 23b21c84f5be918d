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

/// Work of a plan: of a core for a tile, and of a call per column of a chunk.
struct PlanWork {
  Isa isa = Isa::kPortable;
  Arrangement arrangement = Arrangement::kPacket;
  std::size_t threads = 1;
  std::size_t rows = 1;        ///< a chunk has chunk_bytes / rows columns
  std::size_t inputs = 0;      ///< bytes read for a column
  std::size_t outputs = 0;     ///< bytes written for a column
  std::size_t operations = 0;  ///< operands that a kernel adds up for a column
  std::size_t chunks = 0;      ///< chunks read or written
  TileCounts tile{};           ///< counts of machine code, or of kernels if there is none
  std::size_t tile_columns = 1;
  std::size_t data_bytes = 0;  ///< user's data in the columns of a tile
};

/// Work of a plan that threads run.
///
/// Shape: the computation runs the program; one without equations stands for the rows of its map.
PlanWork plan_work(const Code& code, const Program& program, const Computation& computation,
                   const PlanOptions& options);

/// Seconds of a call on the processor, if threads share the work without any loss. Costs that were
/// not measured count as 0.
double processor_seconds(const MachineRates& rates, const PlanWork& work, std::size_t chunk_bytes);

/// Seconds of a call on devices, with chunks in any memory of the host. Copies in both directions,
/// the kernel and the threads that copy to the lanes are at work at once, each on another slice:
///
///   call + longest + (all - longest) / slices
///
/// The first device counts alone, though several share the work.
double device_seconds(const DeviceRates& rates, const PlanWork& work, std::size_t chunk_bytes);

/// Fraction of the columns that devices compute if threads compute the rest and both end at the
/// same time. The arguments are the seconds that each takes for all columns.
constexpr double device_share(double processor_seconds, double device_seconds) {
  return processor_seconds / (processor_seconds + device_seconds);
}

/// Factor by which a device has to be faster than the processor, since predictions are not exact.
inline constexpr double kDeviceMargin = 1.25;

/// The devices that `auto` chooses for a call. Null: the processor, for example if the kernel would
/// be too long.
const DeviceRates* device_that_pays(const MachineRates& rates, const PlanWork& work,
                                    std::size_t chunk_bytes);

/// The kept rates of this machine, if the executor is `auto`, the store is the user's, and the
/// rates include devices; else null.
std::shared_ptr<const MachineRates> rates_with_devices(const PlanOptions& options);

/// Chooses the calls of a plan that a device computes, if the executor is `auto`. Finds the device,
/// and makes and accepts its kernel, once earlier calls would have saved the time that this takes.
/// Uses only devices that were measured and are not processors.
class DeviceChoice {
 public:
  /// Precondition: `on_cpu` computes the map, is accepted, and outlives this object.
  DeviceChoice(Code code, LinearMap map, Program program, const PlanWork& work,
               std::shared_ptr<const MachineRates> rates, const Computation& on_cpu)
      : code_(std::move(code)),
        map_(std::move(map)),
        program_(std::move(program)),
        work_(work),
        rates_(std::move(rates)),
        on_cpu_(on_cpu) {}

  /// Returns true if a device has computed the call. Else the outputs hold any bytes.
  bool run(std::uint8_t* const* chunks, std::size_t chunk_bytes) noexcept;

  /// Approximate bytes of memory.
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
  bool is_over_ = false;  ///< the program was made, or cannot be made
  std::optional<DeviceProgram> made_;
  std::atomic<const DeviceProgram*> ready_ = nullptr;  ///< made_ once it is complete; else null
};

/// The choice of a plan, or null if no device pays for chunks of any size.
std::shared_ptr<DeviceChoice> device_choice(const Code& code, const LinearMap& map,
                                            const Program& program, const PlanOptions& options,
                                            const Computation& on_cpu);

/// Lets devices run a plan that is ready to run on the processor, if the options' executor runs on
/// devices and the kernel can be made. Else the plan stays as it is, why_no_device says why, and
/// the function of set_log() gets the reason.
///
/// Shape:  the program computes the map; one without equations stands for the map itself.
/// Errors: throws kUnsupported, or kInternal if a kernel is not accepted, if options.needs_devices.
void use_devices(const Code& code, const LinearMap& map, const Program& program,
                 const PlanOptions& options, PlanAccess::Impl& plan);

/// The names of the devices that run a plan, with commas between them; "" if threads run it.
std::string device_names(const Plan& plan);

}  // namespace xorloom
