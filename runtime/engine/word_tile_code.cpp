#include "runtime/engine/word_tile_code.hpp"

#include <fmt/format.h>

#include <array>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/vector/lower.hpp"
#include "runtime/kernels/word_factors.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostWordStreams = 1536;
constexpr std::size_t kVectorsATile = 2;

/// How far ahead of a tile inputs are fetched.
constexpr std::size_t kPrefetchBytes = 512;

/// About the least that the code of a tile of one vector can take: an operand takes an instruction
/// of six bytes, a product by tables six instructions.
std::size_t least_code_bytes(const Program& program, const MachineFacts& machine) {
  constexpr std::size_t kBytesOfOperand = 6;
  constexpr std::size_t kBytesOfTables = 30;
  std::size_t bytes = 0;
  for (const Equation& equation : program.equations) {
    bytes += equation.operands.size() * kBytesOfOperand;
  }
  if (!machine.has_matrix_products) bytes += multiplications(program) * kBytesOfTables;
  return bytes;
}

/// The map of bytes that multiplies by a coefficient, checked against the field.
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

/// Instructions that take this many bytes each are too many: with addresses, those of long code
/// take about so much at the least.
std::size_t most_instructions(const MachineFacts& machine) {
  return machine.code_bytes / (machine.has_three_way_xor() ? 12 : 9);
}

/// How many vectors of each cell a tile has; none if the code would be too long.
std::optional<std::size_t> vectors_of_tile(const Program& program, const MachineFacts& machine) {
  const std::size_t bytes = least_code_bytes(program, machine);
  if (bytes > machine.code_bytes) return std::nullopt;
  return kVectorsATile * bytes > machine.code_bytes ? 1 : kVectorsATile;
}

/// Why there is no code for a program on any machine, as a phrase.
std::optional<std::string> why_none_anywhere(const Program& program) {
  const std::size_t w = program.field.w();
  if (w > 8) return fmt::format("symbols of {} bits exceed 8", w);
  if (w != 4 && w != 8) return fmt::format("symbols have {} bits, not 4 or 8", w);
  if (program.outputs.empty()) return "there is nothing to compute";
  const std::size_t streams = program.inputs.size() + program.outputs.size();
  if (streams > kMostWordStreams)
    return fmt::format("{} cells exceed {}", streams, kMostWordStreams);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WordTileCode::why_none(const Program& program, Isa isa,
                                                  const JitOptions& options) {
  if (auto why = why_no_code(isa, options)) return why;
  return why_none_anywhere(program);
}

std::optional<double> WordTileCode::work_per_vector(const Program& program,
                                                    const MachineFacts& machine) {
  const std::optional<std::size_t> vectors = vectors_of_tile(program, machine);
  if (why_none_anywhere(program) || !vectors) return std::nullopt;
  const std::size_t most = most_instructions(machine);
  // Far too many, even if a tile saves half of them.
  if (*vectors * (xors(program) + multiplications(program)) / 3 > most) return std::nullopt;
  const Program tile = symbols_tile(program, *vectors, machine);
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  const TileCounts counts = counts_of(tile, schedule, machine, 0);
  if (counts.instructions > most) return std::nullopt;
  return xorloom::work_per_vector(counts);
}

std::optional<WordTileCode> WordTileCode::make(const Code& code, const Program& program, Isa isa,
                                               const JitOptions& options) {
  if (why_none(program, isa, options)) return std::nullopt;
  const MachineFacts machine = *vector_machine(isa);
  const Program& ordered = proved_order(program, options.orders.get(), machine);
  const std::optional<std::size_t> vectors = vectors_of_tile(ordered, machine);
  if (!vectors) return std::nullopt;
  const auto kernels =
      lower_symbols(ordered, *vectors, kPrefetchBytes, machine,
                    [&](Field::Symbol symbol) { return map_of(code.field, symbol, machine); });
  if (!kernels) return std::nullopt;

  WordTileCode result(TileCode(*kernels, machine));
  for (const std::vector<Cell>* cells : {&program.inputs, &program.outputs}) {
    for (const Cell cell : *cells) {
      result.streams_.push_back({static_cast<std::uint32_t>(cell / code.subchunks),
                                 static_cast<std::uint32_t>(cell % code.subchunks)});
    }
  }
  result.subchunks_ = code.subchunks;
  result.tile_bytes_ = *vectors * machine.vector_bytes;
  return result;
}

ColumnRange WordTileCode::whole_tiles(std::size_t begin, std::size_t end) const noexcept {
  return {begin, begin + (end - begin) / tile_bytes_ * tile_bytes_};
}

void WordTileCode::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, ColumnRange range,
                       Stores stores, Looks looks) const noexcept {
  if (range.begin == range.end) return;
  std::array<std::uint8_t*, kMostWordStreams> streams;
  place(streams.data(), chunks, chunk_bytes, range.begin);
  tiles_.run(streams.data(), (range.end - range.begin) / tile_bytes_, stores, looks);
}

bool WordTileCode::are_crowded(std::uint8_t* const* chunks,
                               std::size_t chunk_bytes) const noexcept {
  std::array<std::uint8_t*, kMostWordStreams> streams;
  place(streams.data(), chunks, chunk_bytes, 0);
  return tiles_.are_crowded(streams.data());
}

void WordTileCode::place(std::uint8_t** streams, std::uint8_t* const* chunks,
                         std::size_t chunk_bytes, std::size_t column) const noexcept {
  const std::size_t subchunk_bytes = chunk_bytes / subchunks_;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    streams[s] = chunks[streams_[s].location] + streams_[s].subchunk * subchunk_bytes + column;
  }
}

}  // namespace xorloom
