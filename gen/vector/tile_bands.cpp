#include "gen/vector/tile_bands.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// By equation: the first equation of its component, which is connected by temporaries.
std::vector<std::uint32_t> firsts_of_components(const Program& tile) {
  std::vector<std::uint32_t> first(tile.equations.size());
  std::iota(first.begin(), first.end(), 0U);
  const auto first_of = [&](std::uint32_t e) {
    while (first[e] != e) e = first[e] = first[first[e]];
    return e;
  };
  const auto inputs = static_cast<Element>(tile.inputs.size());
  for (std::uint32_t e = 0; e < first.size(); ++e) {
    for (const Operand& term : tile.equations[e].operands) {
      if (term.element < inputs) continue;
      const auto [low, high] = std::minmax({first_of(e), first_of(term.element - inputs)});
      first[high] = low;
    }
  }
  for (std::uint32_t e = 0; e < first.size(); ++e) first[e] = first_of(e);
  return first;
}

}  // namespace

EquationOrder order_by_bands(const Program& tile) {
  const std::vector<std::uint32_t> first = firsts_of_components(tile);
  // By first equation of a component: its number of outputs.
  std::vector<std::size_t> outputs(first.size());
  for (const Element output : tile.outputs) ++outputs[first[output - tile.inputs.size()]];
  std::vector<std::size_t> band(first.size());
  std::size_t number = 0;
  std::size_t left = tile.outputs.size();
  std::size_t of_band = 0;
  for (std::size_t e = 0; e < first.size(); ++e) {
    if (first[e] != e) {
      band[e] = band[first[e]];
      continue;
    }
    if (of_band >= kFewestOutputsOfBand && left >= kFewestOutputsOfBand) {
      ++number;
      of_band = 0;
    }
    band[e] = number;
    of_band += outputs[e];
    left -= outputs[e];
  }
  EquationOrder order(first.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t e) { return band[e]; });
  return order;
}

}  // namespace xorloom
