#include "gen/verilog/verilog_bench.hpp"

#include <algorithm>

#include "equations/ir/oracle.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

Field::Symbol BenchStripes::symbol(Element first, std::size_t w, std::size_t stripe) const {
  Field::Symbol symbol = 0;
  for (std::size_t l = 0; l < w; ++l) {
    if (bit(static_cast<Element>(first + l), stripe)) symbol |= Field::Symbol{1} << l;
  }
  return symbol;
}

void BenchStripes::compute(const BitMatrix& matrix, const std::vector<Element>& inputs,
                           const std::vector<Element>& outputs) {
  std::vector<std::uint8_t*> pointers;
  for (std::vector<std::uint8_t>& chunk : chunks_) pointers.push_back(chunk.data());
  oracle_packets(matrix, inputs, outputs, rows_, packet_bytes_, pointers.data(),
                 rows_ * packet_bytes_);
}

void BenchStripes::compute(const Code& code, const LinearMap& map) {
  compute(expand(code.field, map.coefficients), elements_of(code, map.inputs),
          elements_of(code, map.outputs));
}

std::vector<OracleWord> oracle_words_of(const Code& code, const LinearMap& map,
                                        std::size_t most_units, std::size_t random_words,
                                        std::uint64_t seed) {
  const std::size_t w = code.field.w();
  const std::size_t all_units = map.inputs.size() * w;
  const std::size_t units = std::min(all_units, most_units);
  const std::size_t count = units + random_words;
  BenchStripes stripes(code.locations, code.rows(), count);
  const std::vector<Element> bits = elements_of(code, map.inputs);
  for (std::size_t i = 0; i < units; ++i) stripes.set(bits[i * all_units / units], i);
  Random random(seed);
  for (std::size_t i = units; i < count; ++i) {
    for (std::size_t input = 0; input < map.inputs.size(); ++input) {
      const std::uint64_t symbol = random();
      for (std::size_t l = 0; l < w; ++l) {
        if ((symbol >> l & 1U) != 0) stripes.set(bits[input * w + l], i);
      }
    }
  }
  stripes.compute(code, map);
  const auto symbols = [&](const std::vector<Cell>& cells, std::size_t index) {
    std::vector<Field::Symbol> list;
    for (const Cell cell : cells) {
      list.push_back(stripes.symbol(static_cast<Element>(cell * w), w, index));
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
