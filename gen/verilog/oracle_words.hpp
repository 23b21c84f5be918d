#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

/// A word: one symbol of each input of a map, and the outputs that the oracle computes from them.
struct OracleWord {
  std::vector<Field::Symbol> inputs;
  std::vector<Field::Symbol> outputs;
};

/// Words for testbenches: words with one bit that is 1, which tell each bit of each coefficient, or
/// a spread of `most_units` of them, and then seeded random words.
///
/// They lie in chunks as the code has them, and the oracle computes on the bytes of these.
std::vector<OracleWord> oracle_words_of(const Code& code, const LinearMap& map,
                                        std::size_t most_units, std::size_t random_words,
                                        std::uint64_t seed);

}  // namespace xorloom
