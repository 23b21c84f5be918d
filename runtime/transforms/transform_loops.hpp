#pragma once

// The loops of the passes, for the kernels' files alone: each includes its own copy and compiles it
// for its instruction set, as with word_kernel_loops.hpp.

#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/transforms/transform_kernel.hpp"
#include "runtime/transforms/transform_strips.hpp"

namespace xorloom {
namespace {

/// A pass of `Levels` levels over symbols of `Planes` bytes.
template <class V, std::size_t Planes, std::size_t Levels, TransformKind Kind>
struct Pass {
  using Vector = V;
  using Register = typename V::Register;
  static constexpr std::size_t kRows = std::size_t{1} << Levels;
  static constexpr std::size_t kSteps = kFewestSteps<V>;
  static constexpr std::size_t kUnit = kSteps * Planes * V::kBytes;
  static constexpr std::size_t kFactorBytes = Planes * Planes * V::kMapBytes;
  static constexpr bool kScalesInputs = Kind == TransformKind::kScaledInputs;
  static constexpr bool kScalesOutputs = Kind == TransformKind::kScaledOutputs;
  static constexpr bool kSolves = Kind == TransformKind::kSolved;
  static constexpr bool kTurns = Kind == TransformKind::kTurn;
  static constexpr bool kDerives = kScalesOutputs || Kind == TransformKind::kDownDerived;
  static constexpr bool kSums =
      Kind == TransformKind::kSummed || Kind == TransformKind::kSummedDown;
  static constexpr bool kFromInputs =
      kScalesInputs || Kind == TransformKind::kInputs || Kind == TransformKind::kInputsAdded;
  static constexpr bool kToOutputs =
      kScalesOutputs || Kind == TransformKind::kOutputs || Kind == TransformKind::kOutputsZero;
  static constexpr bool kIsUp = kFromInputs || Kind == TransformKind::kUp;
  static constexpr bool kAdds = Kind == TransformKind::kInputsAdded;
  static constexpr bool kHasZero =
      kTurns || Kind == TransformKind::kDownZero || Kind == TransformKind::kOutputsZero;

  /// Registers that constants and `columns` columns of rows take, with room for sums.
  static constexpr std::size_t kMapRegisters =
      (sizeof(typename V::Map) + sizeof(Register) - 1) / sizeof(Register);
  static constexpr std::size_t kConstants = kRows - 1;
  static constexpr std::size_t registers(std::size_t columns) {
    return kConstants * Planes * Planes * kMapRegisters + columns * kRows * Planes + 4;
  }

  /// The constants of the butterflies. With Held they stay in registers over all columns.
  template <bool Held>
  struct Constants {
    const std::uint8_t* factors;
    typename V::Map maps[Held ? kConstants * Planes * Planes : 1];

    [[gnu::always_inline]] explicit Constants(const std::uint8_t* first) : factors(first) {
      if constexpr (Held) {
#pragma GCC unroll 28
        for (std::size_t i = 0; i < kConstants * Planes * Planes; ++i) {
          maps[i] = V::map(factors + i * V::kMapBytes);
        }
      }
    }
    [[gnu::always_inline]] typename V::Map map(std::size_t i) const {
      if constexpr (Held) return maps[i];
      return V::map(factors + i * V::kMapBytes);
    }
  };

  static void add(Register* sum, const Register* x) {
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) sum[p] = V::add(sum[p], x[p]);
  }

  template <bool Held>
  static void multiply_add(Register* sum, const Constants<Held>& constants, std::size_t constant,
                           const Register* x) {
    typename V::Prepared prepared[Planes];
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) prepared[p] = V::prepare(x[p]);
#pragma GCC unroll 2
    for (std::size_t in = 0; in < Planes; ++in) {
#pragma GCC unroll 2
      for (std::size_t out = 0; out < Planes; ++out) {
        const typename V::Map map = constants.map((constant * Planes + in) * Planes + out);
        sum[out] = V::multiply_add(sum[out], map, prepared[in]);
      }
    }
  }

  static void scale(Register* x, const std::uint8_t* factor) {
    Register product[Planes];
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) product[p] = V::zero();
    multiply_add(product, Constants<false>(factor), 0, x);
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) x[p] = product[p];
  }

  /// Adds the derivative of `rows` in memory, for step `s` of a unit.
  static void add_derivative(Register (*x)[Planes], const std::uint8_t* rows, std::size_t step,
                             std::size_t s) {
#pragma GCC unroll 8
    for (std::size_t i = 1; i < kRows; ++i) {
      Register row[Planes];
#pragma GCC unroll 2
      for (std::size_t p = 0; p < Planes; ++p) {
        row[p] = V::load(rows + i * step + place_of<V, Planes>(s * Planes + p));
      }
#pragma GCC unroll 3
      for (std::size_t bit = 1; bit < kRows; bit *= 2) {
        if ((i & bit) != 0) add(x[i ^ bit], row);
      }
    }
  }

  /// Replaces rows by their derivative, with the highest level before and after it. Upwards, a pair
  /// x0, x1 of that level has x0 + x1 in its upper row, which is the derivative in the lower row.
  /// Downwards both rows become x0 + x1.
  static void derive(Register (*x)[Planes]) {
    constexpr std::size_t kHalf = kRows / 2;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kHalf; ++i) {
      Register sum[Planes];
#pragma GCC unroll 2
      for (std::size_t p = 0; p < Planes; ++p) sum[p] = V::add(x[i][p], x[i + kHalf][p]);
        // Row i adds only rows with larger numbers, which still have their old values.
#pragma GCC unroll 2
      for (std::size_t half = 0; half < 2; ++half) {
        Register* const row = x[i + half * kHalf];
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) row[p] = sum[p];
#pragma GCC unroll 2
        for (std::size_t bit = 1; bit < kHalf; bit *= 2) {
          if ((i & bit) == 0) add(row, x[(i | bit) + half * kHalf]);
        }
      }
    }
  }

  /// The butterflies of level t.
  template <bool Up, bool HasZero, bool Held>
  [[gnu::always_inline]] static void level(Register (*x)[Planes], std::size_t t,
                                           const Constants<Held>& constants) {
    const std::size_t distance = std::size_t{1} << t;
    const std::size_t first = kRows - (kRows >> t);  // constants of the levels below
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kRows >> (t + 1); ++part) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < distance; ++i) {
        Register* const low = x[2 * part * distance + i];
        Register* const high = x[(2 * part + 1) * distance + i];
        if constexpr (Up) add(high, low);
        if (!HasZero || part != 0) multiply_add(low, constants, first + part, high);
        if constexpr (!Up) add(high, low);
      }
    }
  }

  template <bool Held>
  [[gnu::always_inline]] static void butterflies(Register (*x)[Planes],
                                                 const Constants<Held>& constants) {
    if constexpr (kTurns) {
#pragma GCC unroll 2
      for (std::size_t t = 0; t + 1 < Levels; ++t) level<true, true>(x, t, constants);
      derive(x);
#pragma GCC unroll 2
      for (std::size_t t = 0; t + 1 < Levels; ++t) {
        level<false, true>(x, Levels - 2 - t, constants);
      }
    } else {
#pragma GCC unroll 3
      for (std::size_t t = 0; t < Levels; ++t) {
        level<kIsUp, kHasZero>(x, kIsUp ? t : Levels - 1 - t, constants);
      }
    }
  }

  static std::size_t left(std::size_t bytes, std::size_t place) {
    const std::size_t more = bytes > place ? bytes - place : 0;
    return more < V::kBytes ? more : V::kBytes;
  }

  template <bool Whole>
  static void load_input(const std::uint8_t* input, std::size_t s, std::size_t bytes, Register* x) {
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) {
      const std::size_t place = place_of<V, Planes>(s * Planes + p);
      if constexpr (Whole) {
        x[p] = V::load(input + place);
      } else {
        x[p] = V::load_part(input + place, left(bytes, place));
      }
    }
    if constexpr (Planes == 2) V::split(x[0], x[1]);
  }

  template <bool Whole>
  static void store_output(const TransformBlock& block, std::uint8_t* output, std::size_t s,
                           std::size_t bytes, Register* x) {
    if constexpr (Planes == 2) V::join(x[0], x[1]);
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) {
      const std::size_t place = place_of<V, Planes>(s * Planes + p);
      if constexpr (Whole) {
        store(block, output + place, x[p]);
      } else {
        V::store_part(output + place, left(bytes, place), x[p]);
      }
    }
  }

  template <bool Whole, bool Held>
  [[gnu::always_inline]] static void solve(Register (*x)[Planes], const TransformBlock& block,
                                           std::size_t offset, std::size_t s, std::size_t bytes,
                                           const Constants<Held>& constants) {
#pragma GCC unroll 3
    for (std::size_t t = 0; t < Levels; ++t) level<false, false>(x, Levels - 1 - t, constants);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) {
      if (block.inputs[i] == nullptr) {
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) x[i][p] = V::zero();
        continue;
      }
      Register input[Planes];
      load_input<Whole>(block.inputs[i] + offset, s, bytes, input);
      add(x[i], input);
      scale(x[i], block.factors + i * kFactorBytes);
    }
#pragma GCC unroll 3
    for (std::size_t t = 0; t < Levels; ++t) level<true, false>(x, t, constants);
  }

  /// Computes one unit, of which inputs and outputs have `bytes` bytes. Inputs are prefetched to
  /// `Cache` (the locality of __builtin_prefetch; kNoCache: not at all).
  template <bool Whole, int Cache, bool Held>
  [[gnu::always_inline]] static void unit(const TransformBlock& block, std::size_t offset,
                                          std::size_t bytes, const Constants<Held>& constants) {
    const std::uint8_t* const from = block.from + (kFromInputs ? 0 : offset);
    std::uint8_t* const to = block.to + (kToOutputs ? 0 : offset);
#pragma GCC unroll 1
    for (std::size_t s = 0; s < kSteps; ++s) {
      Register x[kRows][Planes];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
        if constexpr (kScalesInputs) {
          if (block.inputs[i] == nullptr) {
#pragma GCC unroll 2
            for (std::size_t p = 0; p < Planes; ++p) x[i][p] = V::zero();
            continue;
          }
        }
        if constexpr (kFromInputs) {
          const std::uint8_t* const input = block.inputs[i] + block.begin + offset;
          load_input<Whole>(input, s, bytes, x[i]);
          if constexpr (Cache != kNoCache) {
            if (s == 0) prefetch<Cache>(input + block.ahead);
          }
        } else {
#pragma GCC unroll 2
          for (std::size_t p = 0; p < Planes; ++p) {
            x[i][p] = V::load(from + i * block.step + place_of<V, Planes>(s * Planes + p));
          }
        }
        if constexpr (kScalesInputs) scale(x[i], block.factors + i * kFactorBytes);
      }
      if constexpr (kDerives) {
        if (block.derived != nullptr) add_derivative(x, block.derived + offset, block.step, s);
      }
      if constexpr (kSolves) {
        solve<Whole>(x, block, offset, s, bytes, constants);
      } else {
        butterflies(x, constants);
      }
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
        if constexpr (kScalesOutputs) {
          if (block.outputs[i] == nullptr) continue;
          scale(x[i], block.factors + (kConstants + i) * kFactorBytes);
        }
        if constexpr (kToOutputs) {
          store_output<Whole>(block, block.outputs[i] + block.begin + offset, s, bytes, x[i]);
          continue;
        }
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) {
          std::uint8_t* const row = to + i * block.step + place_of<V, Planes>(s * Planes + p);
          V::store(row, kAdds ? V::add(x[i][p], V::load(row)) : x[i][p]);
        }
      }
    }
  }

  static void store(const TransformBlock& block, std::uint8_t* to, Register x) {
    if constexpr (V::kStreams) {
      if (block.streams) return V::stream(to, x);
    }
    V::store(to, x);
  }

  static constexpr int kNoCache = 0;
  static constexpr int kFirstCache = 3;
  /// For inputs in memory. Slower kernels gain more from loads that do not wait for L2.
  static constexpr int kFarCache = V::kBytes < 64 ? kFirstCache : 2;

  template <int Cache>
  [[gnu::always_inline]] static void prefetch(const std::uint8_t* unit) {
#pragma GCC unroll 2
    for (std::size_t line = 0; line < kUnit; line += 64) __builtin_prefetch(unit + line, 0, Cache);
  }

  /// Columns that kinds that sum compute at once: their sums and rows have to fit the registers.
  /// rows.
  static constexpr std::size_t columns_of_sums() {
    if (kSteps != 1) return 1;
    return registers(4) <= V::kRegisters ? 2 : 1;
  }

  static std::size_t place(std::size_t column, std::size_t p) {
    return column / kSteps * kUnit + place_of<V, Planes>(column % kSteps * Planes + p);
  }

  /// Adds up `Columns` columns over all tables.
  template <std::size_t Columns>
  [[gnu::always_inline]] static void sum_columns(const TransformBlock& block, std::size_t offset) {
    constexpr bool kHeld = registers(2 * Columns) <= V::kRegisters;
    Register sum[Columns][kRows][Planes];
    std::uint8_t* const to = block.to + block.begin + offset;
#pragma GCC unroll 4
    for (std::size_t c = 0; c < Columns; ++c) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) {
          sum[c][i][p] = block.adds ? V::load(to + i * block.sum_step + place(c, p)) : V::zero();
        }
      }
    }
    const std::uint8_t* from = block.from + offset;
    const std::uint8_t* factors = block.factors;
#pragma GCC unroll 1
    for (std::size_t table = 0; table < block.tables; ++table) {
      const Constants<kHeld> constants(factors);
#pragma GCC unroll 4
      for (std::size_t c = 0; c < Columns; ++c) {
        Register x[kRows][Planes];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
          for (std::size_t p = 0; p < Planes; ++p) {
            x[i][p] = V::load(from + i * block.step + place(c, p));
          }
        }
#pragma GCC unroll 3
        for (std::size_t t = 0; t < Levels; ++t) level<true, false>(x, t, constants);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kRows; ++i) add(sum[c][i], x[i]);
      }
      from += block.table_bytes;
      factors += kConstants * kFactorBytes;
    }
    if constexpr (Kind == TransformKind::kSummedDown) {
      const Constants<kHeld> constants(factors);
#pragma GCC unroll 4
      for (std::size_t c = 0; c < Columns; ++c) {
#pragma GCC unroll 3
        for (std::size_t t = 0; t < Levels; ++t) {
          level<false, true>(sum[c], Levels - 1 - t, constants);
        }
      }
    }
#pragma GCC unroll 4
    for (std::size_t c = 0; c < Columns; ++c) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) {
          V::store(to + i * block.sum_step + place(c, p), sum[c][i][p]);
        }
      }
    }
  }

  [[gnu::always_inline]] static void run_sums(const TransformBlock& block) {
    for (std::size_t i = 0; i < block.inputs_ahead; ++i) {
      prefetch<kFirstCache>(block.inputs[i] + block.begin + block.ahead + kStripBytes / 2);
    }
    constexpr std::size_t kColumns = columns_of_sums();
    constexpr std::size_t kColumnBytes = Planes * V::kBytes;
    std::size_t offset = 0;
    if constexpr (kColumns > 1) {
      constexpr std::size_t kBytes = kColumns * kColumnBytes;
      for (; block.bytes - offset >= kBytes; offset += kBytes) sum_columns<kColumns>(block, offset);
    }
    for (; offset < block.bytes; offset += kUnit) {
#pragma GCC unroll 1
      for (std::size_t s = 0; s < kSteps; ++s) sum_columns<1>(block, offset + s * V::kBytes);
    }
  }

  /// True if the pass has a loop for strips: one or two vectors whose rows follow each other in
  /// memory, so that all offsets are constants. Constants of the transform have to stay in
  /// registers, since each serves few columns.
  static constexpr bool kHasStrips = Kind == TransformKind::kInputs && Planes == 1 &&
                                     kStripBytes <= 2 * V::kBytes && registers(1) <= V::kRegisters;

  template <int Cache>
  [[gnu::always_inline]] static void run_block(const TransformBlock& block) {
    constexpr bool kHeld = registers(1) <= V::kRegisters;
    const std::uint8_t* const factors =
        block.factors + (kScalesInputs || kSolves ? kRows * kFactorBytes : 0);
    const Constants<kHeld> constants(factors);
    std::size_t offset = 0;
    for (; block.bytes - offset >= kUnit; offset += kUnit) {
      if (Cache == kNoCache || kUnit % 64 == 0 || offset % 64 == 0) {
        unit<true, Cache>(block, offset, kUnit, constants);
      } else {
        unit<true, kNoCache>(block, offset, kUnit, constants);
      }
    }
    if constexpr (kFromInputs || kToOutputs || kSolves) {
      if (offset < block.bytes) {
        unit<false, kNoCache>(block, offset, block.bytes - offset, Constants<false>(factors));
      }
    }
  }

  /// The blocks behind the first one. Rows are scaled in single blocks.
  [[gnu::always_inline]] static void go_on(TransformBlock& block) {
    if constexpr (kSums) {
      block.inputs += block.inputs_ahead;
      block.from += block.from_pitch;
      block.to += block.sum_pitch;
      return;
    }
    if constexpr (kFromInputs) {
      block.inputs += kRows;
    } else {
      block.from += kRows * block.step;
    }
    if constexpr (kToOutputs) {
      block.outputs += kRows;
    } else {
      block.to += kRows * block.step;
    }
    block.factors += kConstants * kFactorBytes;
  }

  template <int Cache>
  [[gnu::always_inline]] static void run_blocks(TransformBlock block) {
    for (std::size_t done = 0;;) {
      if constexpr (kSums) {
        run_sums(block);
      } else {
        run_block<Cache>(block);
      }
      if (++done == block.blocks) return;
      go_on(block);
    }
  }

  template <int Cache>
  [[gnu::always_inline]] static void run_in(const TransformBlock& given) {
    if constexpr (kHasStrips) {
      if (given.bytes == kStripBytes && given.step == kStripBytes) {
        return run_strips<Pass, Cache>(given);
      }
    }
    run_blocks<Cache>(given);
  }

  static void run(const TransformBlock& given) noexcept {
    // A copy, which no store can change, stays in registers.
    if constexpr (kFromInputs) {
      if (given.ahead != 0) {
        return given.is_far ? run_in<kFarCache>(given) : run_in<kFirstCache>(given);
      }
    }
    run_in<kNoCache>(given);
  }
};

}  // namespace
}  // namespace xorloom
