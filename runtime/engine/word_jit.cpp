#include "runtime/engine/word_jit.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/vector/lower.hpp"
#include "runtime/kernels/word_factors.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kVectorsATile = 2;

/// How far ahead of a tile inputs are fetched.
constexpr std::size_t kPrefetchBytes = 1024;

/// An operand takes an instruction of six bytes at the least.
constexpr std::size_t kMostOperands = kMostCodeBytes / 6;

std::size_t num_operands(const Program& program) {
  std::size_t operands = 0;
  for (const Equation& equation : program.equations) operands += equation.operands.size();
  return operands;
}

/// The matrix of bits that multiplies by a coefficient, checked against the field.
std::uint64_t matrix_of(const Field& field, Field::Symbol coefficient) {
  const WordFactors form(field, FactorForm::kBits);
  std::uint64_t matrix;
  std::uint8_t bytes[sizeof matrix];
  form.write(coefficient, bytes);
  if (const auto wrong = form.find_wrong_entry(field, coefficient, bytes)) {
    fail(Status::kInternal, *wrong);
  }
  std::memcpy(&matrix, bytes, sizeof bytes);
  return matrix;
}

/// Instructions that take this many bytes each are too many: with addresses, those of long code
/// take about so much at the least.
std::size_t most_instructions(const VectorMachine& machine) {
  return kMostCodeBytes / (machine.has_three_way_xor ? 12 : 9);
}

bool has_code_for(std::size_t w) { return w == 4 || w == 8; }

double per_vector(const TileCounts& counts) {
  return static_cast<double>(counts.instructions) / static_cast<double>(counts.vectors_written);
}

}  // namespace

std::optional<std::size_t> WordJit::vectors_of_tile(const Program& program) {
  const std::size_t streams = program.inputs.size() + program.outputs.size();
  const std::size_t operands = num_operands(program);
  if (streams > kMostStreams || operands > kMostOperands || program.outputs.empty()) {
    return std::nullopt;
  }
  return kVectorsATile * operands > kMostOperands ? 1 : kVectorsATile;
}

std::optional<double> WordJit::instructions_per_vector(const Program& program,
                                                       const VectorMachine& machine) {
  const std::optional<std::size_t> vectors = vectors_of_tile(program);
  if (!has_code_for(program.field.w()) || !vectors) return std::nullopt;
  const std::size_t most = most_instructions(machine);
  // Far too many, even if a tile saves half of them.
  if (*vectors * (xors(program) + multiplications(program)) / 3 > most) return std::nullopt;
  const TileProgram tile = symbols_tile(program, *vectors, machine);
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  const TileCounts counts = counts_of(tile, schedule, machine.vector_bytes, 0);
  if (counts.instructions > most) return std::nullopt;
  return per_vector(counts);
}

double WordJit::instructions_per_vector() const noexcept { return per_vector(counts()); }

std::optional<WordJit> WordJit::make(const Code& code, const Program& program, Isa isa,
                                     const JitOptions& options) {
  const std::optional<VectorMachine> machine = vector_machine(isa);
  if (!options.is_wanted || !machine || !has_gfni(isa) || !has_code_for(code.field.w())) {
    return std::nullopt;
  }
  const Program& ordered = proved_order(program, options.orders.get(), *machine);
  const std::optional<std::size_t> vectors = vectors_of_tile(ordered);
  if (!vectors) return std::nullopt;
  const auto kernels =
      lower_symbols(ordered, *vectors, kPrefetchBytes, *machine,
                    [&](Field::Symbol symbol) { return matrix_of(code.field, symbol); });
  if (!kernels) return std::nullopt;

  WordJit result(TileCode(*kernels, *machine));
  result.cells_ = program.inputs;
  result.cells_.insert(result.cells_.end(), program.outputs.begin(), program.outputs.end());
  result.num_inputs_ = program.inputs.size();
  result.subchunks_ = code.subchunks;
  result.vector_bytes_ = machine->vector_bytes;
  result.tile_bytes_ = *vectors * machine->vector_bytes;
  return result;
}

void WordJit::run(std::uint8_t* const* chunks, std::size_t subchunk_bytes, ColumnRange range,
                  Stores stores) const noexcept {
  if (range.begin == range.end) return;
  std::array<std::uint8_t*, kMostStreams> streams;
  for (std::size_t s = 0; s < cells_.size(); ++s) {
    streams[s] =
        chunks[cells_[s] / subchunks_] + cells_[s] % subchunks_ * subchunk_bytes + range.begin;
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(streams[s]) % vector_bytes_ == 0;
    if (s >= num_inputs_ && !is_aligned) stores = Stores::kOrdinary;
  }
  tiles_.run(streams.data(), (range.end - range.begin) / tile_bytes_, stores);
}

}  // namespace xorloom
