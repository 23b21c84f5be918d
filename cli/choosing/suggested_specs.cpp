#include "cli/choosing/suggested_specs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "codes/families/families.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kWidestPackets = 8;  // bits of a symbol; wider ones take more XORs
constexpr std::size_t kMostHoverRows = 8;  // data rows; more take long to search

/// Symbol widths to try: the least w >= 2 with 2^w >= `chunks`, then those of 4, 8, 16 above it.
std::vector<std::size_t> widths_for(std::size_t chunks) {
  std::vector<std::size_t> widths{2};
  while ((std::size_t{1} << widths.front()) < chunks) ++widths.front();
  for (const std::size_t usual : {std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
    if (usual > widths.front()) widths.push_back(usual);
  }
  return widths;
}

/// True if k, m and w define a code of the family. Other families trade storage or survived losses
/// by more parameters.
bool is_told_by_size(const Family& family) {
  return std::ranges::none_of(std::array{"c", "l", "d", "r"},
                              [&](const char* key) { return family.has_key(key); }) &&
         family.name != "file" && family.name != "hamming";
}

/// Numbers of equal groups into which `k` data and `m` redundant chunks can be divided, ascending.
/// There are at least two groups, each with at least two data chunks.
std::vector<std::size_t> groups_of(std::size_t k, std::size_t m) {
  std::vector<std::size_t> groups;
  const std::size_t divisor = std::gcd(k, m);
  for (std::size_t g = 2; g <= divisor && 2 * g <= k; ++g) {
    if (divisor % g == 0) groups.push_back(g);
  }
  return groups;
}

/// Adds LRCs for the two largest redundancies, at most m, that divide into groups. Each has the
/// fewest groups; for m itself, a further one has the most groups.
void add_lrc(std::size_t k, std::size_t m, std::vector<std::string>& specs) {
  const auto add = [&](std::size_t redundant, std::size_t groups) {
    specs.push_back(fmt::format("lrc:k={},m={},l={}", k, redundant, (k + redundant) / groups));
  };
  std::size_t found = 0;
  for (std::size_t redundant = m; redundant >= 2 && found < 2; --redundant) {
    const std::vector<std::size_t> groups = groups_of(k, redundant);
    if (groups.empty()) continue;
    add(redundant, groups.front());
    if (redundant == m && groups.size() > 1) add(m, groups.back());
    ++found;
  }
}

}  // namespace

std::vector<std::string> specs_of_size(const Family& family, std::size_t k, std::size_t m) {
  if (!is_told_by_size(family)) return {};
  // A family without the key m has a fixed m.
  if (!family.has_key("m") && make_code(family.example).m != m) return {};
  std::string begin(family.name);
  char separator = ':';
  const auto add = [&](std::string_view key, std::size_t value) {
    if (!family.has_key(key)) return;
    begin += fmt::format("{}{}={}", separator, key, value);
    separator = ',';
  };
  add("k", k);
  add("m", m);
  if (!family.has_key("k")) add("p", k + 2);
  const bool has_words = family.has_key("arrangement");
  std::vector<std::string> specs;
  const auto add_arrangements = [&](const std::string& spec, std::size_t w) {
    const bool is_word_wide = w == 4 || w == 8 || w == 16;
    if (!has_words || is_word_wide) specs.push_back(spec);
    if (has_words && w <= kWidestPackets) specs.push_back(spec + ",arrangement=packet");
  };
  if (!family.has_key("poly")) {  // w, if it is a key, follows from k
    add_arrangements(begin, 8);
    return specs;
  }
  for (const std::size_t w : widths_for(k + m)) {
    if (has_words || w <= kWidestPackets) {
      add_arrangements(fmt::format("{}{}w={}", begin, separator, w), w);
    }
  }
  return specs;
}

std::vector<std::string> other_specs(std::size_t k, std::size_t m) {
  std::vector<std::string> specs;
  if (m < 2) return specs;
  add_lrc(k, m, specs);
  specs.push_back(fmt::format("shec:k={},m={},c={}", k, m, m - 1));
  if (m >= 4) specs.push_back(fmt::format("shec:k={},m={},c={}", k, m, m / 2));
  specs.push_back(fmt::format("clay:k={},m={}", k, m));
  specs.push_back(fmt::format("zigzag:k={},r={}", k, m));
  // With at most (k - 2) / 2 rows HoVer survives two losses, and one row does with three chunks.
  const std::size_t rows = std::clamp<std::size_t>(k / 2, 2, kMostHoverRows + 1) - 1;
  specs.push_back(fmt::format("hover:k={},r={},v=1,h=1", k, rows));
  specs.push_back(fmt::format("hamming:k={},m={}", k, m));
  return specs;
}

}  // namespace xorloom::cli
