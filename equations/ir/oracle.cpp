#include "equations/ir/oracle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace xorloom {
namespace {

/// Offset of byte i of symbol `index` in a sub-chunk.
std::size_t place_of_byte(const Code& code, std::size_t index, std::size_t i) {
  const std::size_t bytes = code.field.w() / 8;
  const std::size_t plane = code.plane_bytes;
  if (plane == 0) return index * bytes + i;
  return (index / plane * bytes + i) * plane + index % plane;
}

/// Symbol `index` of the sub-chunk that begins at `bytes`.
Field::Symbol read_symbol(const Code& code, const std::uint8_t* bytes, std::size_t index) {
  const std::size_t w = code.field.w();
  if (w == 4) return Field::Symbol{bytes[index / 2]} >> (index % 2 * 4) & 0xf;
  Field::Symbol symbol = 0;
  for (std::size_t i = 0; i < w / 8; ++i) {
    symbol |= static_cast<Field::Symbol>(bytes[place_of_byte(code, index, i)]) << (8 * i);
  }
  return symbol;
}

void write_symbol(const Code& code, std::uint8_t* bytes, std::size_t index, Field::Symbol symbol) {
  const std::size_t w = code.field.w();
  if (w == 4) {
    const unsigned shift = index % 2 * 4;
    bytes[index / 2] =
        static_cast<std::uint8_t>((bytes[index / 2] & ~(0xfU << shift)) | (symbol << shift));
    return;
  }
  for (std::size_t i = 0; i < w / 8; ++i) {
    bytes[place_of_byte(code, index, i)] = static_cast<std::uint8_t>(symbol >> (8 * i));
  }
}

}  // namespace

void oracle_packets(const BitMatrix& matrix, std::span<const Element> inputs,
                    std::span<const Element> outputs, std::size_t rows, std::size_t packet_bytes,
                    std::uint8_t* const* chunks, std::size_t chunk_bytes) {
  const std::size_t super_block = rows * packet_bytes;
  std::vector<std::vector<std::size_t>> columns;
  for (std::size_t o = 0; o < outputs.size(); ++o) columns.push_back(matrix.ones(o));
  for (std::size_t start = 0; start < chunk_bytes; start += super_block) {
    const auto packet = [&](Element element) {
      return chunks[element / rows] + start + element % rows * packet_bytes;
    };
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      std::uint8_t* const output = packet(outputs[o]);
      for (std::size_t byte = 0; byte < packet_bytes; ++byte) output[byte] = 0;
      for (const std::size_t column : columns[o]) {
        const std::uint8_t* const input = packet(inputs[column]);
        for (std::size_t byte = 0; byte < packet_bytes; ++byte) output[byte] ^= input[byte];
      }
    }
  }
}

/// By shift and add: an input is doubled w times, and each bit of a factor adds one of its doubles.
/// Meanwhile symbols are in the polynomial basis.
void oracle_words(const Code& code, const LinearMap& map, std::uint8_t* const* chunks,
                  std::size_t chunk_bytes) {
  constexpr std::size_t kMostSymbols = 64;  // at a time
  const Field& field = code.field;
  const std::size_t w = field.w();
  const std::size_t subchunk_bytes = chunk_bytes / code.subchunks;
  const std::size_t symbols = subchunk_bytes * 8 / w;
  const auto subchunk = [&](Cell cell) {
    return chunks[cell / code.subchunks] + cell % code.subchunks * subchunk_bytes;
  };
  for (std::size_t first = 0; first < symbols; first += kMostSymbols) {
    const std::size_t count = std::min(kMostSymbols, symbols - first);
    std::vector<std::array<Field::Symbol, kMostSymbols>> sums(map.outputs.size());
    std::array<std::array<Field::Symbol, kMostSymbols>, 32> doubles{};
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      for (std::size_t s = 0; s < count; ++s) {
        std::uint64_t value =
            field.polynomial_of(read_symbol(code, subchunk(map.inputs[i]), first + s));
        for (std::size_t bit = 0; bit < w; ++bit) {
          doubles[bit][s] = static_cast<Field::Symbol>(value);
          value <<= 1;
          if ((value >> w & 1U) != 0) value ^= field.polynomial();
        }
      }
      for (std::size_t o = 0; o < map.outputs.size(); ++o) {
        const Field::Symbol factor = field.polynomial_of(map.coefficients(o, i));
        for (Field::Symbol bits = factor; bits != 0; bits &= bits - 1) {
          const auto& double_of_bit = doubles[static_cast<std::size_t>(std::countr_zero(bits))];
          for (std::size_t s = 0; s < count; ++s) sums[o][s] ^= double_of_bit[s];
        }
      }
    }
    for (std::size_t o = 0; o < map.outputs.size(); ++o) {
      for (std::size_t s = 0; s < count; ++s) {
        write_symbol(code, subchunk(map.outputs[o]), first + s, field.symbol_of(sums[o][s]));
      }
    }
  }
}

void oracle(const Code& code, const LinearMap& map, std::uint8_t* const* chunks,
            std::size_t chunk_bytes) {
  if (code.arrangement == Arrangement::kWord) return oracle_words(code, map, chunks, chunk_bytes);
  oracle_packets(expand(code.field, map.coefficients), elements_of(code, map.inputs),
                 elements_of(code, map.outputs), code.rows(), code.packet_bytes, chunks,
                 chunk_bytes);
}

}  // namespace xorloom
