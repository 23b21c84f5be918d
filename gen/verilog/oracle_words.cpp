#include "gen/verilog/oracle_words.hpp"

#include <algorithm>

#include "equations/ir/oracle.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

/// Where the bits of symbols lie in a chunk, said once more than the oracle says it.
class ChunkBits {
 public:
  ChunkBits(const Code& code, std::size_t symbols) : code_(code) {
    const std::size_t multiple = chunk_multiple(code);
    if (code.arrangement == Arrangement::kPacket) {
      const std::size_t symbols_of_block = code.packet_bytes * 8;
      bytes_ = (symbols + symbols_of_block - 1) / symbols_of_block * multiple;
    } else {
      bytes_ = (symbols * code.field.w() + 7) / 8 * code.subchunks;
      bytes_ = (bytes_ + multiple - 1) / multiple * multiple;
    }
  }

  std::size_t bytes() const { return bytes_; }

  /// Bit l of the symbol at an index of a cell, as a number of a bit of its chunk.
  std::size_t place(Cell cell, std::size_t index, std::size_t l) const {
    const std::size_t w = code_.field.w();
    const std::size_t subchunk = cell % code_.subchunks;
    if (code_.arrangement == Arrangement::kPacket) {
      const std::size_t bits = code_.packet_bytes * 8;  // of a packet
      const std::size_t packet = index / bits * code_.rows() + subchunk * w + l;
      return packet * bits + index % bits;
    }
    const std::size_t start = subchunk * (bytes_ / code_.subchunks) * 8;
    if (code_.plane_bytes == 0) return start + index * w + l;
    const std::size_t plane = code_.plane_bytes;
    return start + ((index / plane * (w / 8) + l / 8) * plane + index % plane) * 8 + l % 8;
  }

 private:
  const Code& code_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::vector<OracleWord> oracle_words_of(const Code& code, const LinearMap& map,
                                        std::size_t most_units, std::size_t random_words,
                                        std::uint64_t seed) {
  const std::size_t w = code.field.w();
  const std::size_t all_units = map.inputs.size() * w;
  const std::size_t units = std::min(all_units, most_units);
  const std::size_t count = units + random_words;
  const ChunkBits bits(code, count);
  std::vector<std::vector<std::uint8_t>> chunks(code.locations,
                                                std::vector<std::uint8_t>(bits.bytes()));
  const auto chunk_of = [&](Cell cell) -> std::vector<std::uint8_t>& {
    return chunks[code.location_of_cell(cell)];
  };
  const auto set = [&](Cell cell, std::size_t index, std::size_t l) {
    const std::size_t at = bits.place(cell, index, l);
    chunk_of(cell)[at / 8] |= static_cast<std::uint8_t>(1U << (at % 8));
  };
  for (std::size_t i = 0; i < units; ++i) {
    const std::size_t unit = i * all_units / units;
    set(map.inputs[unit / w], i, unit % w);
  }
  Random random(seed);
  for (std::size_t i = units; i < count; ++i) {
    for (const Cell cell : map.inputs) {
      const std::uint64_t symbol = random();
      for (std::size_t l = 0; l < w; ++l) {
        if ((symbol >> l & 1U) != 0) set(cell, i, l);
      }
    }
  }
  std::vector<std::uint8_t*> pointers;
  for (std::vector<std::uint8_t>& chunk : chunks) pointers.push_back(chunk.data());
  oracle(code, map, pointers.data(), bits.bytes());

  const auto symbols = [&](const std::vector<Cell>& cells, std::size_t index) {
    std::vector<Field::Symbol> list;
    for (const Cell cell : cells) {
      Field::Symbol symbol = 0;
      for (std::size_t l = 0; l < w; ++l) {
        const std::size_t at = bits.place(cell, index, l);
        symbol |= static_cast<Field::Symbol>(chunk_of(cell)[at / 8] >> (at % 8) & 1U) << l;
      }
      list.push_back(symbol);
    }
    return list;
  };
  std::vector<OracleWord> words;
  for (std::size_t i = 0; i < count; ++i) {
    words.push_back({symbols(map.inputs, i), symbols(map.outputs, i)});
  }
  return words;
}

}  // namespace xorloom
