#include "runtime/engine/word_code.hpp"

#include <array>
#include <cstring>

#include "codes/text/error.hpp"
#include "gen/vector/word_tile.hpp"
#include "runtime/kernels/word_factors.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kVectorsATile = 2;

/// How far ahead of a tile inputs are fetched.
constexpr std::size_t kPrefetchBytes = 1024;

/// Writes the coefficients as matrices of bits.
void write_factors(const Code& code, WordTile& tile) {
  const WordFactors form(code.field, FactorForm::kBits);
  for (std::size_t i = 0; i < tile.coefficients.size(); ++i) {
    std::uint8_t bytes[sizeof(std::uint64_t)];
    form.write(tile.coefficients[i], bytes);
    if (const auto wrong = form.find_wrong_entry(code.field, tile.coefficients[i], bytes)) {
      fail(Status::kInternal, *wrong);
    }
    std::memcpy(&tile.tile.factors[i], bytes, sizeof bytes);
  }
}

}  // namespace

std::optional<WordCode> WordCode::make(const Code& code, const LinearMap& map, Isa isa,
                                       const CodeMaking& making) {
  const std::optional<VectorMachine> machine = vector_machine(isa);
  const std::size_t w = code.field.w();
  if (!making.is_wanted || !machine || !has_gfni(isa) || (w != 4 && w != 8)) return std::nullopt;
  const std::size_t streams = map.inputs.size() + map.outputs.size();
  // A term takes an instruction of six bytes at the least.
  const std::size_t terms = map.inputs.size() * map.outputs.size() * kVectorsATile;
  if (streams > kMostStreams || terms > kMostCodeBytes / 6) return std::nullopt;
  if (map.outputs.empty()) return std::nullopt;

  WordTile word = tile_of(map, *machine);
  write_factors(code, word);
  const std::size_t tile_bytes = kVectorsATile * machine->vector_bytes;
  const TileProgram tile = side_by_side(word.tile, kVectorsATile, machine->vector_bytes);
  auto tiles = TileCode::make(tile, *machine, tile_bytes, kPrefetchBytes);
  if (!tiles) return std::nullopt;

  WordCode result(std::move(*tiles));
  result.cells_ = map.inputs;
  result.cells_.insert(result.cells_.end(), map.outputs.begin(), map.outputs.end());
  result.num_inputs_ = map.inputs.size();
  result.subchunks_ = code.subchunks;
  result.vector_bytes_ = machine->vector_bytes;
  result.tile_bytes_ = tile_bytes;
  return result;
}

void WordCode::run(std::uint8_t* const* chunks, std::size_t subchunk_bytes, ColumnRange range,
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
