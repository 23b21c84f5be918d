#pragma once

// The loops of the vector kernels, for the kernels' files alone: each includes its own copy, which
// nothing outside it can see, and compiles it for its instruction set.

#include "runtime/kernels/word_kernel.hpp"

namespace xorloom {
namespace {

constexpr int kSecondCache = 2;  ///< for __builtin_prefetch

/// Splits `Planes` vectors that hold units of `Planes` bytes and follow each other in memory:
/// vector p gets byte p of each unit. For two vectors V::split does
///
///     a0 b0 a1 b1 … | am bm …      <->      a0 a1 … am … | b0 b1 … bm …
///
/// in some order that V::join undoes.
template <class V, std::size_t Planes>
void split_units(typename V::Register* x) {
  if constexpr (Planes >= 2) V::split(x[0], x[1]);
  if constexpr (Planes == 4) {
    V::split(x[2], x[3]);
    V::split(x[0], x[2]);
    V::split(x[1], x[3]);
  }
}

template <class V, std::size_t Planes>
void join_units(typename V::Register* x) {
  if constexpr (Planes == 4) {
    V::join(x[0], x[2]);
    V::join(x[1], x[3]);
    V::join(x[2], x[3]);
  }
  if constexpr (Planes >= 2) V::join(x[0], x[1]);
}

/// The vectors V for symbols whose bytes lie in planes. Vectors of half a block need no split;
/// those of a whole block are split by exchanging halves; of smaller ones several make up a plane.
template <class V>
struct InPlanes : V {
  static constexpr std::size_t kVectorsOfPlane =
      V::kBytes < kPlaneBytes ? kPlaneBytes / V::kBytes : 1;

  static void split([[maybe_unused]] typename V::Register& a,
                    [[maybe_unused]] typename V::Register& b) {
    if constexpr (V::kBytes > kPlaneBytes) V::exchange_halves(a, b);
  }
  static void join(typename V::Register& a, typename V::Register& b) { split(a, b); }
};

/// Vectors of each plane that have to be computed together.
template <class V>
constexpr std::size_t kFewestSteps = 1;
template <class V>
constexpr std::size_t kFewestSteps<InPlanes<V>> = InPlanes<V>::kVectorsOfPlane;

/// Offset in bytes of vector i of a turn, with `Planes` vectors in each step.
template <class V, std::size_t Planes>
constexpr std::size_t place_of(std::size_t i) {
  constexpr std::size_t kSteps = kFewestSteps<V>;
  const std::size_t step = i / Planes;
  const std::size_t vector = (step / kSteps * Planes + i % Planes) * kSteps + step % kSteps;
  return vector * V::kBytes;
}

/// A turn of the loops: `Rows` rows over `Steps` times `Planes` vectors. The sums of all rows stay
/// in registers over all sources.
template <class V, std::size_t Planes, std::size_t Rows, std::size_t Steps>
struct Turn {
  using Register = typename V::Register;
  static constexpr std::size_t kVectors = Steps * Planes;
  static constexpr std::size_t kBytes = kVectors * V::kBytes;
  static constexpr std::size_t kFactorBytes = Planes * Planes * V::kMapBytes;

  static constexpr std::size_t kLines = kBytes / 64;

  const WordBlock& block;
  std::size_t done;
  std::size_t bytes;           ///< bytes of the turn; kBytes unless it is the last
  std::size_t first_line = 0;  ///< first line to prefetch, of kLines
  std::size_t last_line = 0;

  const std::uint8_t* bytes_of(const WordSource& source) const {
    return block.chunks[source.location] + source.subchunk * block.subchunk_bytes + block.column +
           done;
  }

  template <bool Whole>
  void load(const std::uint8_t* from, Register* x) const {
    if constexpr (Whole) {
      for (std::size_t line = first_line; line < last_line; ++line) {
        __builtin_prefetch(from + block.prefetch_ahead + 64 * line, 0, kSecondCache);
      }
    }
    load_only<Whole>(from, x);
  }

  template <bool Whole>
  void load_only(const std::uint8_t* from, Register* x) const {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kVectors; ++i) {
      if constexpr (Whole) {
        x[i] = V::load(from + place_of<V, Planes>(i));
      } else {
        x[i] = V::load_part(from + place_of<V, Planes>(i), part(i));
      }
    }
  }

  /// Bytes of vector i.
  std::size_t part(std::size_t i) const {
    const std::size_t place = place_of<V, Planes>(i);
    const std::size_t left = bytes > place ? bytes - place : 0;
    return left < V::kBytes ? left : V::kBytes;
  }

  static void split(Register* x) {
#pragma GCC unroll 16
    for (std::size_t t = 0; t < Steps; ++t) split_units<V, Planes>(x + t * Planes);
  }

  /// Adds to the sum of one row.
  static void multiply_add(Register* sum, const std::uint8_t* factor,
                           const typename V::Prepared* x) {
#pragma GCC unroll 4
    for (std::size_t in = 0; in < Planes; ++in) {
#pragma GCC unroll 4
      for (std::size_t out = 0; out < Planes; ++out) {
        const typename V::Map map = V::map(factor + (in * Planes + out) * V::kMapBytes);
#pragma GCC unroll 16
        for (std::size_t t = 0; t < Steps; ++t) {
          Register& to = sum[t * Planes + out];
          to = V::multiply_add(to, map, x[t * Planes + in]);
        }
      }
    }
  }

  template <bool Whole>
  void run() const {
    Register plain[kVectors];
    Register sum[Rows][kVectors];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kVectors; ++i) plain[i] = V::zero();
    const WordSource* source = block.sources;
    const WordSource* const plain_end = source + block.num_plain;
    const WordSource* const without_ones_end = plain_end + block.num_without_ones;
    const WordSource* const end = block.sources + block.num_sources;
    for (; source != plain_end; ++source) {
      Register x[kVectors];
      load<Whole>(bytes_of(*source), x);
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kVectors; ++i) plain[i] = V::add(plain[i], x[i]);
    }
    split(plain);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kVectors; ++i) sum[r][i] = plain[i];
    }
    if (block.adds) {
#pragma GCC unroll 8
      for (std::size_t r = 0; r < Rows; ++r) {
        Register x[kVectors];
        load_only<Whole>(block.targets[r] + done, x);
        split(x);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kVectors; ++i) sum[r][i] = V::add(sum[r][i], x[i]);
      }
    }
    const std::uint8_t* factor = block.factors;
    for (; source != without_ones_end; ++source) {
      Register x[kVectors];
      load<Whole>(bytes_of(*source), x);
      split(x);
      typename V::Prepared prepared[kVectors];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kVectors; ++i) prepared[i] = V::prepare(x[i]);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < Rows; ++r) {
        multiply_add(sum[r], factor + r * kFactorBytes, prepared);
      }
      factor += Rows * kFactorBytes;
    }
    for (; source != end; ++source) {
      Register x[kVectors];
      load<Whole>(bytes_of(*source), x);
      split(x);
      typename V::Prepared prepared[kVectors];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kVectors; ++i) prepared[i] = V::prepare(x[i]);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < Rows; ++r) {
        if ((source->ones >> r & 1U) != 0) {
#pragma GCC unroll 16
          for (std::size_t i = 0; i < kVectors; ++i) sum[r][i] = V::add(sum[r][i], x[i]);
        } else {
          multiply_add(sum[r], factor + r * kFactorBytes, prepared);
        }
      }
      factor += Rows * kFactorBytes;
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) store<Whole>(block.targets[r] + done, sum[r]);
  }

  template <bool Whole>
  void store(std::uint8_t* to, Register* sum) const {
#pragma GCC unroll 16
    for (std::size_t t = 0; t < Steps; ++t) join_units<V, Planes>(sum + t * Planes);
    if constexpr (Whole && V::kStreams && kBytes % 64 == 0) {
      if (block.streams) {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kVectors; ++i) V::stream(to + place_of<V, Planes>(i), sum[i]);
        return;
      }
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kVectors; ++i) {
      if constexpr (Whole) {
        V::store(to + place_of<V, Planes>(i), sum[i]);
      } else {
        V::store_part(to + place_of<V, Planes>(i), part(i), sum[i]);
      }
    }
  }
};

/// The most steps in a turn for which every sum and every source has a register.
template <class V>
constexpr std::size_t steps_of(std::size_t planes, std::size_t rows) {
  constexpr std::size_t kTried[] = {8, 6, 4, 3, 2};
  for (const std::size_t steps : kTried) {
    const std::size_t registers = steps * planes * (rows + V::kSourceRegisters);
    const std::size_t bytes = steps * planes * V::kBytes;
    if (steps % kFewestSteps<V> != 0) continue;
    if (registers <= V::kRegisters && bytes % 64 == 0 && kTurnMultiple % bytes == 0) return steps;
  }
  return kFewestSteps<V>;
}

template <class V, std::size_t Planes, std::size_t Rows>
void combine_rows(const WordBlock& block) noexcept {
  using Many = Turn<V, Planes, Rows, steps_of<V>(Planes, Rows)>;
  using One = Turn<V, Planes, Rows, kFewestSteps<V>>;
  static_assert(kTurnMultiple % Many::kBytes == 0);
  const bool prefetches = block.prefetch_ahead != 0;
  const std::size_t first_line = prefetches ? block.part * Many::kLines / block.parts : 0;
  const std::size_t last_line = prefetches ? (block.part + 1) * Many::kLines / block.parts : 0;
  std::size_t done = 0;
  for (; block.bytes - done >= Many::kBytes; done += Many::kBytes) {
    Many{block, done, Many::kBytes, first_line, last_line}.template run<true>();
  }
  for (; block.bytes - done >= One::kBytes; done += One::kBytes) {
    One{block, done, One::kBytes}.template run<true>();
  }
  if (done < block.bytes) One{block, done, block.bytes - done}.template run<false>();
}

/// A MultiplyWords for `Rows` rows. The factors stay in registers.
template <class V, std::size_t Rows>
void multiply_rows(const std::uint8_t* factors, const std::uint8_t* read, std::uint8_t* const* sums,
                   std::size_t bytes, bool adds) noexcept {
  typename V::Map maps[Rows];
  std::uint8_t* to[Rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r) {
    maps[r] = V::map(factors + r * V::kMapBytes);
    to[r] = sums[r];
  }
  std::size_t done = 0;
  const auto multiply = [&](auto load, auto store) {
    const typename V::Prepared x = V::prepare(load(read + done));
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
      const typename V::Register sum = adds ? load(to[r] + done) : V::zero();
      store(to[r] + done, V::multiply_add(sum, maps[r], x));
    }
  };
  for (; bytes - done >= V::kBytes; done += V::kBytes) multiply(V::load, V::store);
  if (done == bytes) return;
  const std::size_t left = bytes - done;
  multiply([&](const std::uint8_t* from) { return V::load_part(from, left); },
           [&](std::uint8_t* place, typename V::Register x) { V::store_part(place, left, x); });
}

/// Sets the functions for 1 to `Rows` rows.
template <class V, std::size_t Planes, std::size_t Rows>
constexpr void set_functions(WordKernel& kernel) {
  kernel.combine[Rows - 1] = combine_rows<V, Planes, Rows>;
  if constexpr (Planes == 1) kernel.multiply[Rows - 1] = multiply_rows<V, Rows>;
  if constexpr (Rows > 1) set_functions<V, Planes, Rows - 1>(kernel);
}

template <class V, std::size_t Planes, std::size_t MaxRows>
constexpr WordKernel make_kernel(FactorForm form) {
  WordKernel kernel{{}, {}, form, MaxRows, {}};
  set_functions<V, Planes, MaxRows>(kernel);
  for (std::size_t rows = 1; rows <= MaxRows; ++rows) {
    kernel.turn_bytes[rows - 1] = steps_of<V>(Planes, rows) * Planes * V::kBytes;
  }
  return kernel;
}

template <class V, std::size_t MaxBytes, std::size_t MaxPairs, std::size_t MaxQuads>
constexpr WordKernelTable make_kernels(FactorForm form) {
  return {{make_kernel<V, 1, MaxBytes>(form), make_kernel<V, 1, MaxBytes>(form),
           make_kernel<V, 2, MaxPairs>(form), make_kernel<V, 4, MaxQuads>(form)},
          make_kernel<InPlanes<V>, 2, MaxPairs>(form)};
}

}  // namespace
}  // namespace xorloom
