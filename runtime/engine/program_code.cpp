#include "runtime/engine/program_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/machines/machines.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/kernels/word_factors.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSets = 64;  ///< sets of L1; bits of a word

/// Below this many bytes of streams per instruction, a kernel is compute bound. With AVX2, words of
/// 10 + 4 by tables have two to three, packets six to twelve.
constexpr std::size_t kBytesAnInstruction = 4;

TileKernel kernel_at(const ExecutableMemory& memory, std::size_t offset) {
  const auto* place = static_cast<const std::uint8_t*>(memory.begin()) + offset;
  return reinterpret_cast<TileKernel>(const_cast<std::uint8_t*>(place));
}

}  // namespace

std::optional<MachineFacts> vector_machine(Isa isa, std::size_t packet_bytes) {
  MachineFacts machine;
  switch (isa) {
    case Isa::kPortable:
    case Isa::kSsse3:
      return std::nullopt;
    case Isa::kNeon:
      machine = kNeonMachine;
      break;
    case Isa::kNeonSha3:
      machine = neon_sha3_machine();
      break;
    case Isa::kRvv:
      machine = rvv_machine(std::max(rvv_bytes(), kNeonMachine.vector_bytes));
      break;
    case Isa::kAvx2:
    case Isa::kAvx2Gfni:
      machine = kTwoWayMachine;
      break;
    case Isa::kAvx512:
    case Isa::kAvx512Gfni:
      machine = kThreeWayMachine;
      break;
  }
  machine.has_matrix_products = has_gfni(isa);
  return machine.encode != nullptr ? machine_for_packets(machine, packet_bytes) : std::nullopt;
}

TileCode::TileCode(const LoweredKernels& kernels, const MachineFacts& machine)
    : vector_bytes_(machine.vector_bytes),
      counts_(counts_of(kernels.tile, kernels.schedule, machine, kernels.code_bytes)) {
  std::optional<ExecutableMemory> memory = ExecutableMemory::hold(kernels.bytes);
  if (!memory) {
    fail(Status::kUnsupported, "the system gives no executable memory for {} bytes of machine code",
         kernels.bytes.size());
  }
  streams_ = kernels.places.streams;
  memory_ = std::make_shared<const ExecutableMemory>(std::move(*memory));
  ordinary_ = kernel_at(*memory_, 0);
  non_temporal_ = kernel_at(*memory_, kernels.non_temporal_at);
  near_ = kernels.near_at == 0 ? ordinary_ : kernel_at(*memory_, kernels.near_at);
  if (kernels.crowded_at != 0) {
    crowded_ = kernel_at(*memory_, kernels.crowded_at);
    const std::size_t vectors = counts_.vectors_read + counts_.vectors_written;
    is_computing_ = counts_.instructions * kBytesAnInstruction > vectors * machine.vector_bytes;
    sets_.resize(kernels.places.streams.size());
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

/// True if more than eight lines compete in most of the sets that the first tile touches. Later
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

namespace {

constexpr std::size_t kWidestPacket = 4096;
constexpr std::size_t kMostPacketStreams = 256;
constexpr std::size_t kMostWordStreams = 1536;
using Streams = std::array<std::uint8_t*, kMostWordStreams>;

/// Bytes of the columns that a part computes before the next part begins: a share of L2, in which
/// the code of the parts stays, too.
constexpr std::size_t kBlockBytes = std::size_t{128} << 10;

/// The byte map that multiplies by `coefficient`, checked against the field.
std::vector<std::uint8_t> map_of(const Field& field, Field::Symbol coefficient,
                                 const MachineFacts& machine) {
  const WordFactors form(field,
                         machine.has_matrix_products ? FactorForm::kBits : FactorForm::kNibbles);
  std::vector<std::uint8_t> bytes(form.bytes());
  form.write(coefficient, bytes.data());
  if (const auto wrong = form.find_wrong_entry(field, coefficient, bytes.data())) {
    fail(Status::kInternal, *wrong);
  }
  return bytes;
}

/// Bytes of the shortest vectors among a machine and its narrower variants.
std::size_t shortest_vector_bytes(const MachineFacts& machine) {
  return machine.narrower == nullptr ? machine.vector_bytes
                                     : shortest_vector_bytes(*machine.narrower);
}

/// Why a program on packets has no code, as a phrase.
std::optional<std::string> why_no_packets(const Code& code, const Program& program,
                                          const MachineFacts& machine) {
  if (program.equations.empty() && !program.outputs.empty()) {
    return fmt::format("there are more than {} direct XORs", kMaxDirectXors);
  }
  if (code.packet_bytes > kWidestPacket) {
    return fmt::format("packets of {} bytes exceed {}", code.packet_bytes, kWidestPacket);
  }
  if (!machine_for_packets(machine, code.packet_bytes)) {
    return fmt::format("packets of {} bytes are not a multiple of {}", code.packet_bytes,
                       shortest_vector_bytes(machine));
  }
  if (program.outputs.empty()) return "there is nothing to compute";
  const std::size_t streams = locations_in_use(program).size();
  if (streams > kMostPacketStreams)
    return fmt::format("{} locations exceed {}", streams, kMostPacketStreams);
  return std::nullopt;
}

/// Why a program over symbols has no code, as a phrase.
std::optional<std::string> why_no_words(const Program& program) {
  const std::size_t w = program.field.w();
  if (w > 8) return fmt::format("symbols of {} bits exceed 8", w);
  if (w != 4 && w != 8) return fmt::format("symbols have {} bits, not 4 or 8", w);
  if (program.outputs.empty()) return "there is nothing to compute";
  const std::size_t streams = program.inputs.size() + program.outputs.size();
  if (streams > kMostWordStreams)
    return fmt::format("{} cells exceed {}", streams, kMostWordStreams);
  return std::nullopt;
}

/// Why a program has no machine code, as a phrase. nullopt: it has some, unless that would be too
/// long.
std::optional<std::string> why_none(const Code& code, const Program& program,
                                    const PlanOptions& options) {
  if (options.engine == Engine::kKernels) return "asked for";
  const std::optional<MachineFacts> machine = vector_machine(options.isa);
  if (!machine) return fmt::format("no machine code is written for {}", to_string(options.isa));
  return program.is_xor() ? why_no_packets(code, program, *machine) : why_no_words(program);
}

}  // namespace

std::optional<double> ProgramCode::work_per_vector(const Program& program,
                                                   const MachineFacts& machine) {
  const std::optional<std::size_t> vectors = vectors_of_tile(program, machine);
  if (why_no_words(program) || !vectors) return std::nullopt;
  const std::size_t most = machine.most_instructions();
  // Far too many, even if a tile saves half of them.
  if (*vectors * (xors(program) + multiplications(program)) / 3 > most) return std::nullopt;
  const Program tile = symbols_tile(program, *vectors, machine);
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  const TileCounts counts = counts_of(tile, schedule, machine, 0);
  if (counts.instructions > most) return std::nullopt;
  return xorloom::work_per_vector(counts);
}

ProgramCode::ProgramCode(const Code& code, const Program& program,
                         const std::vector<LoweredKernels>& kernels, const MachineFacts& machine,
                         std::unique_ptr<const Computation> rest)
    : Computation(rest->facts()),
      kernels_(std::move(rest)),
      stride_(kernels.front().stride),
      tile_bytes_(kernels.front().tile_bytes) {
  if (!std::has_single_bit(tile_bytes_)) {
    fail(Status::kInternal, "tiles of {} bytes are no power of two", tile_bytes_);
  }
  facts_.tile_columns = tile_bytes_;
  facts_.counts = {};
  for (const LoweredKernels& part : kernels) {
    const TileCode& code_of_part = parts_.emplace_back(part, machine);
    add(facts_.counts, code_of_part.counts());
    if (code_of_part.looks_at_addresses()) facts_.looks_at_addresses = true;
  }
  facts_.code_memory = parts_.front().code_memory();
  const std::size_t tile = (program.inputs.size() + program.outputs.size()) * tile_bytes_;
  block_tiles_ = std::max<std::size_t>(1, kBlockBytes / tile);
  if (program.is_xor()) {
    packet_bytes_ = code.packet_bytes;
    rows_ = code.rows();
  } else {
    packet_bytes_ = tile_bytes_;
    subchunks_ = code.subchunks;
  }
}

bool ProgramCode::are_crowded(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept {
  Streams streams;
  return std::ranges::any_of(parts_, [&](const TileCode& part) {
    if (!part.looks_at_addresses()) return false;
    place(part, chunks, chunk_bytes, 0, streams.data());
    return part.are_crowded(streams.data());
  });
}

std::size_t ProgramCode::memory_bytes() const noexcept {
  std::size_t bytes = sizeof *this + kernels_->memory_bytes();
  for (const TileCode& part : parts_) bytes += part.code_bytes();
  return bytes;
}

ColumnRange ProgramCode::whole_tiles(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t in_tile = tile_bytes_ - 1;  // a power of two
  const std::size_t first = (begin + in_tile) & ~in_tile;
  const std::size_t last = end & ~in_tile;
  return first < last ? ColumnRange{first, last} : ColumnRange{begin, begin};
}

void ProgramCode::place(const TileCode& part, std::uint8_t* const* chunks, std::size_t chunk_bytes,
                        std::size_t offset, std::uint8_t** streams) const noexcept {
  if (subchunks_ == 1) {
    for (const TilePlaces::Stream& stream : part.streams())
      *streams++ = chunks[stream.location] + offset;
    return;
  }
  const std::size_t subchunk_bytes = chunk_bytes / subchunks_;
  for (const TilePlaces::Stream& stream : part.streams()) {
    *streams++ = chunks[stream.location] + stream.subchunk * subchunk_bytes + offset;
  }
}

void ProgramCode::run_tiles(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                            std::size_t offset, std::size_t tiles, Stores stores,
                            bool looks) const noexcept {
  Streams streams;
  const std::size_t block = parts_.size() == 1 ? tiles : block_tiles_;
  while (tiles != 0) {
    const std::size_t now = std::min(block, tiles);
    for (const TileCode& part : parts_) {
      place(part, chunks, chunk_bytes, offset, streams.data());
      part.run(streams.data(), now, stores, looks);
    }
    tiles -= now;
    offset += now * stride_;
  }
}

void ProgramCode::run_looking(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                              std::size_t begin, std::size_t end, Stores stores,
                              bool looks) const noexcept {
  const auto run_rest = [&](std::size_t from, std::size_t to) {
    if (from != to) kernels_->run(chunks, chunk_bytes, from, to, Stores::kOrdinary);
  };
  const ColumnRange whole = whole_tiles(begin, end);
  run_rest(begin, whole.begin);
  if (packet_bytes_ == tile_bytes_) {
    // Each tile is a packet wide, so nothing has to be divided.
    run_tiles(chunks, chunk_bytes, whole.begin * rows_,
              (whole.end - whole.begin) >> std::countr_zero(tile_bytes_), stores, looks);
  } else {
    for (std::size_t column = whole.begin; column < whole.end;) {
      const std::size_t in_packet = column % packet_bytes_;
      const std::size_t width = std::min(packet_bytes_ - in_packet, whole.end - column);
      run_tiles(chunks, chunk_bytes, column / packet_bytes_ * rows_ * packet_bytes_ + in_packet,
                width / tile_bytes_, stores, looks);
      column += width;
    }
  }
  run_rest(whole.end, end);
}

std::unique_ptr<const Computation> make_computation(const Code& code, const Program& program,
                                                    const PlanOptions& options,
                                                    const Program* order) {
  std::unique_ptr<const Computation> rest;
  if (program.is_xor()) {
    rest = std::make_unique<const PacketKernels>(code, program, options.isa);
  } else {
    rest = std::make_unique<const WordKernels>(code, program, options.isa);
  }
  if (why_none(code, program, options)) return rest;
  const MachineFacts machine = *vector_machine(options.isa, code.packet_bytes);
  std::vector<LoweredKernels> kernels;
  if (program.is_xor()) {
    Budget budget = budget_of(options.effort, options.stop_requested);
    budget.makes_near = options.makes_near;
    // Vectors of half a line touch each line twice as often, so they always get this kernel.
    budget.makes_crowded = machine.has_cache_hints &&
                           (!machine.holds_lines() ||
                            wants_crowded_kernel(this_machine(), locations_read(program).size()));
    kernels = lower_packets(program, code.packet_bytes, machine, budget, order);
  } else {
    const Program& ordered = proved_order(program, order, machine);
    const std::optional<std::size_t> vectors = vectors_of_tile(ordered, machine);
    if (!vectors) return rest;
    auto lowered = lower_symbols(ordered, *vectors, machine, [&](Field::Symbol symbol) {
      return map_of(code.field, symbol, machine);
    });
    if (lowered) kernels.push_back(*std::move(lowered));
  }
  if (kernels.empty()) return rest;
  return std::make_unique<const ProgramCode>(code, program, kernels, machine, std::move(rest));
}

std::string why_kernels(const Code& code, const Program& program, const PlanOptions& options) {
  if (!program.is_xor() && program.equations.empty() && !program.outputs.empty()) {
    return "additive Fourier transforms take fewer instructions";
  }
  if (const auto why = why_none(code, program, options)) return *why;
  if (!program.is_xor()) return fmt::format("the code would exceed {} bytes", kMostCodeBytes);
  if (xors(program) > kMostXorsOfParts) {
    return fmt::format("{} XORs exceed {}", xors(program), kMostXorsOfParts);
  }
  return fmt::format("the code would exceed {} bytes, and has no place to cut it", kMostCodeBytes);
}

}  // namespace xorloom
