#include "runtime/plans/device_choice.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/task_graph.hpp"
#include "runtime/gpu/device_computation.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/store/store.hpp"

namespace xorloom {
namespace {

/// Seconds that finding devices and making a kernel may take.
constexpr double kSecondsOfMaking = 1;

/// Bytes of the chunks for which device_choice() looks for a device that pays.
constexpr std::size_t kLeastChunk = std::size_t{1} << 12;
constexpr std::size_t kMostChunk = std::size_t{1} << 30;

double real(std::size_t count) { return static_cast<double>(count); }

double columns_of_chunk(const PlanWork& work, std::size_t chunk_bytes) {
  return real(chunk_bytes) / real(work.rows);
}

/// User's data in the columns of a tile, which is some vectors of each cell, or of each row of one.
std::size_t data_bytes_of(const Code& code, const Program& program, const TileCounts& tile) {
  if (program.outputs.empty()) return 0;
  const std::size_t data_elements = code.data.size() * (code.field.w() / program.field.w());
  return tile.vectors_written * tile.vector_bytes * data_elements / program.outputs.size();
}

/// Operands that a kernel adds up for a column, at most.
std::size_t operations_of(const Program& program) {
  if (program.equations.empty()) return program.inputs.size() * program.outputs.size();
  return num_operands(program);
}

/// True if a kernel has few enough chunks and, by an estimate, a short enough text.
bool may_have_kernel(const PlanWork& work) {
  const std::size_t text_bytes = work.arrangement == Arrangement::kPacket ? 16 : 32;
  return work.chunks <= kMostKernelChunks && work.operations * text_bytes <= kMostKernelText;
}

/// The program that devices run in place of one that threads run.
Program program_on_devices(const Code& code, const LinearMap& map, const Program& program) {
  if (!program.equations.empty()) return program;
  if (code.arrangement == Arrangement::kWord) return direct_symbols(code, map);
  return direct_program(code, map);  // says that they are too many
}

}  // namespace

PlanWork plan_work(const Code& code, const Program& program, const Computation& computation,
                   const PlanOptions& options) {
  const std::size_t threads = options.execution.threads;
  return {options.isa,
          code.arrangement,
          threads != 0 ? threads : this_machine().cores,
          program.rows,
          program.inputs.size(),
          program.outputs.size(),
          operations_of(program),
          locations_in_use(program).size(),
          computation.counts(),
          std::max<std::size_t>(1, columns_of(computation.counts(), program.outputs.size())),
          data_bytes_of(code, program, computation.counts())};
}

double processor_seconds(const MachineRates& rates, const PlanWork& work, std::size_t chunk_bytes) {
  const MachineRates::Of* const of = find_rates(rates, work.isa, work.arrangement);
  if (of == nullptr) return 0;
  const double columns = columns_of_chunk(work, chunk_bytes);
  const double bytes = columns * real(work.inputs + work.outputs) / real(work.threads);
  const Level level = level_of(rates.caches, static_cast<std::size_t>(bytes));
  const double tiles = columns / real(work.tile_columns) / real(work.threads);
  return seconds_of_call(of->costs, level, work.tile, work.chunks, tiles);
}

double device_seconds(const DeviceRates& rates, const PlanWork& work, std::size_t chunk_bytes) {
  const KernelRates& kernel =
      work.arrangement == Arrangement::kPacket ? rates.packets : rates.words;
  const double columns = columns_of_chunk(work, chunk_bytes);
  const double in = columns * real(work.inputs);
  const double out = columns * real(work.outputs);
  const double slices = real(num_slices({}, static_cast<std::size_t>(in + out), 1));
  const double copying = std::min({real(work.threads), slices, real(SliceSizes{}.lanes)});
  const double computing = columns * real(work.operations) * kernel.operation;
  const std::array parts = {(in + out) * rates.byte_staged / copying, in * rates.byte_in,
                            out * rates.byte_out, std::max((in + out) * kernel.byte, computing)};
  const double longest = std::ranges::max(parts);
  const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
  return rates.call + longest + (all - longest) / slices;
}

const DeviceRates* device_that_pays(const MachineRates& rates, const PlanWork& work,
                                    std::size_t chunk_bytes) {
  if (!may_have_kernel(work)) return nullptr;
  const DeviceRates* best = nullptr;
  double least = processor_seconds(rates, work, chunk_bytes) / kDeviceMargin;
  for (const DeviceRates& devices : rates.devices) {
    const double seconds = device_seconds(devices, work, chunk_bytes);
    if (seconds >= least) continue;
    best = &devices;
    least = seconds;
  }
  return best;
}

std::shared_ptr<const MachineRates> rates_with_devices(const PlanOptions& options) {
  if (options.execution.executor != Executor::kAuto || options.wisdom != Store::kUser) {
    return nullptr;
  }
  const std::string path = rates_path();
  if (path.empty() || ::access(path.c_str(), R_OK) != 0) return nullptr;  // as on most machines
  MachineRates rates = kept_rates();
  return rates.devices.empty() ? nullptr : std::make_shared<const MachineRates>(std::move(rates));
}

bool DeviceChoice::run(std::uint8_t* const* chunks, std::size_t chunk_bytes) noexcept try {
  const DeviceRates* const rates = device_that_pays(*rates_, work_, chunk_bytes);
  if (rates == nullptr) return false;
  const double saved =
      processor_seconds(*rates_, work_, chunk_bytes) - device_seconds(*rates, work_, chunk_bytes);
  const DeviceProgram* const program = program_for(*rates, saved);
  if (program == nullptr) return false;
  program->run(chunks, chunk_bytes, 0, on_cpu_.columns(chunk_bytes), work_.threads);
  return true;
} catch (const Error& error) {
  log_device_failure(error.what());
  return false;
} catch (...) {  // memory ran out
  return false;
}

std::size_t DeviceChoice::memory_bytes() const noexcept {
  return sizeof *this + num_operands(program_) * sizeof(Operand) +
         map_.inputs.size() * map_.outputs.size() * sizeof(Field::Symbol);
}

const DeviceProgram* DeviceChoice::program_for(const DeviceRates& rates, double saved) {
  if (const DeviceProgram* const made = ready_.load(std::memory_order_acquire)) return made;
  // While another thread makes the device program, this call runs on the processor.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || is_over_) return nullptr;
  saved_ += saved;
  if (saved_ < kSecondsOfMaking) return nullptr;
  is_over_ = true;
  make(rates);
  return ready_.load(std::memory_order_relaxed);
}

void DeviceChoice::make(const DeviceRates& rates) {
  const auto set = device_set(rates.executor);
  if (set->pools.empty() || description_of(*set) != rates.devices ||
      std::ranges::any_of(set->pools,
                          [](const auto& pool) { return pool->device().is_processor(); })) {
    return;
  }
  // Executor `auto` has rates of devices from the user's cache directory alone.
  DeviceProgram made(code_, program_on_devices(code_, map_, program_), set, KernelFiles::kUsers);
  accept(code_, map_, made, on_cpu_);
  ready_.store(&made_.emplace(std::move(made)), std::memory_order_release);
}

std::shared_ptr<DeviceChoice> device_choice(const Code& code, const LinearMap& map,
                                            const Program& program, const PlanOptions& options,
                                            const Computation& on_cpu) {
  const PlanWork work = plan_work(code, program, on_cpu, options);
  for (std::size_t bytes = kLeastChunk; bytes <= kMostChunk; bytes *= 4) {
    if (device_that_pays(*options.rates, work, bytes) == nullptr) continue;
    return std::make_shared<DeviceChoice>(code, map, program, work, options.rates, on_cpu);
  }
  return nullptr;
}

void use_devices(const Code& code, const LinearMap& map, const Program& program,
                 const PlanOptions& options, PlanAccess::Impl& plan) {
  const Executor executor = options.execution.executor;
  if (map.outputs.empty()) return;
  if (options.rates != nullptr) {
    // Executor `auto` opens no library of devices before calls have shown that it pays.
    plan.choice = device_choice(code, map, program, options, *plan.computation);
    return;
  }
  if (!runs_on_devices(executor)) return;
  const Execution on_cpu{Executor::kAuto, plan.execution.threads, plan.execution.awake};
  plan.execution = on_cpu;
  try {
    const KernelFiles files =
        options.wisdom == Store::kUser ? KernelFiles::kUsers : KernelFiles::kNotKept;
    DeviceProgram on_devices(code, program_on_devices(code, map, program), device_set(executor),
                             files);
    accept(code, map, on_devices, *plan.computation);
    auto computation = std::make_unique<const DeviceComputation>(
        std::move(on_devices), std::move(plan.computation), on_cpu, executor);
    plan.on_devices = computation.get();
    plan.computation = std::move(computation);
    plan.execution = {executor, 1, {}};  // DeviceComputation has its own threads
  } catch (const Error& error) {
    if (options.needs_devices) {
      fail(error.kind(), "executor = {}: {}", to_string(executor), error.what());
    }
    plan.why_no_device = error.what();
    log_once(Status::kIo,
             fmt::format("a plan runs on the processor, not on a device: {}", plan.why_no_device));
  }
}

std::string device_names(const Plan& plan) {
  const DeviceComputation* const on_devices = PlanAccess::impl_of(plan).on_devices;
  std::string names;
  for (std::size_t i = 0; on_devices != nullptr && i < on_devices->program().num_devices(); ++i) {
    if (i != 0) names += ", ";
    names += on_devices->program().device(i).name();
  }
  return names;
}

}  // namespace xorloom
