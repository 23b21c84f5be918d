#pragma once

// The loops of the passes, for the kernels' files alone: each includes its own copy and compiles it
// for its instruction set, as with word_kernel_loops.hpp.

#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/transforms/transform_kernel.hpp"

namespace xorloom {
namespace {

/// A pass of `Levels` levels over symbols of `Planes` bytes.
template <class V, std::size_t Planes, std::size_t Levels, TransformKind Kind>
struct Pass {
  using Register = typename V::Register;
  static constexpr std::size_t kRows = std::size_t{1} << Levels;
  static constexpr std::size_t kSteps = kFewestSteps<V>;
  static constexpr std::size_t kUnit = kSteps * Planes * V::kBytes;
  static constexpr std::size_t kFactorBytes = Planes * Planes * V::kMapBytes;
  static constexpr bool kFromInputs =
      Kind == TransformKind::kInputs || Kind == TransformKind::kInputsAdded;
  static constexpr bool kToOutputs =
      Kind == TransformKind::kOutputs || Kind == TransformKind::kOutputsZero;
  static constexpr bool kIsUp =
      kFromInputs || Kind == TransformKind::kUp || Kind == TransformKind::kUpAdded;
  static constexpr bool kAdds =
      Kind == TransformKind::kInputsAdded || Kind == TransformKind::kUpAdded;
  static constexpr bool kHasZero =
      Kind == TransformKind::kDownZero || Kind == TransformKind::kOutputsZero;

  static void add(Register* sum, const Register* x) {
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) sum[p] = V::add(sum[p], x[p]);
  }

  static void multiply_add(Register* sum, const std::uint8_t* factor, const Register* x) {
    typename V::Prepared prepared[Planes];
#pragma GCC unroll 2
    for (std::size_t p = 0; p < Planes; ++p) prepared[p] = V::prepare(x[p]);
#pragma GCC unroll 2
    for (std::size_t in = 0; in < Planes; ++in) {
#pragma GCC unroll 2
      for (std::size_t out = 0; out < Planes; ++out) {
        const typename V::Map map = V::map(factor + (in * Planes + out) * V::kMapBytes);
        sum[out] = V::multiply_add(sum[out], map, prepared[in]);
      }
    }
  }

  /// The butterflies of level t.
  static void level(Register (*x)[Planes], std::size_t t, const std::uint8_t* factors) {
    const std::size_t distance = std::size_t{1} << t;
    const std::size_t first = kRows - (kRows >> t);  // constants of the levels below
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kRows >> (t + 1); ++part) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < distance; ++i) {
        Register* const low = x[2 * part * distance + i];
        Register* const high = x[(2 * part + 1) * distance + i];
        if constexpr (kIsUp) add(high, low);
        if (!kHasZero || part != 0) {
          multiply_add(low, factors + (first + part) * kFactorBytes, high);
        }
        if constexpr (!kIsUp) add(high, low);
      }
    }
  }

  static void butterflies(Register (*x)[Planes], const std::uint8_t* factors) {
#pragma GCC unroll 3
    for (std::size_t t = 0; t < Levels; ++t) level(x, kIsUp ? t : Levels - 1 - t, factors);
  }

  static std::size_t left(std::size_t bytes, std::size_t place) {
    const std::size_t more = bytes > place ? bytes - place : 0;
    return more < V::kBytes ? more : V::kBytes;
  }

  /// One unit, of which `bytes` bytes are there in inputs and outputs.
  template <bool Whole>
  static void unit(const TransformBlock& block, std::size_t offset, std::size_t bytes) {
    const std::uint8_t* const from = block.from + (kFromInputs ? 0 : offset);
    std::uint8_t* const to = block.to + (kToOutputs ? 0 : offset);
#pragma GCC unroll 1
    for (std::size_t s = 0; s < kSteps; ++s) {
      Register x[kRows][Planes];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) {
          const std::size_t place = place_of<V, Planes>(s * Planes + p);
          if constexpr (!kFromInputs) {
            x[i][p] = V::load(from + i * block.step + place);
          } else if constexpr (Whole) {
            x[i][p] = V::load(block.inputs[i] + offset + place);
          } else {
            x[i][p] = V::load_part(block.inputs[i] + offset + place, left(bytes, place));
          }
        }
        if constexpr (kFromInputs && Planes == 2) V::split(x[i][0], x[i][1]);
      }
      butterflies(x, block.factors);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
        if constexpr (kToOutputs && Planes == 2) V::join(x[i][0], x[i][1]);
#pragma GCC unroll 2
        for (std::size_t p = 0; p < Planes; ++p) {
          const std::size_t place = place_of<V, Planes>(s * Planes + p);
          if constexpr (!kToOutputs) {
            std::uint8_t* const row = to + i * block.step + place;
            V::store(row, kAdds ? V::add(x[i][p], V::load(row)) : x[i][p]);
          } else if constexpr (!Whole) {
            V::store_part(block.outputs[i] + offset + place, left(bytes, place), x[i][p]);
          } else {
            store(block, block.outputs[i] + offset + place, x[i][p]);
          }
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

  static void prefetch(const TransformBlock& block, std::size_t offset) {
    if (block.prefetched == nullptr) return;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
      for (std::size_t line = 0; line < kUnit; line += 64) {
        __builtin_prefetch(block.prefetched[i] + offset + line, 0, 3);
      }
    }
  }

  static void run(const TransformBlock& block) noexcept {
    std::size_t offset = 0;
    for (; block.bytes - offset >= kUnit; offset += kUnit) {
      if constexpr (kFromInputs) {
        if (offset % 64 == 0) prefetch(block, offset);
      }
      unit<true>(block, offset, kUnit);
    }
    if constexpr (kFromInputs || kToOutputs) {
      if (offset < block.bytes) unit<false>(block, offset, block.bytes - offset);
    }
  }
};

template <class V, std::size_t Planes, std::size_t Levels>
constexpr void set_passes(TransformKernel& kernel) {
  using enum TransformKind;
  const auto set = [&](TransformKind kind, TransformPass pass) {
    kernel.pass[Levels - 1][static_cast<std::size_t>(kind)] = pass;
  };
  set(kInputs, Pass<V, Planes, Levels, kInputs>::run);
  set(kInputsAdded, Pass<V, Planes, Levels, kInputsAdded>::run);
  set(kUp, Pass<V, Planes, Levels, kUp>::run);
  set(kUpAdded, Pass<V, Planes, Levels, kUpAdded>::run);
  set(kDown, Pass<V, Planes, Levels, kDown>::run);
  set(kDownZero, Pass<V, Planes, Levels, kDownZero>::run);
  set(kOutputs, Pass<V, Planes, Levels, kOutputs>::run);
  set(kOutputsZero, Pass<V, Planes, Levels, kOutputsZero>::run);
}

/// Rows in steps alone: whole vectors.
template <class V>
void add_rows(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) noexcept {
  std::size_t done = 0;
  for (; bytes - done >= V::kBytes; done += V::kBytes) {
    V::store(to + done, V::add(V::load(to + done), V::load(from + done)));
  }
  if (done == bytes) return;
  const std::size_t rest = bytes - done;
  V::store_part(to + done, rest,
                V::add(V::load_part(to + done, rest), V::load_part(from + done, rest)));
}

template <class V, std::size_t Planes>
constexpr TransformKernel make_transform(FactorForm form, std::size_t max_levels) {
  TransformKernel kernel{};
  set_passes<V, Planes, 1>(kernel);
  set_passes<V, Planes, 2>(kernel);
  set_passes<V, Planes, 3>(kernel);
  kernel.add = add_rows<V>;
  kernel.form = form;
  kernel.max_levels = max_levels;
  kernel.unit_bytes = kFewestSteps<V> * Planes * V::kBytes;
  return kernel;
}

template <class V>
constexpr TransformKernelTable make_transforms(FactorForm form, std::size_t levels_of_bytes,
                                               std::size_t levels_of_planes) {
  return {make_transform<V, 1>(form, levels_of_bytes),
          make_transform<InPlanes<V>, 2>(form, levels_of_planes)};
}

}  // namespace
}  // namespace xorloom
