// Shingled erasure codes as Ceph's shec plugin lays them out ("multiple"): rows of Jerasure's
// reed_sol_van, set to zero outside a span of columns. The rows are split into two groups, each of
// which shingles all columns.

#include <algorithm>
#include <array>
#include <optional>

#include "codes/families/families.hpp"
#include "codes/families/reed_solomon.hpp"

namespace xorloom {
namespace {

/// A group of `rows` rows whose spans shingle the columns: each column is in `cover` of them.
struct Group {
  std::size_t rows;
  std::size_t cover;
};
using Split = std::array<Group, 2>;

/// Columns first … first + size - 1, modulo k.
struct Span {
  std::size_t first;
  std::size_t size;
  bool holds(std::size_t column, std::size_t k) const { return (column + k - first) % k < size; }
};

std::vector<Span> spans_of(const Split& split, std::size_t k) {
  std::vector<Span> spans;
  for (const Group& group : split) {
    for (std::size_t row = 0; row < group.rows; ++row) {
      const std::size_t first = row * k / group.rows;
      const std::size_t end = (row + group.cover) * k / group.rows;
      spans.push_back({first % k, end - first});
    }
  }
  return spans;
}

/// Price of a split: the sizes of all spans, plus for each column the size of the smallest span
/// that holds it. It measures the reads of repairs.
std::size_t price_of(const std::vector<Span>& spans, std::size_t k) {
  std::size_t price = 0;
  for (const Span& span : spans) price += span.size;
  for (std::size_t column = 0; column < k; ++column) {
    std::optional<std::size_t> smallest;
    for (const Span& span : spans) {
      if (span.holds(column, k)) smallest = std::min(smallest.value_or(span.size), span.size);
    }
    price += smallest.value_or(0);
  }
  return price;
}

/// The cheapest split, the first of equal ones. Compares integers; Ceph compares floating-point
/// numbers with an epsilon, with the same result.
Split cheapest_split(std::size_t k, std::size_t m, std::size_t c) {
  std::optional<Split> best;
  std::size_t lowest = 0;
  for (std::size_t c1 = 0; c1 <= c / 2; ++c1) {
    for (std::size_t m1 = 0; m1 <= m; ++m1) {
      const Split split = {{{m1, c1}, {m - m1, c - c1}}};
      const auto is_none = [](const Group& group) {
        return group.rows < group.cover || (group.rows == 0) != (group.cover == 0);
      };
      if (std::ranges::any_of(split, is_none)) continue;
      const std::size_t price = price_of(spans_of(split, k), k);
      if (best && price >= lowest) continue;
      best = split;
      lowest = price;
    }
  }
  return *best;  // c1 = m1 = 0 is always valid
}

Code build_shec(Spec& spec) {
  constexpr std::size_t kMost = 255;
  const std::size_t k = spec.number("k", 1, kMost);
  const std::size_t m = spec.number("m", 1, kMost);
  const std::size_t c = spec.number("c", 1, kMost);
  check_at_most("m", m, "k", k);
  check_at_most("c", c, "m", m);
  const Field field(8);
  check_locations_fit(spec, k, m, field);
  Matrix matrix = reed_sol_van(field, k, m);
  const std::vector<Span> spans = spans_of(cheapest_split(k, m, c), k);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < k; ++column) {
      if (!spans[row].holds(column, k)) matrix(row, column) = 0;
    }
  }
  Code code = systematic_code("shec", field, std::move(matrix));
  code.promised_losses = c;
  return code;
}

constexpr std::array kSameBytesShec = {
    OtherSoftware{"Ceph", "shec"},
};

}  // namespace

extern constexpr Family kShec = {
    .name = "shec",
    .keys = "k m c arrangement packet_bytes",
    .constraint = "c <= m <= k, k + m <= 256",
    .summary =
        "survives any c losses, on words; each redundant chunk covers a span of the data, and "
        "spans overlap",
    .source =
        "Miyamae et al., Erasure code with shingled local parity groups, 2014; Ceph's shec plugin, "
        "multiple",
    .example = "shec:k=8,m=4,c=3",
    .build = build_shec,
    .same_bytes = kSameBytesShec,
};

}  // namespace xorloom
