#include "gen/vector/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/pieces.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "gen/vector/crowded_price.hpp"
#include "gen/vector/crowded_schedule.hpp"
#include "gen/vector/tile_bands.hpp"
#include "gen/vector/tile_proof.hpp"
#include "gen/vector/word_copies.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kAlignment = 64;

/// Where sets are crowded, whole tiles from the second cache are faster than halves from the first.
constexpr std::size_t kMostCrowdedBytes = 2 * kMostCodeBytes;

/// How far ahead lines are prefetched where sets are crowded: what is fetched earlier is gone again.
constexpr std::size_t kCrowdedTilesAhead = 2;

/// Packets are stored no slower then if they are not prefetched, and what is read stays in L1. By
/// halves of lines they are: with AVX2, 10 + 4 decoded 5 % slower without.
bool writes_whole_lines(const VectorMachine& machine) { return machine.vector_bytes == kAlignment; }

/// Groups of streams gain this part beyond their price, as the lines of the first group are those
/// that are prefetched. With 10 + 4 and w = 4 they take as many loads and stores as other orders,
/// and are a tenth faster.
constexpr std::size_t kGroupsGain = 16;

/// About the least that the code of a tile of one vector can take.
std::size_t least_code_bytes(const Program& program, const VectorMachine& machine) {
  constexpr std::size_t kBytesOfInstruction = 6;
  std::size_t instructions = 0;
  for (const Equation& equation : program.equations) {
    const std::size_t sums = xors(equation);
    instructions += machine.has_three_way_xor ? (sums + 1) / 2 : sums;
  }
  return instructions * kBytesOfInstruction;
}

void prove_schedule(const InstructionSchedule& schedule, const TileProgram& tile,
                    const VectorMachine& machine) {
  if (const auto wrong = find_disagreement(schedule, tile, machine)) {
    fail(Status::kInternal, fmt::format("a schedule was not proved: {}", *wrong));
  }
}

/// What a turn of a loop computes, and where that lies.
struct Turn {
  TileProgram tile;
  TilePlaces places;
};

/// Registers, then instructions, for one way of storing. No bytes if they are too many.
std::vector<std::uint8_t> kernel(const Turn& turn, const VectorMachine& machine,
                                 const MachineCodeOptions& options, InstructionSchedule& schedule) {
  schedule = assign_registers(turn.tile, machine, !options.non_temporal);
  prove_schedule(schedule, turn.tile, machine);
  return machine_code(turn.places, schedule, machine, options);
}

/// How the sums of the kernel for crowded sets are shared: that is searched for where the order of
/// the other kernels is. None if there is no such kernel.
std::optional<Sharing> crowded_sharing(const PacketTiles& tiles, const JitOptions& options) {
  if (!tiles.has_crowded) return std::nullopt;
  return options.is_search() ? Sharing::kAnew : Sharing::kAsGiven;
}

/// The kernel of a schedule for streams that begin at the same place of a page.
std::vector<std::uint8_t> crowded_kernel(const Turn& turn, CrowdedSchedule crowded,
                                         const VectorMachine& machine, MachineCodeOptions options) {
  prove_schedule(crowded.schedule, turn.tile, machine);
  options.prefetched = std::move(crowded.prefetched);
  options.prefetch_bytes = std::min(options.prefetch_bytes, kCrowdedTilesAhead * options.stride);
  return machine_code(turn.places, crowded.schedule, machine, options);
}

/// That kernel by groups of streams, or made of the schedule past the caches, which does not read
/// outputs again either: the cheaper one that is not too long. Groups of bands whose sums are
/// shared as given always were, so that no time is spent on comparing. No bytes if there is none.
std::vector<std::uint8_t> crowded_kernel(const Turn& turn, const InstructionSchedule& past_caches,
                                         Sharing sharing, const VectorMachine& machine,
                                         const MachineCodeOptions& options) {
  const auto price = [&](const CrowdedSchedule& crowded) {
    return crowded_price(crowded.schedule, turn.places, machine);
  };
  auto grouped = grouped_schedule(turn.tile, turn.places, machine, sharing);
  std::optional<CrowdedSchedule> other;
  if (!grouped || sharing == Sharing::kAnew) {
    other = crowded_schedule(past_caches, turn.places, machine);
  }
  if (grouped && other && price(*grouped) > price(*other) / kGroupsGain * (kGroupsGain + 1)) {
    grouped.reset();
  }
  std::vector<std::uint8_t> code;
  if (grouped) code = crowded_kernel(turn, *std::move(grouped), machine, options);
  if (!code.empty()) return code;
  if (!other) other = crowded_schedule(past_caches, turn.places, machine);
  if (other) code = crowded_kernel(turn, *std::move(other), machine, options);
  return code;
}

/// The same of a turn of its own: of whole tiles, where the other kernels compute halves.
std::vector<std::uint8_t> crowded_kernel(const Turn& turn, Sharing sharing,
                                         const VectorMachine& machine, MachineCodeOptions options) {
  if (turn.tile.equations.size() > 2 * kMostEquations) return {};
  if (std::exchange(options.is_by_halves, false)) options.most_bytes = kMostCrowdedBytes;
  return crowded_kernel(turn, assign_registers(turn.tile, machine, false), sharing, machine,
                        options);
}

/// A program with its bands one after the other: see order_by_bands.
Program by_bands(const Program& program) {
  Program result = without_equations(program);
  for (const std::uint32_t e : order_by_bands(tile_of(program))) {
    result.equations.push_back(program.equations[e]);
  }
  return result;
}

/// Puts a kernel behind the others, and says where.
std::size_t append(std::vector<std::uint8_t>& all, const std::vector<std::uint8_t>& kernel) {
  all.resize((all.size() + kAlignment - 1) / kAlignment * kAlignment, 0xcc);
  const std::size_t at = all.size();
  all.insert(all.end(), kernel.begin(), kernel.end());
  return at;
}

/// Whether there is a kernel that prefetches nothing.
enum class Near { kNo, kYes };

/// The kernels of a turn. The one for crowded sets shares sums in that way, if one is given, and
/// computes a turn of its own, if that is given.
std::optional<LoweredKernels> kernels(Turn turn, const std::optional<Turn>& of_crowded, Near near,
                                      std::optional<Sharing> crowded_sharing,
                                      const VectorMachine& machine, MachineCodeOptions options) {
  if (turn.tile.equations.size() > kMostEquations) return std::nullopt;
  LoweredKernels result;
  options.non_temporal = false;
  result.bytes = kernel(turn, machine, options, result.schedule);
  if (result.bytes.empty()) return std::nullopt;
  result.code_bytes = result.bytes.size();
  InstructionSchedule past_caches;
  options.non_temporal = true;
  const std::vector<std::uint8_t> second = kernel(turn, machine, options, past_caches);
  if (second.empty()) return std::nullopt;
  result.non_temporal_at = append(result.bytes, second);
  options.non_temporal = false;
  std::vector<std::uint8_t> crowded;
  if (crowded_sharing) {
    crowded = of_crowded ? crowded_kernel(*of_crowded, *crowded_sharing, machine, options)
                         : crowded_kernel(turn, past_caches, *crowded_sharing, machine, options);
  }
  if (!crowded.empty()) result.crowded_at = append(result.bytes, crowded);
  if (near == Near::kYes) {
    options.prefetch_bytes = 0;
    const std::vector<std::uint8_t> nearer =
        machine_code(turn.places, result.schedule, machine, options);
    if (!nearer.empty()) result.near_at = append(result.bytes, nearer);
  }
  result.tile = std::move(turn.tile);
  result.places = std::move(turn.places);
  return result;
}

}  // namespace

const Program& proved_order(const Program& program, const ProgramOrders* orders,
                            const VectorMachine& machine) {
  if (orders == nullptr) return program;
  const Program& ordered = machine.has_three_way_xor ? orders->three_way : orders->two_way;
  if (ordered == program) return ordered;
  if (ordered.inputs != program.inputs || ordered.outputs != program.outputs) {
    fail(Status::kDamaged, "a reordered program has other cells than the program");
  }
  // Over symbols a proof takes memory for every equation.
  if (!ordered.is_xor() && ordered.equations.size() > kMostEquations) {
    fail(Status::kDamaged, "a reordered program is too long for machine code");
  }
  try {
    check_program(ordered);
    prove(ordered, program);
  } catch (const Error& error) {
    fail(Status::kDamaged, fmt::format("a reordered program does not hold: {}", error.what()));
  }
  return ordered;
}

std::optional<LoweredKernels> lower_packets(const Program& program, const PacketTiles& tiles,
                                            const VectorMachine& machine,
                                            const JitOptions& options) {
  TileProgram ordered = options.orders
                            ? tile_of(proved_order(program, options.orders.get(), machine))
                            : ordered_tile(program, machine, options);
  if (ordered.equations.size() > kMostEquations) return std::nullopt;
  const PacketDistances distances{program.rows, tiles.packet_bytes, machine.vector_bytes};
  const auto turn_of = [&](TileProgram tile, std::size_t bytes) {
    const std::size_t vectors = bytes / machine.vector_bytes;
    tile = unrolled(std::move(tile), vectors);
    prove_tile(tile, program, vectors);
    TilePlaces places = packet_places(tile, distances);
    prove_packets(places, program, vectors, distances);
    return Turn{std::move(tile), std::move(places)};
  };
  const bool is_by_halves = tiles.turn_bytes < tiles.tile_bytes;
  // Where sets are crowded, groups of streams are read band by band.
  const TileOrder order = order_by_bands(ordered);
  std::optional<Turn> of_crowded;
  if (tiles.has_crowded && (is_by_halves || !std::ranges::is_sorted(order))) {
    of_crowded = turn_of(reordered(ordered, order), tiles.tile_bytes);
  }
  MachineCodeOptions making{tiles.stride, tiles.prefetch_bytes};
  making.is_by_halves = is_by_halves;
  making.prefetches_outputs = !writes_whole_lines(machine);
  return kernels(turn_of(std::move(ordered), tiles.turn_bytes), of_crowded,
                 options.has_near ? Near::kYes : Near::kNo, crowded_sharing(tiles, options),
                 machine, std::move(making));
}

std::vector<LoweredPart> lower_in_parts(const Program& program, const PacketTiles& tiles,
                                        const VectorMachine& machine, const JitOptions& options) {
  const std::size_t least =
      least_code_bytes(program, machine) * tiles.turn_bytes / machine.vector_bytes;
  if (xors(program) > kMostXorsOfParts) return {};
  if (least <= kMostCodeBytes) {
    if (auto whole = lower_packets(program, tiles, machine, options)) {
      std::vector<LoweredPart> parts;
      parts.push_back({program, *std::move(whole)});
      return parts;
    }
  }
  const Program ordered = by_bands(proved_order(program, options.orders.get(), machine));
  const std::vector<Program> halves = independent_halves(ordered);
  if (halves.size() < 2) return {};
  std::vector<LoweredPart> parts;
  for (const Program& half : halves) {
    JitOptions of_half = options_of_part(options, num_operands(half), num_operands(ordered));
    if (options.orders)
      of_half.orders = std::make_shared<const ProgramOrders>(ProgramOrders{half, half});
    std::vector<LoweredPart> found = lower_in_parts(half, tiles, machine, of_half);
    if (found.empty()) return {};
    std::ranges::move(found, std::back_inserter(parts));
  }
  return parts;
}

TileProgram symbols_tile(const Program& program, std::size_t vectors,
                         const VectorMachine& machine) {
  TileProgram tile = copies_of(program, vectors, machine);
  prove_tile(tile, program, vectors);
  return tile;
}

std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, std::size_t prefetch_bytes,
    const VectorMachine& machine,
    const std::function<std::vector<std::uint8_t>(Field::Symbol)>& map_of) {
  TileProgram tile = symbols_tile(program, vectors, machine);
  TilePlaces places = word_places(tile, vectors, machine.vector_bytes);
  prove_words(places, program, vectors, machine.vector_bytes);
  MachineCodeOptions options{vectors * machine.vector_bytes, prefetch_bytes};
  for (const TileProgram::Equation& equation : tile.equations) {
    for (const auto& [value, coefficient] : equation.terms) {
      if (coefficient == 1 || options.products.contains(coefficient)) continue;
      options.products[coefficient] = map_of(coefficient);
    }
  }
  return kernels({std::move(tile), std::move(places)}, std::nullopt, Near::kYes, Sharing::kAsGiven,
                 machine, std::move(options));
}

}  // namespace xorloom
