#include "runtime/stripes/syndromes.hpp"

#include <algorithm>
#include <vector>

namespace xorloom {
namespace {

using Symbols = std::vector<Field::Symbol>;
using Take = std::function<bool(std::span<const Field::Symbol>)>;

bool take_unless_zero(const Symbols& symbols, const Take& take) {
  const bool is_zero =
      std::ranges::all_of(symbols, [](Field::Symbol symbol) { return symbol == 0; });
  return is_zero || take(symbols);
}

/// Takes the eight columns of one byte: `bytes` has this byte of each packet in a super-block.
bool take_bits(const std::vector<std::uint8_t>& bytes, std::size_t w, Symbols& symbols,
               const Take& take) {
  for (unsigned int bit = 0; bit < 8; ++bit) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      symbols[i] = 0;
      for (std::size_t row = 0; row < w; ++row) {
        symbols[i] |= static_cast<Field::Symbol>(bytes[i * w + row] >> bit & 1U) << row;
      }
    }
    if (!take_unless_zero(symbols, take)) return false;
  }
  return true;
}

bool for_each_in_packets(const Code& code, const std::uint8_t* const* chunks, std::size_t bytes,
                         const Take& take) {
  const std::size_t w = code.field.w();
  const std::size_t block = code.rows() * code.packet_bytes;
  Symbols symbols(code.redundant.size());
  std::vector<std::uint8_t> of_rows(symbols.size() * w);
  for (std::size_t begin = 0; begin < bytes; begin += block) {
    for (std::size_t at = 0; at < code.packet_bytes; ++at) {
      std::uint8_t any = 0;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Cell cell = code.redundant[i];
        const std::uint8_t* const chunk = chunks[code.location_of_cell(cell)] + begin + at;
        for (std::size_t row = 0; row < w; ++row) {
          const std::size_t packet = cell % code.subchunks * w + row;
          of_rows[i * w + row] = chunk[packet * code.packet_bytes];
          any |= of_rows[i * w + row];
        }
      }
      if (any != 0 && !take_bits(of_rows, w, symbols, take)) return false;
    }
  }
  return true;
}

/// Symbol `number` of a sub-chunk of `bytes` bytes, for a code on words.
Field::Symbol symbol_at(const Code& code, const std::uint8_t* subchunk, std::size_t bytes,
                        std::size_t number) {
  switch (code.field.w()) {
    case 4:
      return subchunk[number / 2] >> (number % 2 * 4) & 0xfU;
    case 8:
      return subchunk[number];
    default:
      break;
  }
  if (code.plane_bytes != 0) {
    const std::size_t at = number / code.plane_bytes * plane_block_bytes(code);
    const std::size_t plane = std::min(code.plane_bytes, (bytes - at) / 2);  // in a short block
    const std::uint8_t* const low = subchunk + at + number % code.plane_bytes;
    return low[0] | Field::Symbol{low[plane]} << 8U;
  }
  Field::Symbol symbol = 0;
  const std::size_t symbol_bytes = code.field.w() / 8;
  for (std::size_t i = 0; i < symbol_bytes; ++i) {
    symbol |= Field::Symbol{subchunk[number * symbol_bytes + i]} << (8 * i);
  }
  return symbol;
}

bool for_each_in_words(const Code& code, const std::uint8_t* const* chunks, std::size_t bytes,
                       const Take& take) {
  const std::size_t subchunk_bytes = bytes / code.subchunks;
  const std::size_t columns = subchunk_bytes * 8 / code.field.w();
  Symbols symbols(code.redundant.size());
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Cell cell = code.redundant[i];
      symbols[i] = symbol_at(
          code, chunks[code.location_of_cell(cell)] + cell % code.subchunks * subchunk_bytes,
          subchunk_bytes, column);
    }
    if (!take_unless_zero(symbols, take)) return false;
  }
  return true;
}

}  // namespace

bool for_each_column(const Code& code, const std::uint8_t* const* chunks, std::size_t bytes,
                     const Take& take) {
  return code.arrangement == Arrangement::kPacket ? for_each_in_packets(code, chunks, bytes, take)
                                                  : for_each_in_words(code, chunks, bytes, take);
}

}  // namespace xorloom
