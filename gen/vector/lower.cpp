#include "gen/vector/lower.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/pieces.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "gen/vector/crowded_schedule.hpp"
#include "gen/vector/tile_order.hpp"
#include "gen/vector/word_copies.hpp"

namespace xorloom {
namespace {

/// Bytes from a tile to the lines that it prefetches, along wide packets or on words.
constexpr std::size_t kPrefetchAlong = 512;

/// Factor on the code limit of kernels for crowded sets: whole tiles with code in L2 are faster
/// than half tiles with code in L1.
constexpr std::size_t kCrowdedCode = 2;

/// Tiles from a tile to the lines that it prefetches if sets are crowded: lines fetched earlier are
/// evicted before they are read.
constexpr std::size_t kCrowdedTilesAhead = 2;

/// Approximate lower bound of the code bytes of a tile of one vector.
std::size_t least_code_bytes(const Program& program, const MachineFacts& machine) {
  if (!program.is_xor()) {
    const std::size_t products = machine.has_matrix_products ? 0 : multiplications(program);
    return num_operands(program) * kLeastBytesOfXor + products * kBytesOfTables;
  }
  std::size_t instructions = 0;
  for (const Equation& equation : program.equations) {
    instructions += (xors(equation) + machine.added_operands() - 1) / machine.added_operands();
  }
  return instructions * kLeastBytesOfXor;
}

/// Returns `schedule` if it computes `tile`. Errors: throws kInternal if it does not.
InstructionSchedule proved(InstructionSchedule schedule, const Program& tile,
                           const MachineFacts& machine) {
  if (const auto wrong = find_disagreement(schedule, tile, machine)) {
    fail(Status::kInternal, "a schedule was not proved: {}", *wrong);
  }
  return schedule;
}

/// Completes `turn`, which has a tile and places, by its kernels, one behind the other. nullopt if
/// the kernel with ordinary or with non-temporal stores is too long. The kernel for crowded sets
/// computes `whole` if it is given: a tile that the other kernels compute in several turns, or in
/// another order.
std::optional<LoweredKernels> kernels(LoweredKernels turn,
                                      const std::optional<LoweredKernels>& whole,
                                      const MachineFacts& machine, const Budget& budget,
                                      MachineCodeOptions options) {
  if (machine.encode == nullptr) {
    fail(Status::kUnsupported,
         "this build writes no machine code for the machine that was asked for");
  }
  if (turn.tile.equations.size() > machine.most_equations()) return std::nullopt;
  if (!machine.has_cache_hints) options.prefetch_bytes = 0;
  turn.stride = options.stride;
  // Appends a kernel and returns its offset; nullopt if it is too long.
  const auto written = [&](const TilePlaces& places, const InstructionSchedule& schedule,
                           const MachineCodeOptions& how) -> std::optional<std::size_t> {
    const std::vector<std::uint8_t> code = machine.encode(places, schedule, machine, how);
    if (code.empty()) return std::nullopt;
    turn.bytes.resize((turn.bytes.size() + kCacheLine - 1) / kCacheLine * kCacheLine, 0xcc);
    const std::size_t at = turn.bytes.size();
    turn.bytes.insert(turn.bytes.end(), code.begin(), code.end());
    return at;
  };

  turn.schedule = proved(assign_registers(turn.tile, machine, true), turn.tile, machine);
  if (!written(turn.places, turn.schedule, options)) return std::nullopt;
  turn.code_bytes = turn.bytes.size();

  if (machine.has_cache_hints) {
    const InstructionSchedule past_caches =
        proved(assign_registers(turn.tile, machine, false), turn.tile, machine);
    MachineCodeOptions how = options;
    how.non_temporal = true;
    const std::optional<std::size_t> at = written(turn.places, past_caches, how);
    if (!at) return std::nullopt;
    turn.non_temporal_at = *at;

    const std::size_t most = kCrowdedCode * machine.most_equations();
    if (budget.makes_crowded && (!whole || whole->tile.equations.size() <= most)) {
      const Program& tile = whole ? whole->tile : turn.tile;
      const TilePlaces& places = whole ? whole->places : turn.places;
      how = options;
      how.prefetch_bytes = std::min(options.prefetch_bytes, kCrowdedTilesAhead * options.stride);
      if (whole && options.turns_of_tile != 1) {
        how.turns_of_tile = 1;
        how.most_bytes = kCrowdedCode * machine.code_bytes;
      }
      // If the order of the other kernels is searched for, the sums of this one are shared anew.
      for (InstructionSchedule& crowded : crowded_schedules(
               tile, places, whole ? assign_registers(tile, machine, false) : past_caches, machine,
               budget.searches_order())) {
        const InstructionSchedule schedule = proved(std::move(crowded), tile, machine);
        turn.crowded_at = written(places, schedule, how).value_or(0);
        if (turn.crowded_at != 0) break;
      }
    }

    if (budget.makes_near) {
      how = options;
      how.prefetch_bytes = 0;
      turn.near_at = written(turn.places, turn.schedule, how).value_or(0);
    }
  }
  return turn;
}

/// Bytes of each packet in a tile: a line if whole vectors fill it, else a vector.
std::size_t tile_bytes_of(std::size_t packet_bytes, const MachineFacts& machine) {
  const bool are_lines = packet_bytes % kCacheLine == 0 && kCacheLine % machine.vector_bytes == 0;
  return are_lines ? kCacheLine : machine.vector_bytes;
}

/// Kernels of a program that is not cut; nullopt if they are too long. `options` are those of the
/// kernel with ordinary stores.
std::optional<LoweredKernels> whole_kernels(const Program& program, std::size_t packet_bytes,
                                            const MachineCodeOptions& options,
                                            const MachineFacts& machine, const Budget& budget,
                                            const Program* order) {
  const std::size_t tile_bytes = tile_bytes_of(packet_bytes, machine);
  Program ordered = order != nullptr ? dense(proved_order(program, order, machine))
                                     : ordered_tile(program, machine, budget);
  if (ordered.equations.size() > machine.most_equations()) return std::nullopt;
  const auto turn_of = [&](Program tile, std::size_t bytes) {
    const std::size_t vectors = bytes / machine.vector_bytes;
    LoweredKernels turn;
    turn.tile = unrolled(std::move(tile), vectors);
    prove_tile(turn.tile, program, vectors);
    turn.places = packet_places(program, vectors, packet_bytes, machine.vector_bytes);
    turn.tile_bytes = tile_bytes;
    return turn;
  };
  // The kernel for crowded sets reads groups of streams band by band.
  const EquationOrder bands = order_by_bands(ordered);
  std::optional<LoweredKernels> whole;
  if (budget.makes_crowded && (options.turns_of_tile != 1 || !std::ranges::is_sorted(bands))) {
    whole = turn_of(reordered(ordered, bands), tile_bytes);
  }
  return kernels(turn_of(std::move(ordered), tile_bytes / options.turns_of_tile), whole, machine,
                 budget, options);
}

/// A program with its bands one after the other: see order_by_bands.
Program by_bands(const Program& program) {
  Program result = without_equations(program);
  for (const std::uint32_t e : order_by_bands(dense(program))) {
    result.equations.push_back(program.equations[e]);
  }
  return result;
}

/// Kernels of a program, or of its halves if it has to be cut. Empty if a half is too long.
std::vector<LoweredKernels> in_parts(const Program& program, std::size_t packet_bytes,
                                     const MachineCodeOptions& options, const MachineFacts& machine,
                                     const Budget& budget, const Program* order) {
  std::vector<LoweredKernels> parts;
  const std::size_t vectors =
      tile_bytes_of(packet_bytes, machine) / options.turns_of_tile / machine.vector_bytes;
  if (least_code_bytes(program, machine) * vectors <= machine.code_bytes) {
    if (auto whole = whole_kernels(program, packet_bytes, options, machine, budget, order)) {
      parts.push_back(*std::move(whole));
      return parts;
    }
  }
  const Program ordered = by_bands(proved_order(program, order, machine));
  for (const Program& half : independent_halves(ordered)) {
    const Budget share = share_of(budget, num_operands(half), num_operands(ordered));
    std::vector<LoweredKernels> found =
        in_parts(half, packet_bytes, options, machine, share, order != nullptr ? &half : nullptr);
    if (found.empty()) return {};
    std::ranges::move(found, std::back_inserter(parts));
  }
  return parts;
}

}  // namespace

const Program& proved_order(const Program& program, const Program* order,
                            const MachineFacts& machine) {
  if (order == nullptr || *order == program) return program;
  const bool has_other_rows = !program.is_xor() && order->rows != program.rows;
  if (order->inputs != program.inputs || order->outputs != program.outputs || has_other_rows) {
    fail(Status::kDamaged, "a reordered program has other cells than the program");
  }
  // Over symbols a proof takes memory for every equation.
  if (!order->is_xor() && order->equations.size() > machine.most_equations()) {
    fail(Status::kDamaged, "a reordered program is too long for machine code");
  }
  try {
    check_program(*order);
    prove(*order, program);
  } catch (const Error& error) {
    fail(Status::kDamaged, "a reordered program does not hold: {}", error.what());
  }
  return *order;
}

std::vector<LoweredKernels> lower_packets(const Program& program, std::size_t packet_bytes,
                                          const MachineFacts& machine, const Budget& budget,
                                          const Program* order) {
  if (xors(program) > kMostXorsOfParts) return {};
  const std::size_t tile_bytes = tile_bytes_of(packet_bytes, machine);
  if (packet_bytes % tile_bytes != 0) {
    fail(Status::kInternal, "vectors of {} bytes do not fill packets of {}", machine.vector_bytes,
         packet_bytes);
  }
  const bool is_narrow = packet_bytes == tile_bytes;
  MachineCodeOptions options;
  options.stride = is_narrow ? program.rows * packet_bytes : tile_bytes;
  options.prefetch_bytes = is_narrow ? options.stride : kPrefetchAlong;
  options.most_bytes = machine.code_bytes;
  // Whole lines of output are stored no slower if they are not prefetched, and inputs stay in L1.
  // Half lines are prefetched: without that, 10 + 4 decoded 5 % slower.
  options.prefetches_outputs = !machine.holds_lines();
  // A turn computes one vector of a narrow packet, whose halves are next to one another. For a wide
  // packet it computes the whole tile: by halves each line would be prefetched twice, which pays
  // only if the code of whole tiles is too long.
  if (!is_narrow && machine.has_cache_hints) {
    auto parts = in_parts(program, packet_bytes, options, machine, budget, order);
    if (!parts.empty() || tile_bytes == machine.vector_bytes) return parts;
  }
  options.turns_of_tile = tile_bytes / machine.vector_bytes;
  return in_parts(program, packet_bytes, options, machine, budget, order);
}

std::optional<std::size_t> vectors_of_tile(const Program& program, const MachineFacts& machine) {
  const std::size_t bytes = least_code_bytes(program, machine);
  if (bytes > machine.code_bytes) return std::nullopt;
  const std::size_t registers = machine.registers - machine.table_registers;
  std::size_t vectors = machine.word_vectors;
  const auto are_too_many = [&] {
    const bool is_crowded =
        machine.held_tables != 0 && vectors * program.outputs.size() + 2 > registers;
    return is_crowded || vectors * bytes > machine.code_bytes;
  };
  while (vectors > 1 && are_too_many()) vectors /= 2;
  return vectors;
}

Program symbols_tile(const Program& program, std::size_t vectors, const MachineFacts& machine) {
  Program tile = copies_of(program, vectors, machine);
  prove_tile(tile, program, vectors);
  return tile;
}

std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, const MachineFacts& machine,
    const std::function<std::vector<std::uint8_t>(Field::Symbol)>& map_of) {
  LoweredKernels turn;
  turn.tile = symbols_tile(program, vectors, machine);
  turn.places = word_places(program, vectors, machine.vector_bytes);
  turn.tile_bytes = vectors * machine.vector_bytes;
  MachineCodeOptions options{turn.tile_bytes, kPrefetchAlong};
  options.most_bytes = machine.code_bytes;
  for (const Equation& equation : turn.tile.equations) {
    for (const auto& [value, coefficient] : equation.operands) {
      if (coefficient == 1 || options.products.contains(coefficient)) continue;
      options.products[coefficient] = map_of(coefficient);
    }
  }
  // A core that multiplies waits for all of its loads, so there is a kernel without prefetches,
  // too.
  return kernels(std::move(turn), std::nullopt, machine, {.makes_near = true}, std::move(options));
}

}  // namespace xorloom
