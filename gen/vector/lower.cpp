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

/// Where sets are crowded, whole tiles from the second cache are faster than halves from the first:
/// twice the code.
constexpr std::size_t kCrowdedCode = 2;

/// How far ahead lines are prefetched where sets are crowded: what is fetched earlier is gone
/// again.
constexpr std::size_t kCrowdedTilesAhead = 2;

/// A kernel by groups of streams takes a sixteenth less time than its price says, as the lines of
/// its first group are those that are prefetched. With 10 + 4 and w = 4 it has as many loads and
/// stores as other kernels, and is a tenth faster.
constexpr std::size_t kGroupsGain = 16;

/// About the least that the code of a tile of one vector can take.
std::size_t least_code_bytes(const Program& program, const MachineFacts& machine) {
  constexpr std::size_t kBytesOfInstruction = 6;
  std::size_t instructions = 0;
  for (const Equation& equation : program.equations) {
    const std::size_t sums = xors(equation);
    instructions += (sums + machine.added_operands() - 1) / machine.added_operands();
  }
  return instructions * kBytesOfInstruction;
}

void prove_schedule(const InstructionSchedule& schedule, const Program& tile,
                    const MachineFacts& machine) {
  if (const auto wrong = find_disagreement(schedule, tile, machine)) {
    fail(Status::kInternal, fmt::format("a schedule was not proved: {}", *wrong));
  }
}

/// What a turn of a loop computes, and where that lies.
struct Turn {
  Program tile;
  TilePlaces places;
};

/// The bytes of a kernel, none if they are too many: instructions, proved, for one way of storing.
std::vector<std::uint8_t> kernel(const Turn& turn, const InstructionSchedule& schedule,
                                 const MachineFacts& machine, const MachineCodeOptions& options) {
  prove_schedule(schedule, turn.tile, machine);
  return machine.encode(turn.places, schedule, machine, options);
}

/// How the sums of the kernel for crowded sets are shared: that is searched for where the order of
/// the other kernels is. None if there is no such kernel.
std::optional<Sharing> crowded_sharing(const PacketTiles& tiles, const JitOptions& options) {
  if (!tiles.has_crowded) return std::nullopt;
  return options.is_search() ? Sharing::kAnew : Sharing::kAsGiven;
}

/// The kernel for streams that begin at the same place of a page. It is by groups of streams, or it
/// is made of the schedule past the caches, which does not read outputs again either: the cheaper
/// one that is not too long. If sums are shared as given, prices are not compared: the one by
/// groups was cheaper in every case that was tried. No bytes if there is none.
std::vector<std::uint8_t> crowded_kernel(const Turn& turn, const InstructionSchedule& past_caches,
                                         Sharing sharing, const MachineFacts& machine,
                                         MachineCodeOptions options) {
  options.prefetch_bytes = std::min(options.prefetch_bytes, kCrowdedTilesAhead * options.stride);
  const auto price = [&](const CrowdedSchedule& crowded) {
    return crowded_price(crowded.schedule, turn.places, machine);
  };
  const auto code_of = [&](std::optional<CrowdedSchedule> crowded) -> std::vector<std::uint8_t> {
    if (!crowded) return {};
    options.prefetched = std::move(crowded->prefetched);
    return kernel(turn, crowded->schedule, machine, options);
  };
  auto grouped = grouped_schedule(turn.tile, turn.places, machine, sharing);
  if (grouped && sharing == Sharing::kAnew) {
    const auto carried = crowded_schedule(past_caches, turn.places, machine);
    if (carried && price(*grouped) > price(*carried) / kGroupsGain * (kGroupsGain + 1)) {
      grouped.reset();
    }
  }
  std::vector<std::uint8_t> code = code_of(std::move(grouped));
  if (!code.empty()) return code;
  return code_of(crowded_schedule(past_caches, turn.places, machine));
}

/// A program with its bands one after the other: see order_by_bands.
Program by_bands(const Program& program) {
  Program result = without_equations(program);
  for (const std::uint32_t e : order_by_bands(dense(program))) {
    result.equations.push_back(program.equations[e]);
  }
  return result;
}

/// Puts a kernel behind the others, and says where.
std::size_t append(std::vector<std::uint8_t>& all, const std::vector<std::uint8_t>& kernel) {
  all.resize((all.size() + kCacheLine - 1) / kCacheLine * kCacheLine, 0xcc);
  const std::size_t at = all.size();
  all.insert(all.end(), kernel.begin(), kernel.end());
  return at;
}

/// Which kernels there are beside those with ordinary and with non-temporal stores.
struct Wanted {
  bool near = false;  ///< one that prefetches nothing
  /// One for crowded sets, which shares sums in that way.
  std::optional<Sharing> crowded{};
  /// The turn of its own that it computes, where that is another than the other kernels'.
  std::optional<Turn> of_crowded{};
};

/// Adds the kernels beside the one with ordinary stores. False if the one with non-temporal stores
/// is too long.
bool add_others(const Turn& turn, const Wanted& wanted, const MachineFacts& machine,
                MachineCodeOptions options, LoweredKernels& result) {
  const InstructionSchedule past_caches = assign_registers(turn.tile, machine, false);
  options.non_temporal = true;
  const std::vector<std::uint8_t> second = kernel(turn, past_caches, machine, options);
  if (second.empty()) return false;
  result.non_temporal_at = append(result.bytes, second);
  options.non_temporal = false;

  std::vector<std::uint8_t> crowded;
  if (wanted.crowded && !wanted.of_crowded) {
    crowded = crowded_kernel(turn, past_caches, *wanted.crowded, machine, options);
  } else if (wanted.crowded &&
             wanted.of_crowded->tile.equations.size() <= kCrowdedCode * machine.most_equations()) {
    MachineCodeOptions of_whole = options;
    if (std::exchange(of_whole.turns_of_tile, 1) != 1) {
      of_whole.most_bytes = kCrowdedCode * machine.code_bytes;
    }
    crowded = crowded_kernel(*wanted.of_crowded,
                             assign_registers(wanted.of_crowded->tile, machine, false),
                             *wanted.crowded, machine, of_whole);
  }
  if (!crowded.empty()) result.crowded_at = append(result.bytes, crowded);

  if (wanted.near) {
    options.prefetch_bytes = 0;
    const auto nearer = machine.encode(turn.places, result.schedule, machine, options);
    if (!nearer.empty()) result.near_at = append(result.bytes, nearer);
  }
  return true;
}

/// The kernels of a turn. None if one is too long.
std::optional<LoweredKernels> kernels(Turn turn, const Wanted& wanted, const MachineFacts& machine,
                                      MachineCodeOptions options) {
  if (machine.encode == nullptr) {
    fail(Status::kUnsupported,
         "this build writes no machine code for the machine that was asked for");
  }
  if (turn.tile.equations.size() > machine.most_equations()) return std::nullopt;
  if (!machine.has_cache_hints) options.prefetch_bytes = 0;
  LoweredKernels result;
  result.schedule = assign_registers(turn.tile, machine, true);
  result.bytes = kernel(turn, result.schedule, machine, options);
  if (result.bytes.empty()) return std::nullopt;
  result.code_bytes = result.bytes.size();
  if (machine.has_cache_hints && !add_others(turn, wanted, machine, std::move(options), result)) {
    return std::nullopt;
  }
  result.tile = std::move(turn.tile);
  result.places = std::move(turn.places);
  return result;
}

}  // namespace

const Program& proved_order(const Program& program, const JitOptions& options,
                            const MachineFacts& machine) {
  if (options.order == nullptr || *options.order == program) return program;
  const Program& ordered = *options.order;
  if (ordered.inputs != program.inputs || ordered.outputs != program.outputs) {
    fail(Status::kDamaged, "a reordered program has other cells than the program");
  }
  // Over symbols a proof takes memory for every equation.
  if (!ordered.is_xor() && ordered.equations.size() > machine.most_equations()) {
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
                                            const MachineFacts& machine,
                                            const JitOptions& options) {
  Program ordered = options.order ? dense(proved_order(program, options, machine))
                                  : ordered_tile(program, machine, options);
  if (ordered.equations.size() > machine.most_equations()) return std::nullopt;
  const auto turn_of = [&](Program tile, std::size_t bytes) {
    const std::size_t vectors = bytes / machine.vector_bytes;
    tile = unrolled(std::move(tile), vectors);
    prove_tile(tile, program, vectors);
    return Turn{std::move(tile),
                packet_places(program, vectors, tiles.packet_bytes, machine.vector_bytes)};
  };
  const std::size_t turns_of_tile = tiles.tile_bytes / tiles.turn_bytes;
  // Where sets are crowded, groups of streams are read band by band.
  const EquationOrder order = order_by_bands(ordered);
  Wanted wanted{options.has_near, crowded_sharing(tiles, options)};
  if (tiles.has_crowded && (turns_of_tile != 1 || !std::ranges::is_sorted(order))) {
    wanted.of_crowded = turn_of(reordered(ordered, order), tiles.tile_bytes);
  }
  MachineCodeOptions making{tiles.stride, tiles.prefetch_bytes};
  making.most_bytes = machine.code_bytes;
  making.turns_of_tile = turns_of_tile;
  // Whole lines of output are stored no slower if they are not prefetched, and what is read stays
  // in the first cache. Halves of lines are prefetched: without that, 10 + 4 decoded 5 % slower.
  making.prefetches_outputs = !machine.holds_lines();
  return kernels(turn_of(std::move(ordered), tiles.turn_bytes), wanted, machine, std::move(making));
}

std::vector<LoweredPart> lower_in_parts(const Program& program, const PacketTiles& tiles,
                                        const MachineFacts& machine, const JitOptions& options) {
  const std::size_t least =
      least_code_bytes(program, machine) * tiles.turn_bytes / machine.vector_bytes;
  if (xors(program) > kMostXorsOfParts) return {};
  if (least <= machine.code_bytes) {
    if (auto whole = lower_packets(program, tiles, machine, options)) {
      std::vector<LoweredPart> parts;
      parts.push_back({program, *std::move(whole)});
      return parts;
    }
  }
  const Program ordered = by_bands(proved_order(program, options, machine));
  const std::vector<Program> halves = independent_halves(ordered);
  if (halves.size() < 2) return {};
  std::vector<LoweredPart> parts;
  for (const Program& half : halves) {
    JitOptions of_half = options_of_part(options, num_operands(half), num_operands(ordered));
    if (options.order) of_half.order = std::make_shared<const Program>(half);
    std::vector<LoweredPart> found = lower_in_parts(half, tiles, machine, of_half);
    if (found.empty()) return {};
    std::ranges::move(found, std::back_inserter(parts));
  }
  return parts;
}

Program symbols_tile(const Program& program, std::size_t vectors, const MachineFacts& machine) {
  Program tile = copies_of(program, vectors, machine);
  prove_tile(tile, program, vectors);
  return tile;
}

std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, std::size_t prefetch_bytes,
    const MachineFacts& machine,
    const std::function<std::vector<std::uint8_t>(Field::Symbol)>& map_of) {
  Program tile = symbols_tile(program, vectors, machine);
  TilePlaces places = word_places(program, vectors, machine.vector_bytes);
  MachineCodeOptions options{vectors * machine.vector_bytes, prefetch_bytes};
  options.most_bytes = machine.code_bytes;
  for (const Equation& equation : tile.equations) {
    for (const auto& [value, coefficient] : equation.operands) {
      if (coefficient == 1 || options.products.contains(coefficient)) continue;
      options.products[coefficient] = map_of(coefficient);
    }
  }
  return kernels({std::move(tile), std::move(places)}, {true, Sharing::kAsGiven}, machine,
                 std::move(options));
}

}  // namespace xorloom
