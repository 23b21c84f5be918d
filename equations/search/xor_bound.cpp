#include "equations/search/xor_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codes/text/json.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"
#include "xorloom/version.h"

namespace xorloom {
namespace {

constexpr std::size_t kLeastDistance = 5;
constexpr std::size_t kMostDistance = 6;

/// 64 random bits for each input, then their sums for the outputs.
std::vector<std::uint64_t> elements_of(const BitMatrix& matrix) {
  Random random(1);
  std::vector<std::uint64_t> elements;
  for (std::size_t c = 0; c < matrix.columns(); ++c) elements.push_back(random());
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    std::uint64_t sum = 0;
    for (const std::size_t c : matrix.ones(r)) sum ^= elements[c];
    elements.push_back(sum);
  }
  return elements;
}

/// Returns how often the most frequent number occurs. Sorts `numbers`.
std::size_t most_alike(std::vector<std::uint64_t>& numbers) {
  std::ranges::sort(numbers);
  std::size_t most = 0;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    alike = i > 0 && numbers[i] == numbers[i - 1] ? alike + 1 : 1;
    most = std::max(most, alike);
  }
  return most;
}

/// By number of vertices, up to `most`: an upper bound of the edges of a graph of girth 6 or more.
/// Such a graph of minimum degree d >= 2 has at least 2 (d² - d + 1) vertices.
std::vector<std::size_t> most_edges(std::size_t most) {
  std::vector<std::size_t> edges{0, 0, 1};
  for (std::size_t n = 3; n <= most; ++n) {
    std::size_t degree = 1;  // lowest degree of a vertex
    while (2 * (degree * degree + degree + 1) <= n) ++degree;
    // Leave out the vertex of the lowest degree; or each vertex in turn, which counts each edge
    // (n - 2) times.
    edges.push_back(std::min(edges.back() + degree, n * edges.back() / (n - 2)));
  }
  return edges;
}

/// False if no circuit has r outputs of n inputs and only q other gates: see xor_bound.
bool are_enough(std::size_t q, std::size_t r, std::size_t n, std::size_t alike) {
  const std::vector<std::size_t> edges = most_edges(q);
  for (std::size_t met = 1; met <= q; ++met) {
    const std::size_t room = std::min(alike * (q - met) + edges[q - met], edges[q]);
    for (std::size_t starts = 1; starts <= met; ++starts) {
      const std::size_t second_kind = r - std::min(r, met - starts);
      const std::size_t joined = n - std::min(n, met + starts);
      if (second_kind < q && starts + joined <= q && second_kind + joined <= room) return true;
    }
  }
  return false;
}

/// A lower bound of the gates besides r outputs of n inputs.
std::size_t fewest_others(std::size_t r, std::size_t n, std::size_t distance, std::size_t alike) {
  if (distance < kMostDistance) return (r + 3) / 2;
  std::size_t q = 1;
  while (!are_enough(q, r, n, alike)) ++q;
  return q;
}

std::size_t nonzero_rows(const BitMatrix& matrix) {
  std::size_t rows = 0;
  for (std::size_t r = 0; r < matrix.rows(); ++r) rows += matrix.weight(r) != 0 ? 1U : 0U;
  return rows;
}

/// The bound kDistance of `matrix`; nullopt if the argument does not apply.
std::optional<XorBound> distance_bound(const BitMatrix& matrix) {
  if (matrix.rows() == 0 || matrix.rows() + matrix.columns() > kMostBoundElements ||
      rank(matrix) < matrix.rows()) {
    return std::nullopt;
  }
  const std::vector<std::uint64_t> elements = elements_of(matrix);
  const std::size_t n = elements.size();
  std::vector<std::uint64_t> few{0};  // sums of at most two
  for (std::size_t a = 0; a < n; ++a) {
    few.push_back(elements[a]);
    for (std::size_t b = 0; b < a; ++b) few.push_back(elements[a] ^ elements[b]);
  }
  if (most_alike(few) > 1) return std::nullopt;  // four of them add up to zero, or fewer
  std::vector<std::uint64_t> threes;
  bool is_five = false;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t c = 0; c < b; ++c) {
        const std::uint64_t sum = elements[a] ^ elements[b] ^ elements[c];
        is_five = is_five || std::ranges::binary_search(few, sum);
        threes.push_back(sum);
      }
    }
  }
  XorBound bound;
  bound.argument = XorBound::Argument::kDistance;
  bound.distance = is_five ? kLeastDistance : kMostDistance;
  bound.alike = is_five ? 0 : most_alike(threes);
  bound.others =
      fewest_others(matrix.rows(), nonzero_rows(transposed(matrix)), bound.distance, bound.alike);
  bound.xors = matrix.rows() + bound.others;
  return bound;
}

}  // namespace

XorBound xor_bound(const BitMatrix& matrix) {
  XorBound best;
  best.xors = lower_bound(matrix);
  const BitMatrix backwards = transposed(matrix);
  for (const bool is_transposed : {false, true}) {
    std::optional<XorBound> bound = distance_bound(is_transposed ? backwards : matrix);
    if (!bound) continue;
    bound->is_transposed = is_transposed;
    if (is_transposed) {
      bound->xors += nonzero_rows(backwards);
      bound->xors -= std::min(bound->xors, nonzero_rows(matrix));
    }
    if (bound->xors > best.xors) best = *bound;
  }
  return best;
}

std::string write_certificate(const XorBound& bound, const BitMatrix& matrix) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    std::string row;
    for (std::size_t c = 0; c < matrix.columns(); ++c) row += matrix(r, c) ? '1' : '0';
    rows.push_back(row);
  }
  Json json{{"format", "xorloom-bound"},
            {"version", 1},
            {"program", "xorloom " XORLOOM_VERSION},
            {"matrix", rows},
            {"bound", bound.xors}};
  if (bound.argument == XorBound::Argument::kRows) {
    json["argument"] = "rows";
  } else {
    json["argument"] = "distance";
    json["transposed"] = bound.is_transposed;
    json["distance"] = bound.distance;
    json["alike"] = bound.alike;
    json["others"] = bound.others;
  }
  return json.dump() + '\n';
}

}  // namespace xorloom
