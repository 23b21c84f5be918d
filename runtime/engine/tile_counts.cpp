#include "runtime/engine/tile_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "equations/build/sparse_sums.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kNarrowest = 16;  // compilers write portable loops for vectors of this size

/// Instructions per vector to find the address of an operand or a result. The packet kernels find
/// an address once for several vectors.
constexpr std::size_t kAddressing = 6;

std::size_t kernel_vector_bytes(Isa isa) { return std::max(kNarrowest, vector_bytes(isa)); }

/// Products of bytes that multiply a unit by a factor.
std::size_t products_of(std::size_t w) { return w <= 8 ? 1 : (w / 8) * (w / 8); }

/// Counts of a program over symbols, real or imagined.
struct WordTerms {
  std::size_t w;
  std::size_t inputs;
  std::size_t outputs;
  std::size_t equations;
  std::size_t loads;        ///< loads of operands
  std::size_t factors = 0;  ///< factors other than 1
  std::size_t ones = 0;
  std::size_t bits = 0;  ///< bits set in all factors
};

TileCounts word_counts(const WordTerms& terms, Isa isa) {
  const std::size_t w = terms.w;
  const std::size_t factors = terms.factors;
  const std::size_t bits = terms.bits;
  TileCounts counts;
  counts.vectors_read = terms.inputs;
  counts.vectors_written = terms.outputs;
  counts.vector_bytes = kernel_vector_bytes(isa);
  counts.loads = terms.loads;
  counts.stores = terms.equations;
  if (vector_bytes(isa) == 0) {
    // By shift and add: an input is doubled for all outputs, and every bit of a coefficient is a
    // sum that is loaded and stored again.
    counts.multiplications = factors;
    counts.operations = terms.inputs * (w - 1) * 6 + bits;
    counts.loads += 2 * bits;
    counts.stores += bits;
    counts.instructions = counts.operations + counts.loads + counts.stores;
    return counts;
  }
  // Without matrices of bits a product is looked up in two tables, for which nibbles are taken
  // apart.
  const std::size_t lookups = has_gfni(isa) ? 1 : 2;
  counts.multiplications = factors * products_of(w) * lookups;
  counts.operations = terms.ones + 2 * counts.multiplications + (lookups - 1) * 3 * terms.inputs;
  counts.loads += counts.multiplications / 2;  // loads of factors, each for two vectors or more
  counts.instructions = counts.operations + counts.loads + counts.stores;
  return counts;
}

WordTerms terms_of(const Program& program) {
  WordTerms terms{program.field.w(), program.inputs.size(), program.outputs.size(),
                  program.equations.size(), 0};
  for (const std::vector<std::size_t>& group : groups_of(program)) {
    terms.loads += program.equations[group.front()].operands.size();
  }
  for (const Equation& equation : program.equations) {
    for (const auto& [element, coefficient] : equation.operands) {
      terms.factors += coefficient != 1;
      terms.ones += coefficient == 1;
      terms.bits += static_cast<std::size_t>(std::popcount(coefficient));
    }
  }
  return terms;
}

double real(std::size_t count) { return static_cast<double>(count); }

}  // namespace

TileCounts counts_of(const Program& tile, const InstructionSchedule& schedule,
                     const MachineFacts& machine, std::size_t code_bytes) {
  const ScheduleCost cost = xorloom::cost(schedule, machine);
  TileCounts counts;
  counts.instructions = cost.instructions;
  counts.loads = cost.loads;
  counts.stores = cost.stores;
  counts.multiplications = cost.products;
  counts.operations = cost.operations();
  counts.vectors_read = tile.inputs.size();
  counts.vectors_written = tile.outputs.size();
  counts.vector_bytes = machine.vector_bytes;
  counts.code_bytes = code_bytes;
  return counts;
}

void add(TileCounts& counts, const TileCounts& part) {
  counts.instructions += part.instructions;
  counts.operations += part.operations;
  counts.loads += part.loads;
  counts.stores += part.stores;
  counts.multiplications += part.multiplications;
  counts.vectors_read = std::max(counts.vectors_read, part.vectors_read);
  counts.vectors_written += part.vectors_written;
  counts.vector_bytes = part.vector_bytes;
  counts.code_bytes += part.code_bytes;
}

double work_per_vector(const TileCounts& counts) {
  const std::size_t work = counts.instructions + counts.multiplications;
  return static_cast<double>(work) / static_cast<double>(counts.vectors_written);
}

TileCounts kernel_counts(const Program& program, Isa isa) {
  if (!program.is_xor()) return word_counts(terms_of(program), isa);
  TileCounts counts;
  for (const Equation& equation : program.equations) {
    counts.loads += equation.operands.size();
    counts.operations += std::max<std::size_t>(1, equation.operands.size()) - 1;
    ++counts.stores;
  }
  const std::size_t places = counts.loads + counts.stores;
  counts.instructions = places * (1 + kAddressing);
  counts.loads += places;
  counts.vectors_read = program.inputs.size();
  counts.vectors_written = program.outputs.size();
  counts.vector_bytes = kernel_vector_bytes(isa);
  return counts;
}

TileCounts dense_kernel_counts(std::size_t w, std::size_t outputs, std::size_t inputs, Isa isa) {
  constexpr std::size_t kRowsOfStep = 4;  // rows for which kernels load and split inputs once
  const std::size_t terms = outputs * inputs;
  TileCounts counts =
      word_counts({w, inputs, outputs, outputs, inputs, terms, 0, terms * w / 2}, isa);
  const std::size_t again = outputs / kRowsOfStep * inputs;
  const std::size_t splitting = has_gfni(isa) || vector_bytes(isa) == 0 ? 0 : 3 * again;
  counts.loads += again;
  counts.operations += splitting;
  counts.instructions += again + splitting;
  return counts;
}

std::size_t columns_of(const TileCounts& tile, std::size_t outputs) {
  const std::size_t vectors = tile.vectors_written / std::max<std::size_t>(1, outputs);
  return std::max<std::size_t>(1, vectors) * tile.vector_bytes;
}

std::size_t bytes_of(const TileCounts& counts) {
  return (counts.vectors_read + counts.vectors_written) * counts.vector_bytes;
}

InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share) {
  return {std::lerp(from.instruction, to.instruction, share),
          std::lerp(from.load, to.load, share),
          std::lerp(from.store, to.store, share),
          std::lerp(from.multiplication, to.multiplication, share),
          std::lerp(from.byte_read, to.byte_read, share),
          std::lerp(from.byte_written, to.byte_written, share),
          std::lerp(from.overlap, to.overlap, share)};
}

double core_seconds(const InstructionCosts& costs, const TileCounts& counts) {
  return real(counts.instructions) * costs.instruction + real(counts.loads) * costs.load +
         real(counts.stores) * costs.store + real(counts.multiplications) * costs.multiplication;
}

double moving_seconds(const InstructionCosts& costs, const TileCounts& counts) {
  return (real(counts.vectors_read) * costs.byte_read +
          real(counts.vectors_written) * costs.byte_written) *
         real(counts.vector_bytes);
}

double seconds_of(const InstructionCosts& costs, const TileCounts& counts) {
  const double core = core_seconds(costs, counts);
  const double moving = moving_seconds(costs, counts);
  const double longer = std::max(core, moving);
  if (longer == 0) return 0;
  // Computes with shares of the longer time, since a power of so few seconds may underflow.
  const double sum =
      std::pow(core / longer, costs.overlap) + std::pow(moving / longer, costs.overlap);
  return longer * std::pow(sum, 1 / costs.overlap);
}

}  // namespace xorloom
