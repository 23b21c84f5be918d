#include <bit>
#include <cstring>

#include "runtime/kernels/fingerprint_loops.hpp"

namespace xorloom {
namespace {

std::uint64_t lowest_first(std::uint64_t word) {
  return std::endian::native == std::endian::big ? __builtin_bswap64(word) : word;
}

struct Word {
  using Register = std::uint64_t;
  static constexpr std::size_t kBytes = 8;

  static Register load(const std::uint8_t* from) {
    Register word = 0;
    std::memcpy(&word, from, sizeof word);
    return lowest_first(word);
  }
  static void store(std::uint8_t* to, Register word) {
    word = lowest_first(word);
    std::memcpy(to, &word, sizeof word);
  }
  static Register all(std::uint64_t word) { return word; }
  static Register add(Register a, Register b) { return a ^ b; }
  static Register both(Register a, Register b) { return a & b; }
  template <std::size_t kBits>
  static Register left(Register x) {
    return x << kBits;
  }
  template <std::size_t kBits>
  static Register right(Register x) {
    return x >> kBits;
  }
};

/// Adds up keys by the nibbles of their words: sums[n][v] is the sum of the keys whose word has the
/// value v as nibble n.
void add_products(const WordRuns& words, const std::uint64_t* keys, PolynomialSum& sum) noexcept {
  std::uint64_t sums[16][16] = {};
  for (std::size_t run = 0; run < words.runs; ++run) {
    const std::uint8_t* const from = words.begin + run * words.stride;
    for (std::size_t i = 0; i < words.run_words; ++i) {
      const std::uint64_t word = Word::load(from + 8 * i);
      const std::uint64_t key = *keys++;
      for (std::size_t nibble = 0; nibble < 16; ++nibble) {
        sums[nibble][word >> (4 * nibble) & 15] ^= key;
      }
    }
  }
  for (unsigned int bit = 0; bit < 64; ++bit) {
    std::uint64_t of_bit = 0;
    for (unsigned int value = 0; value < 16; ++value) {
      if ((value >> bit % 4 & 1) != 0) of_bit ^= sums[bit / 4][value];
    }
    sum.low ^= of_bit << bit;
    if (bit != 0) sum.high ^= of_bit >> (64 - bit);
  }
}

}  // namespace

extern constinit const FingerprintKernels kPortableFingerprints = {add_products,
                                                                   slice_symbols<Word>};

}  // namespace xorloom
