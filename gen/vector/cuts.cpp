#include "gen/vector/cuts.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "equations/build/pieces.hpp"
#include "equations/ir/cost.hpp"
#include "gen/vector/tile_order.hpp"

namespace xorloom {
namespace {

/// Outputs of a band whose machine code costs about the least: its sums stay in registers.
constexpr std::size_t kOutputsOfBand = 16;

/// Numbers of bands are compared in steps of the usual number divided by this.
constexpr std::size_t kNumbersOfBands = 8;

/// Direct XORs of a band that fit machine code once they share, if inputs took no room. Loading and
/// prefetching an input takes as much room as two XORs.
constexpr std::size_t kXorsOfBand = 4000;

/// Below one of these limits (chunks; direct XORs per output and chunk), or with one band, values
/// stay in registers without windows.
constexpr std::size_t kFewestChunks = 14;
constexpr std::size_t kFewestXors = 2;

/// Windows that are compared, in chunks.
constexpr std::size_t kChunksOfWindows[] = {1, 2, 4};
constexpr std::size_t kUsualChunksOfWindow = 2;

/// Bytes of inputs and outputs of a turn. Two turns and their intermediate values then fit L1, so
/// that inputs may be read in any order.
constexpr std::size_t kMostTurnBytes = std::size_t{10} << 10;

bool is_sparse(const Program& direct, std::size_t chunks) {
  return xors(direct) < kFewestXors * direct.outputs.size() * chunks;
}

/// The greedy price of a cut.
std::size_t price_of(const Cut& cut, const Program& direct, const MachineFacts& machine) {
  std::size_t price = 0;
  for (const Program& band : bands_of(direct, cut.bands)) {
    Search search;
    search.effort = Effort::kFast;
    price += greedy_price(shared_in({1, cut.window}, band, search), machine, cut.window);
  }
  return price;
}

}  // namespace

std::size_t fewest_bands(std::size_t xors, std::size_t inputs) {
  const std::size_t taken = 2 * inputs;
  const std::size_t fitting = kXorsOfBand > taken ? kXorsOfBand - taken : kXorsOfBand;
  return std::max<std::size_t>(1, (xors + fitting - 1) / fitting);
}

std::size_t fewest_bands(const Program& direct) {
  return fewest_bands(xors(direct), direct.inputs.size());
}

std::size_t usual_bands(const Program& direct) {
  const std::size_t bands =
      std::max((direct.outputs.size() + kOutputsOfBand / 2) / kOutputsOfBand, fewest_bands(direct));
  return std::clamp<std::size_t>(bands, 1, direct.outputs.size());
}

std::size_t usual_window(const Program& direct, std::size_t rows, const Program& shared) {
  const std::size_t chunks = direct.inputs.size() / rows;
  const std::size_t outputs = direct.outputs.size();
  const bool has_few =
      chunks < kFewestChunks || outputs <= kOutputsOfBand || is_sparse(direct, chunks);
  const bool shares_most = 3 * xors(shared) < xors(direct);
  return has_few || shares_most ? 0 : kUsualChunksOfWindow * rows;
}

std::vector<std::size_t> windows_to_compare(const Program& direct, std::size_t rows,
                                            const MachineFacts& machine) {
  std::vector<std::size_t> windows;
  const std::size_t chunks = direct.inputs.size() / rows;
  const std::size_t turn_bytes =
      (direct.inputs.size() + direct.outputs.size()) * machine.vector_bytes;
  if (turn_bytes <= kMostTurnBytes || is_sparse(direct, chunks)) windows.push_back(0);
  for (const std::size_t number : kChunksOfWindows) {
    if (number < chunks) windows.push_back(number * rows);
  }
  return windows;
}

Cut cheapest_cut(const Program& direct, std::size_t rows, const MachineFacts& machine) {
  const std::size_t usual = usual_bands(direct);
  Cut best{usual, 0};
  std::size_t lowest = std::numeric_limits<std::size_t>::max();
  const auto compare = [&](const Cut& cut) {
    const std::size_t price = price_of(cut, direct, machine);
    if (price >= lowest) return false;
    lowest = price;
    best = cut;
    return true;
  };
  for (const std::size_t window : windows_to_compare(direct, rows, machine)) {
    compare({usual, window});
  }
  const std::size_t step = std::max<std::size_t>(1, usual / kNumbersOfBands);
  for (std::size_t number = std::max<std::size_t>(1, usual / 2);
       number <= std::min(2 * usual, direct.outputs.size()); number += step) {
    if (number != usual && !compare({number, best.window}) && number > usual) break;
  }
  return best;
}

Program shared_in(const Cut& cut, const Program& direct, const Search& search) {
  std::vector<Program> bands = bands_of(direct, cut.bands);
  for (Program& band : bands) {
    if (cut.window == 0 || cut.window >= band.inputs.size()) {
      band = optimize(band, search);
      continue;
    }
    std::vector<Program> windows = windows_of(band, cut.window);
    for (Program& window : windows) window = optimize(window, search);
    band = summed(band, windows);
  }
  return stacked(direct, bands);
}

}  // namespace xorloom
