// Coupled-layer codes as Ceph's clay plugin makes them. A location has S = q^t sub-chunks, one in
// each of S layers. In every layer, the uncoupled symbols U of all nodes are a Reed-Solomon
// codeword. The symbols C that are stored couple pairs of them across layers:
//
//     node i has x = i mod q, y = i div q; layer z has the digits z_0 … z_{t-1} to the base q
//     if x = z_y, the symbol is unpaired: C = U; else (x, y; z) is paired with (z_y, y; z with
//     digit y set to x): the one with the larger x has U = C + C', the other U = C' + γ·C
//
// Nodes between data and redundancy that make their number a multiple of q are zero and not stored.

#include <array>
#include <utility>
#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/families/families.hpp"
#include "codes/families/reed_solomon.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostLayers = 4096;

struct Shape {
  std::size_t k;
  std::size_t m;
  std::size_t q;
  std::size_t nodes;  ///< with zero nodes, which are not stored
  std::size_t t;
  std::size_t layers;
};

/// A node in a layer.
struct Place {
  std::size_t node;
  std::size_t layer;
};

/// Encoding, symbol by symbol. Uncoupled symbols are hidden cells, except unpaired ones, which are
/// stored as they are.
class Layers {
 public:
  Layers(const Shape& shape, const Field& field, const SpecLimits& limits)
      : shape_(shape),
        field_(field),
        gamma_(reed_sol_van(field, 2, 2)(1, 1)),
        matrix_(reed_sol_van(field, shape.nodes - shape.m, shape.m)),
        sums_(field, shape.k + shape.m, shape.layers,
              cells_of_locations(shape.k, shape.layers, shape.layers), limits,
              shape.nodes * shape.layers) {}

  /// Takes layers by score: by the number of redundant nodes that are unpaired in them. A layer
  /// needs only layers of lower scores.
  Code code() {
    std::vector<std::vector<std::size_t>> by_score(shape_.m + 1);
    for (std::size_t z = 0; z < shape_.layers; ++z) by_score[score(z)].push_back(z);
    for (const std::vector<std::size_t>& layers : by_score) {
      for (const std::size_t z : layers) {
        for (std::size_t node = 0; node < first_redundant(); ++node) uncouple({node, z});
        for (std::size_t r = 0; r < shape_.m; ++r) add_redundancy(r, z);
      }
      for (const std::size_t z : layers) {
        for (std::size_t r = 0; r < shape_.m; ++r) couple({first_redundant() + r, z});
      }
    }
    Code code = sums_.code("clay", shape_.k, shape_.m, field_.w(),
                           "Vajha et al.'s theorem: coupled layers of a Reed-Solomon code");
    for (std::size_t node = 0; node < shape_.nodes; ++node) {
      if (is_stored({node, 0})) code.repair_cells.push_back(cells_to_read(node));
    }
    return code;
  }

 private:
  using Terms = std::vector<CellSum::Term>;

  std::size_t first_redundant() const { return shape_.nodes - shape_.m; }
  std::size_t x_of(std::size_t node) const { return node % shape_.q; }
  std::size_t y_of(std::size_t node) const { return node / shape_.q; }

  std::size_t power_of_digit(std::size_t y) const {
    std::size_t power = 1;
    for (std::size_t i = y + 1; i < shape_.t; ++i) power *= shape_.q;
    return power;
  }
  std::size_t digit(std::size_t z, std::size_t y) const { return z / power_of_digit(y) % shape_.q; }

  bool is_stored(Place place) const {
    return place.node < shape_.k || place.node >= first_redundant();
  }
  bool is_unpaired(Place place) const {
    return x_of(place.node) == digit(place.layer, y_of(place.node));
  }

  /// Cells to read if `node` is lost: of each other location, the layers in which `node` is
  /// unpaired.
  std::vector<Cell> cells_to_read(std::size_t node) const {
    std::vector<Cell> cells;
    for (std::size_t other = 0; other < shape_.nodes; ++other) {
      if (other == node || !is_stored({other, 0})) continue;
      for (std::size_t z = 0; z < shape_.layers; ++z) {
        if (is_unpaired({node, z})) cells.push_back(stored({other, z}));
      }
    }
    return cells;
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

  Cell stored(Place place) const {
    const std::size_t gap = place.node < shape_.k ? 0 : first_redundant() - shape_.k;
    return static_cast<Cell>((place.node - gap) * shape_.layers + place.layer);
  }

  /// True if an uncoupled symbol is zero and has no cell, since neither it nor its partner is
  /// stored.
  bool is_zero(Place place) const {
    return !is_stored(place) && (is_unpaired(place) || !is_stored(partner(place)));
  }

  /// The cell of an uncoupled symbol.
  Cell uncoupled(Place place) const {
    if (is_unpaired(place)) return stored(place);
    const std::size_t before = (shape_.k + shape_.m) * shape_.layers;
    return static_cast<Cell>(before + place.node * shape_.layers + place.layer);
  }

  /// The factor of a stored symbol in its own uncoupled symbol; the factor of its partner is 1.
  Field::Symbol own_factor(Place place) const {
    return x_of(place.node) > x_of(partner(place).node) ? 1 : gamma_;
  }

  void uncouple(Place place) {
    if (is_unpaired(place) || is_zero(place)) return;
    Terms terms;
    if (is_stored(place)) terms.push_back({stored(place), own_factor(place)});
    if (is_stored(partner(place))) terms.push_back({stored(partner(place)), 1});
    sums_.add(uncoupled(place), std::move(terms));
  }

  /// Adds the uncoupled symbol of redundant node r in layer z.
  void add_redundancy(std::size_t r, std::size_t z) {
    Terms terms;
    for (std::size_t node = 0; node < first_redundant(); ++node) {
      const Place place{node, z};
      if (is_zero(place)) continue;
      terms.push_back({uncoupled(place), matrix_(r, node)});
    }
    sums_.add(uncoupled({first_redundant() + r, z}), std::move(terms));
  }

  /// Adds the stored symbol of a redundant node. Shape: the uncoupled symbols that it needs are
  /// added.
  void couple(Place place) {
    if (is_unpaired(place)) return;
    const Place other = partner(place);
    const Field::Symbol a = own_factor(place);
    if (other.node < first_redundant()) {
      const Field::Symbol scale = field_.invert(a);
      Terms terms{{uncoupled(place), scale}};
      if (is_stored(other)) terms.push_back({stored(other), scale});
      return sums_.add(stored(place), std::move(terms));
    }
    // U = a·C + C' and U' = C + b·C', so that (a·b + 1)·C = b·U + U'.
    const Field::Symbol b = own_factor(other);
    const Field::Symbol scale = field_.invert(field_.multiply(a, b) ^ 1);
    sums_.add(stored(place),
              Terms{{uncoupled(place), field_.multiply(scale, b)}, {uncoupled(other), scale}});
  }

  const Shape& shape_;
  const Field& field_;
  Field::Symbol gamma_;
  Matrix matrix_;
  CellSums sums_;
};

Shape read_shape(Spec& spec) {
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
      fail(Status::kInvalidArgument, "k = {}, m = {}, d = {} takes {}^{} sub-chunks, more than {}",
           shape.k, shape.m, d, shape.q, shape.t, kMostLayers);
    }
  }
  return shape;
}

Code build_clay(Spec& spec) {
  const Shape shape = read_shape(spec);
  const Field field(8);
  check_locations_fit(spec, shape.nodes - shape.m, shape.m, field);
  return Layers(shape, field, spec.limits()).code();
}

constexpr std::array kSameBytesClay = {
    OtherSoftware{"Ceph", "clay"},
};

}  // namespace

extern constexpr Family kClay = {
    .name = "clay",
    .keys = "k m d arrangement packet_bytes",
    .constraint =
        "k <= d < k + m <= 256; with q = d - k + 1 and t = (k + m)/q, rounded up, there are q^t "
        "sub-chunks, and m k q^(2t) <= 2^24",
    .summary =
        "survives any m losses, on words; one chunk is rebuilt from a part of each of d others",
    .source =
        "Vajha et al., Clay codes: moulding MDS codes to yield an MSR code, FAST 2018; Ceph's clay "
        "plugin",
    .example = "clay:k=4,m=2,d=5",
    .build = build_clay,
    .same_bytes = kSameBytesClay,
};

}  // namespace xorloom
