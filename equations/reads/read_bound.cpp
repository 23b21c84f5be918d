#include "equations/reads/read_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "codes/linear_map.hpp"

namespace xorloom {

bool is_proved_mds(const Code& code) {
  const std::size_t r = code.promised_losses;
  return !code.proof.empty() && r > 0 && r < code.locations &&
         code.data.size() == (code.locations - r) * code.subchunks;
}

std::uint64_t least_reads(const Code& code, std::span<const std::size_t> lost,
                          std::size_t num_wanted, std::span<const std::uint64_t> costs) {
  const std::size_t r = code.promised_losses;
  if (!is_proved_mds(code) || lost.size() > r) return 0;
  const std::vector<bool> is_lost = location_flags(code, lost, "lost");
  std::vector<std::uint64_t> dear_first;
  for (std::size_t location = 0; location < code.locations; ++location) {
    if (!is_lost[location]) dear_first.push_back(costs[location]);
  }
  std::ranges::sort(dear_first, std::greater<>());
  if (code.subchunks == 1 && num_wanted != 0) {  // whole chunks: k have to be read
    return std::accumulate(dear_first.end() - static_cast<std::ptrdiff_t>(code.data.size()),
                           dear_first.end(), std::uint64_t{0});
  }
  // Linear program: a cheapest solution reads no fewer cells of cheaper survivors, and equally many
  // of all from the r-th dearest on. Step i reads one more cell of all from the i-th dearest on: it
  // costs prices[i] and reads r - i cells of the r dearest. There are at most alpha = subchunks
  // steps, so an optimum has at most two kinds of steps.
  std::vector<double> prices(r);
  double price = 0;
  for (std::size_t i = dear_first.size(); i-- > 0;) {
    price += static_cast<double>(dear_first[i]);
    if (i < r) prices[i] = price;
  }
  const auto wanted = static_cast<double>(num_wanted);
  const auto steps = static_cast<double>(code.subchunks);
  double least = -1;
  const auto consider = [&](double cost) {
    if (least < 0 || cost < least) least = cost;
  };
  for (std::size_t i = 0; i < r; ++i) {
    const auto cells_i = static_cast<double>(r - i);
    if (wanted <= steps * cells_i) consider(prices[i] * wanted / cells_i);
    for (std::size_t j = 0; j < i; ++j) {
      const auto cells_j = static_cast<double>(r - j);
      const double of_j = (wanted - steps * cells_i) / (cells_j - cells_i);
      if (of_j < 0 || of_j > steps) continue;
      consider(prices[j] * of_j + prices[i] * (steps - of_j));
    }
  }
  return static_cast<std::uint64_t>(std::ceil(least - 1e-6));
}

}  // namespace xorloom
