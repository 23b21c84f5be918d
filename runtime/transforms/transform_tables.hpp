#pragma once

// The tables of the passes, for the kernels' files alone: see transform_loops.hpp.

#include "runtime/transforms/transform_loops.hpp"

namespace xorloom {
namespace {

/// Sets the passes of all kinds from `Kind` on.
template <class V, std::size_t Planes, std::size_t Levels, std::size_t Kind = 0>
constexpr void set_passes(TransformKernel& kernel) {
  kernel.pass[Levels - 1][Kind] = Pass<V, Planes, Levels, static_cast<TransformKind>(Kind)>::run;
  if constexpr (Kind + 1 < kTransformKinds) set_passes<V, Planes, Levels, Kind + 1>(kernel);
}

/// Adds `bytes` bytes of `from` to those of `to`.
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

/// `MaxLevels` is the most levels of a pass that leaves all rows in registers. Passes of more
/// levels are not compiled: their pointers are null.
template <class V, std::size_t Planes, std::size_t MaxLevels>
constexpr TransformKernel make_transform(FactorForm form) {
  TransformKernel kernel{};
  set_passes<V, Planes, 1>(kernel);
  set_passes<V, Planes, 2>(kernel);
  if constexpr (MaxLevels == 3) set_passes<V, Planes, 3>(kernel);
  kernel.add = add_rows<V>;
  kernel.form = form;
  kernel.max_levels = MaxLevels;
  kernel.unit_bytes = kFewestSteps<V> * Planes * V::kBytes;
  kernel.has_strips = Pass<V, Planes, MaxLevels, TransformKind::kInputs>::kHasStrips;
  return kernel;
}

template <class V, std::size_t LevelsOfBytes, std::size_t LevelsOfPlanes>
constexpr TransformKernelTable make_transforms(FactorForm form) {
  return {make_transform<V, 1, LevelsOfBytes>(form),
          make_transform<InPlanes<V>, 2, LevelsOfPlanes>(form)};
}

}  // namespace
}  // namespace xorloom
