#include "runtime/engine/tile_code.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kAlignment = 64;

Schedule proved_schedule(const TileProgram& tile, const VectorMachine& machine,
                         const MachineCodeOptions& options) {
  Schedule schedule = assign_registers(tile, machine, !options.non_temporal);
  if (const auto wrong = find_disagreement(schedule, tile, machine)) {
    fail(Status::kInternal, fmt::format("a schedule was not proved: {}", *wrong));
  }
  return schedule;
}

TileKernel kernel_at(const ExecutableMemory& memory, std::size_t offset) {
  const auto* place = static_cast<const std::uint8_t*>(memory.begin()) + offset;
  return reinterpret_cast<TileKernel>(const_cast<std::uint8_t*>(place));
}

}  // namespace

std::optional<VectorMachine> vector_machine(Isa isa) {
  if (!can_write_machine_code()) return std::nullopt;
  if (vector_bytes(isa) == 64) return kThreeWayMachine;
  if (vector_bytes(isa) == 32) return kTwoWayMachine;
  return std::nullopt;
}

std::optional<TileCode> TileCode::make(const TileProgram& tile, const VectorMachine& machine,
                                       const MachineCodeOptions& options) {
  // An instruction takes four bytes at the least.
  if (tile.equations.size() > kMostCodeBytes / 4) return std::nullopt;
  MachineCodeOptions through = options;
  through.non_temporal = false;
  MachineCodeOptions past = options;
  past.non_temporal = true;
  const Schedule schedule = proved_schedule(tile, machine, through);
  std::vector<std::uint8_t> bytes = machine_code(tile, schedule, machine, through);
  if (bytes.empty()) return std::nullopt;
  const TileCounts counts = counts_of(tile, schedule, machine.vector_bytes, bytes.size());
  bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment, 0xcc);
  const std::size_t second = bytes.size();
  const std::vector<std::uint8_t> non_temporal =
      machine_code(tile, proved_schedule(tile, machine, past), machine, past);
  if (non_temporal.empty()) return std::nullopt;
  bytes.insert(bytes.end(), non_temporal.begin(), non_temporal.end());

  std::optional<ExecutableMemory> memory = ExecutableMemory::hold(bytes);
  if (!memory) {
    fail(Status::kUnsupported,
         fmt::format("the system gives no executable memory for {} bytes of machine code",
                     bytes.size()));
  }
  TileCode code;
  code.memory_ = std::make_shared<const ExecutableMemory>(std::move(*memory));
  code.ordinary_ = kernel_at(*code.memory_, 0);
  code.counts_ = counts;
  code.non_temporal_ = kernel_at(*code.memory_, second);
  return code;
}

}  // namespace xorloom
