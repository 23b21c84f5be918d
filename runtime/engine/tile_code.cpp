#include "runtime/engine/tile_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSets = 64;  ///< of the first cache; bits of a word

/// Code of fewer bytes of its streams per instruction computes for longer than it waits for memory.
/// With AVX2, words of 10 + 4 by tables have two to three, packets six to twelve.
constexpr std::size_t kBytesAnInstruction = 4;

TileKernel kernel_at(const ExecutableMemory& memory, std::size_t offset) {
  const auto* place = static_cast<const std::uint8_t*>(memory.begin()) + offset;
  return reinterpret_cast<TileKernel>(const_cast<std::uint8_t*>(place));
}

}  // namespace

std::optional<MachineFacts> vector_machine(Isa isa) {
  if (!can_write_machine_code()) return std::nullopt;
  if (vector_bytes(isa) != 32 && vector_bytes(isa) != 64) return std::nullopt;
  MachineFacts machine = vector_bytes(isa) == 64 ? kThreeWayMachine : kTwoWayMachine;
  machine.has_matrix_products = has_gfni(isa);
  return machine;
}

std::optional<std::string> why_no_code(Isa isa, const JitOptions& options) {
  if (!options.is_wanted) return "asked for";
  if (!vector_machine(isa)) {
    return fmt::format("no machine code is written for {}", to_string(isa));
  }
  return std::nullopt;
}

TileCode::TileCode(const LoweredKernels& kernels, const MachineFacts& machine)
    : vector_bytes_(machine.vector_bytes),
      counts_(counts_of(kernels.tile, kernels.schedule, machine, kernels.code_bytes)) {
  std::optional<ExecutableMemory> memory = ExecutableMemory::hold(kernels.bytes);
  if (!memory) {
    fail(Status::kUnsupported,
         fmt::format("the system gives no executable memory for {} bytes of machine code",
                     kernels.bytes.size()));
  }
  memory_ = std::make_shared<const ExecutableMemory>(std::move(*memory));
  ordinary_ = kernel_at(*memory_, 0);
  non_temporal_ = kernel_at(*memory_, kernels.non_temporal_at);
  near_ = kernels.near_at == 0 ? ordinary_ : kernel_at(*memory_, kernels.near_at);
  if (kernels.crowded_at != 0) {
    crowded_ = kernel_at(*memory_, kernels.crowded_at);
    const std::size_t vectors = counts_.vectors_read + counts_.vectors_written;
    is_computing_ = counts_.instructions * kBytesAnInstruction > vectors * machine.vector_bytes;
    sets_.resize(kernels.places.streams);
    for (const auto* places : {&kernels.places.inputs, &kernels.places.outputs}) {
      for (const TilePlaces::Place& place : *places) {
        sets_[place.stream] |= std::uint64_t{1} << place.offset / kLineBytes % kSets;
      }
    }
  }
  for (const TilePlaces::Place& place : kernels.places.outputs) written_.push_back(place.stream);
  std::ranges::sort(written_);
  written_.erase(std::unique(written_.begin(), written_.end()), written_.end());
}

bool TileCode::writes_vectors(std::uint8_t* const* streams) const noexcept {
  return std::ranges::all_of(written_, [&](std::uint32_t stream) {
    return reinterpret_cast<std::uintptr_t>(streams[stream]) % vector_bytes_ == 0;
  });
}

/// Whether more than eight lines compete in most of the sets that the first tile touches. Later
/// tiles move all streams on alike. Lines are counted in all sets at once: bit s of counts[i] is
/// bit i of the number for set s.
bool TileCode::are_crowded(std::uint8_t* const* streams) const noexcept {
  std::uint64_t counts[4] = {};
  std::uint64_t many = 0;  // 16 or more
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const std::size_t first = reinterpret_cast<std::uintptr_t>(streams[s]) / kLineBytes % kSets;
    std::uint64_t carry = std::rotl(sets_[s], static_cast<int>(first));
    for (std::uint64_t& count : counts) {
      const std::uint64_t next = count & carry;
      count ^= carry;
      carry = next;
    }
    many |= carry;
  }
  const std::uint64_t crowded = many | (counts[3] & (counts[0] | counts[1] | counts[2]));
  if (crowded == 0) return false;  // mostly so, and counting bits takes as long as all else here
  const std::uint64_t touched = counts[0] | counts[1] | counts[2] | counts[3] | many;
  return 2 * std::popcount(crowded) > std::popcount(touched);
}

}  // namespace xorloom
