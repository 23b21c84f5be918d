// Coupled-layer codes as Ceph's clay plugin makes them. A location has S = q^t sub-chunks, one in each
// of S layers. In every layer the uncoupled symbols of all nodes are a codeword of Reed-Solomon; what
// is stored are pairs of them, coupled across layers:
//
//     node i has x = i mod q, y = i div q; layer z has the digits z_0 … z_{t-1} to the base q
//     where x = z_y, C = U; else (x, y; z) is paired with (z_y, y; z with digit y set to x), and of
//     the two the one with the larger x has U = C + C', the other U = C' + γ·C
//
// Nodes between data and redundancy that make their number a multiple of q are zero and not stored.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/error.hpp"
#include "codes/families.hpp"
#include "codes/reed_solomon.hpp"

namespace xorloom {
namespace {

using Row = std::vector<Field::Symbol>;

constexpr std::size_t kMostLayers = 4096;

struct Shape {
  std::size_t k;
  std::size_t m;
  std::size_t q;
  std::size_t nodes;  ///< those that are not stored included
  std::size_t t;
  std::size_t layers;
};

/// Where a node stands in a layer.
struct Place {
  std::size_t node;
  std::size_t layer;
};

/// Encoding, symbol by symbol, each written as a row over the data.
class Layers {
 public:
  Layers(const Shape& shape, const Field& field)
      : shape_(shape),
        field_(field),
        columns_(shape.k * shape.layers),
        gamma_(reed_sol_van(field, 2, 2)(1, 1)),
        matrix_(reed_sol_van(field, shape.nodes - shape.m, shape.m)),
        coupled_(shape.nodes * shape.layers) {
    for (std::size_t node = 0; node + shape_.m < shape_.nodes; ++node) {
      for (std::size_t z = 0; z < shape_.layers; ++z) {
        Row& row = coupled_[index({node, z})];
        row.resize(columns_);
        if (node < shape_.k) row[node * shape_.layers + z] = 1;
      }
    }
  }

  /// Layers in the order of how many redundant nodes are unpaired in them: what those of one number
  /// need of the others is of a lower one.
  void encode() {
    std::vector<std::vector<std::size_t>> by_score(shape_.m + 1);
    for (std::size_t z = 0; z < shape_.layers; ++z) by_score[score(z)].push_back(z);
    for (const std::vector<std::size_t>& layers : by_score) {
      std::vector<std::vector<Row>> uncoupled;
      for (const std::size_t z : layers) uncoupled.push_back(redundancy_of_layer(z));
      for (std::size_t i = 0; i < layers.size(); ++i) {
        for (std::size_t r = 0; r < shape_.m; ++r) couple(layers, uncoupled, i, r);
      }
    }
  }

  const Row& redundant(std::size_t r, std::size_t z) const {
    return coupled_[index({first_redundant() + r, z})];
  }

 private:
  std::size_t first_redundant() const { return shape_.nodes - shape_.m; }
  std::size_t index(Place place) const { return place.node * shape_.layers + place.layer; }
  std::size_t x_of(std::size_t node) const { return node % shape_.q; }
  std::size_t y_of(std::size_t node) const { return node / shape_.q; }

  std::size_t power_of_digit(std::size_t y) const {
    std::size_t power = 1;
    for (std::size_t i = y + 1; i < shape_.t; ++i) power *= shape_.q;
    return power;
  }
  std::size_t digit(std::size_t z, std::size_t y) const { return z / power_of_digit(y) % shape_.q; }

  bool is_unpaired(Place place) const {
    return x_of(place.node) == digit(place.layer, y_of(place.node));
  }

  Place partner(Place place) const {
    const std::size_t x = x_of(place.node);
    const std::size_t y = y_of(place.node);
    const std::size_t z_y = digit(place.layer, y);
    const std::size_t power = power_of_digit(y);
    return {y * shape_.q + z_y, place.layer - z_y * power + x * power};
  }

  std::size_t score(std::size_t z) const {
    std::size_t score = 0;
    for (std::size_t r = 0; r < shape_.m; ++r) score += is_unpaired({first_redundant() + r, z});
    return score;
  }

  /// The factor of a symbol itself in what it is uncoupled; its partner's is 1.
  Field::Symbol own_factor(Place place) const {
    return x_of(place.node) > x_of(partner(place).node) ? 1 : gamma_;
  }

  Row scaled_sum(Field::Symbol a, const Row& x, Field::Symbol b, const Row& y) const {
    Row sum(columns_);
    add_scaled(field_, sum, a, x);
    add_scaled(field_, sum, b, y);
    return sum;
  }

  Row uncoupled(Place place) const {
    const Row& own = coupled_[index(place)];
    if (is_unpaired(place)) return own;
    return scaled_sum(own_factor(place), own, 1, coupled_[index(partner(place))]);
  }

  /// The uncoupled symbols of the redundant nodes.
  std::vector<Row> redundancy_of_layer(std::size_t z) const {
    std::vector<Row> sums(shape_.m, Row(columns_));
    for (std::size_t node = 0; node < first_redundant(); ++node) {
      const Row symbol = uncoupled({node, z});
      for (std::size_t r = 0; r < shape_.m; ++r) {
        add_scaled(field_, sums[r], matrix_(r, node), symbol);
      }
    }
    return sums;
  }

  /// The stored symbol of redundant node r in layer i of those given, whose uncoupled symbols are
  /// there.
  void couple(const std::vector<std::size_t>& layers,
              const std::vector<std::vector<Row>>& uncoupled, std::size_t i, std::size_t r) {
    const Place place{first_redundant() + r, layers[i]};
    const Row& own = uncoupled[i][r];
    Row& result = coupled_[index(place)];
    if (is_unpaired(place)) {
      result = own;
      return;
    }
    const Place other = partner(place);
    if (other.node < first_redundant()) {
      const Field::Symbol scale = field_.invert(own_factor(place));
      result = scaled_sum(scale, own, scale, coupled_[index(other)]);
      return;
    }
    // U = a·C + C' and U' = C + b·C', so that (a·b + 1)·C = b·U + U'.
    const auto at = std::ranges::lower_bound(layers, other.layer) - layers.begin();
    const Row& theirs = uncoupled[static_cast<std::size_t>(at)][other.node - first_redundant()];
    const Field::Symbol a = own_factor(place);
    const Field::Symbol b = own_factor(other);
    const Field::Symbol scale = field_.invert(field_.multiply(a, b) ^ 1);
    result = scaled_sum(field_.multiply(scale, b), own, scale, theirs);
  }

  const Shape& shape_;
  const Field& field_;
  std::size_t columns_;
  Field::Symbol gamma_;
  Matrix matrix_;
  std::vector<Row> coupled_;  ///< by node, then layer
};

Shape read_shape(const Spec& spec) {
  constexpr std::size_t kMost = 255;
  Shape shape{};
  shape.k = spec.number("k", 1, kMost);
  shape.m = spec.number("m", 1, kMost);
  const std::size_t d = spec.number_or("d", shape.k, shape.k + shape.m - 1, shape.k + shape.m - 1);
  shape.q = d - shape.k + 1;
  shape.t = (shape.k + shape.m + shape.q - 1) / shape.q;
  shape.nodes = shape.q * shape.t;
  shape.layers = 1;
  for (std::size_t i = 0; i < shape.t && shape.q > 1; ++i) {
    shape.layers *= shape.q;
    if (shape.layers > kMostLayers) {
      fail(Status::kInvalidArgument,
           fmt::format("k = {}, m = {}, d = {} takes {}^{} sub-chunks, more than {}", shape.k,
                       shape.m, d, shape.q, shape.t, kMostLayers));
    }
  }
  return shape;
}

}  // namespace

Code build_clay(const Spec& spec) {
  const Shape shape = read_shape(spec);
  const Field field(8);
  check_locations_fit(shape.nodes - shape.m, shape.m, field);
  CellSums sums(field, shape.k + shape.m, shape.layers,
                cells_of_locations(0, shape.k, shape.layers));
  Layers layers(shape, field);
  layers.encode();
  for (std::size_t r = 0; r < shape.m; ++r) {
    for (std::size_t z = 0; z < shape.layers; ++z) {
      sums.add_row(static_cast<Cell>((shape.k + r) * shape.layers + z), layers.redundant(r, z));
    }
  }
  Code code = sums.code("clay");
  code.k = shape.k;
  code.m = shape.m;
  code.w = field.w();
  code.promised_losses = shape.m;
  code.proof = "Vajha et al.'s theorem: coupled layers of a Reed-Solomon code";
  finish_words(code, spec,
               fmt::format("clay:k={},m={},d={}", shape.k, shape.m, shape.k + shape.q - 1));
  return code;
}

}  // namespace xorloom
