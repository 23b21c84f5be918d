#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// Stripes of bits for a testbench, whose outputs the oracle computes. An element is a packet, in
/// which bit i belongs to stripe i; at first all bits are 0.
class BenchStripes {
 public:
  BenchStripes(std::size_t locations, std::size_t rows, std::size_t stripes)
      : rows_(rows),
        packet_bytes_((stripes + 63) / 64 * 8),
        chunks_(locations, std::vector<std::uint8_t>(rows_ * packet_bytes_)) {}

  bool bit(Element element, std::size_t stripe) const {
    return (chunks_[element / rows_][place(element, stripe)] >> (stripe % 8) & 1U) != 0;
  }
  void set(Element element, std::size_t stripe) {
    chunks_[element / rows_][place(element, stripe)] |=
        static_cast<std::uint8_t>(1U << (stripe % 8));
  }

  /// The symbol whose bits are `w` elements from one on.
  Field::Symbol symbol(Element first, std::size_t w, std::size_t stripe) const;

  /// The bytes of each location.
  std::vector<std::vector<std::uint8_t>>& chunks() { return chunks_; }

  /// Lets the oracle compute the outputs.
  void compute(const BitMatrix& matrix, const std::vector<Element>& inputs,
               const std::vector<Element>& outputs);

  /// The same of a map of a code, which has a stripe per symbol of a cell.
  void compute(const Code& code, const LinearMap& map);

 private:
  std::size_t place(Element element, std::size_t stripe) const {
    return element % rows_ * packet_bytes_ + stripe / 8;
  }

  std::size_t rows_;
  std::size_t packet_bytes_;
  std::vector<std::vector<std::uint8_t>> chunks_;
};

/// A word: one symbol of each input of a map, and the outputs that the oracle computes from them.
struct OracleWord {
  std::vector<Field::Symbol> inputs;
  std::vector<Field::Symbol> outputs;
};

/// Words with one bit that is 1, which tell each bit of each coefficient, or a spread of
/// `most_units` of them, and then seeded random words.
std::vector<OracleWord> oracle_words_of(const Code& code, const LinearMap& map,
                                        std::size_t most_units, std::size_t random_words,
                                        std::uint64_t seed);

}  // namespace xorloom
