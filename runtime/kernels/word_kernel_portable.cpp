#include <bit>
#include <cstring>

#include "runtime/kernels/word_kernel.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kWords = 32;
constexpr std::size_t kWordBytes = 8;

/// Loads bytes as words of 8 bytes, the first byte lowest. Missing bytes of the last word are 0.
void load(const std::uint8_t* from, std::size_t bytes, std::uint64_t* words) {
  words[(bytes - 1) / kWordBytes] = 0;
  std::memcpy(words, from, bytes);
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < kWords; ++i) words[i] = __builtin_bswap64(words[i]);
  }
}

void store(std::uint8_t* to, std::size_t bytes, std::uint64_t* words) {
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < kWords; ++i) words[i] = __builtin_bswap64(words[i]);
  }
  std::memcpy(to, words, bytes);
}

void add(std::uint64_t* sum, const std::uint64_t* words) {
  for (std::size_t i = 0; i < kWords; ++i) sum[i] ^= words[i];
}

/// The word that has `symbol` in every place.
template <unsigned W>
constexpr std::uint64_t in_all_places(std::uint64_t symbol) {
  for (unsigned bits = W; bits < 64; bits *= 2) symbol |= symbol << bits;
  return symbol;
}

/// Multiplies all symbols by x.
template <unsigned W>
void double_symbols(std::uint64_t* words, std::uint32_t reduction) {
  constexpr std::uint64_t kHighest = in_all_places<W>(std::uint64_t{1} << (W - 1));
  const std::uint64_t reductions = in_all_places<W>(reduction);
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint64_t highest = words[i] & kHighest;
    const std::uint64_t overflown = (highest << 1) - (highest >> (W - 1));  // all bits of a symbol
    words[i] = (words[i] ^ highest) << 1 ^ (overflown & reductions);
  }
}

/// Replaces each symbol by the sum of the elements that its bits select.
template <unsigned W>
void change_basis(std::uint64_t* words, const std::uint32_t* elements) {
  constexpr std::uint64_t kLowest = in_all_places<W>(1);
  std::uint64_t sums[kWords] = {};
  for (unsigned bit = 0; bit < W; ++bit) {
    const std::uint64_t element = in_all_places<W>(elements[bit]);
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint64_t selected = words[i] >> bit & kLowest;
      sums[i] ^= ((selected << W) - selected) & element;
    }
  }
  std::memcpy(words, sums, sizeof sums);
}

/// Brings the bytes of 16-bit symbols together that lie in planes (gather), or lays them out in
/// planes (scatter). Copies whole blocks, even if `bytes` ends within one.
void gather_planes(const std::uint8_t* planes, std::size_t bytes, std::uint8_t* symbols) {
  for (std::size_t block = 0; block < bytes; block += 2 * kPlaneBytes) {
    for (std::size_t i = 0; i < kPlaneBytes; ++i) {
      symbols[block + 2 * i] = planes[block + i];
      symbols[block + 2 * i + 1] = planes[block + kPlaneBytes + i];
    }
  }
}

void scatter_planes(const std::uint8_t* symbols, std::size_t bytes, std::uint8_t* planes) {
  for (std::size_t block = 0; block < bytes; block += 2 * kPlaneBytes) {
    for (std::size_t i = 0; i < kPlaneBytes; ++i) {
      planes[block + i] = symbols[block + 2 * i];
      planes[block + kPlaneBytes + i] = symbols[block + 2 * i + 1];
    }
  }
}

/// Products by shift and add: the doublings of a source serve all rows.
template <unsigned W, bool InPlanes>
void combine(const WordBlock& block) noexcept {
  const std::size_t rows = block.rows;
  const bool has_basis = block.basis != nullptr && block.num_plain != block.num_sources;
  for (std::size_t done = 0; done < block.bytes; done += kWords * kWordBytes) {
    const std::size_t left = block.bytes - done;
    const std::size_t bytes = left < kWords * kWordBytes ? left : kWords * kWordBytes;
    std::uint64_t x[kWords] = {};
    std::uint64_t sum[kMaxWordRows][kWords] = {};
    for (std::size_t s = 0; s < block.num_sources; ++s) {
      const WordSource& source = block.sources[s];
      const std::uint8_t* from = block.chunks[source.location] +
                                 source.subchunk * block.subchunk_bytes + block.column + done;
      std::uint8_t symbols[kWords * kWordBytes];
      if constexpr (InPlanes) {
        gather_planes(from, bytes, symbols);
        from = symbols;
      }
      load(from, bytes, x);
      if (has_basis) change_basis<W>(x, block.basis);
      if (s < block.num_plain) {
        for (std::size_t r = 0; r < rows; ++r) add(sum[r], x);
        continue;
      }
      std::uint32_t coefficients[kMaxWordRows];
      std::memcpy(coefficients,
                  block.factors + (s - block.num_plain) * rows * sizeof(std::uint32_t),
                  rows * sizeof(std::uint32_t));
      std::uint32_t bits = 0;
      for (std::size_t r = 0; r < rows; ++r) bits |= coefficients[r];
      for (;;) {
        for (std::size_t r = 0; r < rows; ++r) {
          if ((coefficients[r] & 1U) != 0) add(sum[r], x);
          coefficients[r] >>= 1;
        }
        bits >>= 1;
        if (bits == 0) break;
        double_symbols<W>(x, block.reduction);
      }
    }
    for (std::size_t r = 0; has_basis && r < rows; ++r) change_basis<W>(sum[r], block.powers_of_x);
    for (std::size_t r = 0; block.adds && r < rows; ++r) {
      const std::uint8_t* from = block.targets[r] + done;
      std::uint8_t symbols[kWords * kWordBytes];
      if constexpr (InPlanes) {
        gather_planes(from, bytes, symbols);
        from = symbols;
      }
      load(from, bytes, x);
      add(sum[r], x);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      if constexpr (InPlanes) {
        std::uint8_t symbols[kWords * kWordBytes];
        store(symbols, bytes, sum[r]);
        scatter_planes(symbols, bytes, block.targets[r] + done);
      } else {
        store(block.targets[r] + done, bytes, sum[r]);
      }
    }
  }
}

template <unsigned W, bool InPlanes = false>
constexpr WordKernel kKernel = {
    {combine<W, InPlanes>, combine<W, InPlanes>, combine<W, InPlanes>, combine<W, InPlanes>,
     combine<W, InPlanes>, combine<W, InPlanes>, combine<W, InPlanes>, combine<W, InPlanes>},
    {},
    FactorForm::kCoefficient,
    kMaxWordRows,
    {256, 256, 256, 256, 256, 256, 256, 256}};

}  // namespace

extern constinit const WordKernelTable kPortableWords = {
    {kKernel<4>, kKernel<8>, kKernel<16>, kKernel<32>}, kKernel<16, true>};

}  // namespace xorloom
