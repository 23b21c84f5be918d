#include "gen/pictures/route_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr std::size_t kNodeHeight = 44;
constexpr std::size_t kNodeGap = 20;
constexpr std::size_t kLeastNodeWidth = 120;
constexpr std::size_t kRouteLetter = 8;
constexpr std::size_t kPadding = 30;   ///< beside the nodes of a rack: ways run there
constexpr std::size_t kRackHead = 34;  ///< above the nodes
constexpr std::size_t kRackGap = 26;
constexpr std::size_t kRacksInRow = 5;
constexpr std::size_t kRowGap = 16;  ///< between rows, in addition to the ways there
constexpr std::size_t kLane = 10;    ///< distance between ways
constexpr std::size_t kArrow = 6;
constexpr std::size_t kRouteTop = kPageMargin + kPageHeadHeight;

class RouteDrawing {
 public:
  explicit RouteDrawing(const RoutePicture& route) : route_(route) {
    check();
    find_depths();
    place();
  }

  Picture picture() {
    for (std::size_t column = 0; column < columns_.size(); ++column) draw_rack(column);
    for (std::size_t node = 0; node < route_.nodes.size(); ++node) {
      if (route_.nodes[node].parent != RoutePicture::kNone) draw_way(node);
    }
    for (std::size_t node = 0; node < route_.nodes.size(); ++node) draw_node(node);
    const std::string note =
        route_.note +
        "\nArrows: what a node sends, and to whom. \u00d7 marks a lost chunk, and "
        "dashes a node that sends nothing.";
    return drawing_.picture(right_, row_bottom(rows() - 1) + lanes_below(rows() - 1) + 62,
                            route_.head, note);
  }

 private:
  using Nodes = std::vector<std::size_t>;

  void check() const {
    if (route_.nodes.size() <= kMostDrawnNodes && route_.racks.size() <= kMostDrawnRacks) return;
    fail(Status::kInvalidArgument, "{} nodes in {} racks are more than the {} in {} that are drawn",
         route_.nodes.size(), route_.racks.size(), kMostDrawnNodes, kMostDrawnRacks);
  }

  /// Finds by node the number of ways to the root.
  void find_depths() {
    for (std::size_t node = 0; node < route_.nodes.size(); ++node) {
      std::size_t depth = 0;
      std::size_t at = node;
      while (route_.nodes[at].parent != RoutePicture::kNone && depth < route_.nodes.size()) {
        at = route_.nodes[at].parent;
        ++depth;
      }
      depth_.push_back(depth);
    }
  }

  bool takes_part(std::size_t node) const {
    return route_.nodes[node].is_root || route_.nodes[node].parent != RoutePicture::kNone;
  }

  void place() {
    std::vector<Nodes> nodes_of(route_.racks.size());
    std::vector<std::size_t> deepest(route_.racks.size(), 0);
    std::vector<bool> is_idle(route_.racks.size(), true);
    std::size_t home = 0;
    std::size_t width = kLeastNodeWidth;
    for (std::size_t node = 0; node < route_.nodes.size(); ++node) {
      const RoutePicture::Node& drawn = route_.nodes[node];
      nodes_of[drawn.rack].push_back(node);
      deepest[drawn.rack] = std::max(deepest[drawn.rack], depth_[node]);
      if (drawn.is_root) home = drawn.rack;
      if (takes_part(node)) is_idle[drawn.rack] = false;
      width = std::max({width, text_width(drawn.name + "    " + drawn.content, kRouteLetter),
                        text_width(drawn.sends, kRouteLetter) + 16});
    }
    node_width_ = width;
    for (std::size_t rack = 0; rack < nodes_of.size(); ++rack) columns_.push_back(rack);
    // 0: racks that send towards the root's rack; 1: the root's rack; 2: racks that send nothing.
    const auto part = [&](std::size_t rack) { return rack == home ? 1 : is_idle[rack] ? 2 : 0; };
    std::ranges::stable_sort(columns_, [&](std::size_t a, std::size_t b) {
      return part(a) != part(b) ? part(a) < part(b) : deepest[a] > deepest[b];
    });
    column_of_.resize(route_.racks.size());
    place_.resize(route_.nodes.size());
    most_in_row_.assign(rows(), 1);
    lanes_.resize(rows());
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      column_of_[columns_[column]] = column;
      Nodes& nodes = nodes_of[columns_[column]];
      // Nodes that take part come first, the farthest from the root on top.
      std::ranges::stable_sort(nodes, [&](std::size_t a, std::size_t b) {
        if (takes_part(a) != takes_part(b)) return takes_part(a);
        return depth_[a] > depth_[b];
      });
      for (std::size_t i = 0; i < nodes.size(); ++i) place_[nodes[i]] = i;
      std::size_t& most = most_in_row_[row_of(column)];
      most = std::max(most, nodes.size());
    }
    for (std::size_t node = 0; node < route_.nodes.size(); ++node) {
      if (route_.nodes[node].parent != RoutePicture::kNone) take_lanes(node);
    }
    right_ = rack_left(std::min(columns_.size(), kRacksInRow) - 1) + rack_width();
  }

  /// Reserves lanes for the way from `node` to its parent. Lanes run below rows. A way that does
  /// not lead to the next rack goes down to a lane. From there it goes down to a rack of the next
  /// row, or up to one of its own row. To any other row it goes along the left margin.
  void take_lanes(std::size_t node) {
    const std::size_t parent = route_.nodes[node].parent;
    if (column(node) == column(parent) || is_next(node, parent)) return;
    const std::size_t from = row_of(column(node));
    const std::size_t to = last_gap(from, row_of(column(parent)));
    for (const std::size_t gap : {from, to}) lanes_[gap].try_emplace(parent, lanes_[gap].size());
    if (from != to) margins_.try_emplace(parent, margins_.size());
  }
  /// Row below which a way runs last.
  static std::size_t last_gap(std::size_t from, std::size_t to) { return from < to ? to - 1 : to; }

  bool is_next(std::size_t node, std::size_t parent) const {
    return column(node) + 1 == column(parent) && row_of(column(node)) == row_of(column(parent));
  }

  static std::size_t row_of(std::size_t column) { return column / kRacksInRow; }
  std::size_t rows() const { return row_of(columns_.size() - 1) + 1; }
  std::size_t lanes_below(std::size_t row) const {
    return lanes_[row].empty() ? 0 : (lanes_[row].size() + 1) * kLane;
  }
  std::size_t row_top(std::size_t row) const {
    std::size_t y = kRouteTop;
    for (std::size_t above = 0; above < row; ++above) {
      y += row_height(above) + lanes_below(above) + kRowGap;
    }
    return y;
  }
  std::size_t row_height(std::size_t row) const {
    return kRackHead + most_in_row_[row] * (kNodeHeight + kNodeGap);
  }
  std::size_t row_bottom(std::size_t row) const { return row_top(row) + row_height(row); }
  std::size_t lane_below(std::size_t row, std::size_t parent) const {
    return row_bottom(row) + (lanes_[row].at(parent) + 1) * kLane;
  }

  std::size_t rack_width() const { return node_width_ + 2 * kPadding; }
  std::size_t rack_left(std::size_t column) const {
    const std::size_t margin = margins_.empty() ? 0 : (margins_.size() + 1) * kLane;
    return kPageMargin + margin + column % kRacksInRow * (rack_width() + kRackGap);
  }
  std::size_t column(std::size_t node) const { return column_of_[route_.nodes[node].rack]; }
  std::size_t left(std::size_t node) const { return rack_left(column(node)) + kPadding; }
  std::size_t top(std::size_t node) const {
    return row_top(row_of(column(node))) + kRackHead + place_[node] * (kNodeHeight + kNodeGap);
  }
  std::size_t middle(std::size_t node) const { return top(node) + kNodeHeight / 2; }

  void draw_rack(std::size_t column) {
    const std::size_t y = row_top(row_of(column));
    const auto box = [&](const char* style) {
      return rect(style, rack_left(column), y, rack_width(), row_height(row_of(column)), 6);
    };
    drawing_.line(box("between") + box("rule"));
    drawing_.text(rack_left(column) + 12, y + 20, "title",
                  fmt::format("rack {}", route_.racks[columns_[column]]));
  }

  void draw_node(std::size_t node) {
    const RoutePicture::Node& drawn = route_.nodes[node];
    const auto box = [&](const char* style) {
      return rect(style, left(node), top(node), node_width_, kNodeHeight, 4);
    };
    drawing_.line(box(takes_part(node) ? "box" : "idle"));
    if (drawn.is_root) {
      drawing_.line(fmt::format("<g class=\"{}\">{}</g>", ink(2), box("part")));
    }
    drawing_.text(left(node) + 8, top(node) + 18, "target start", drawn.name);
    drawing_.text(left(node) + node_width_ - 8, top(node) + 18, "name end", drawn.content);
    drawing_.text(left(node) + 8, top(node) + 36, "start", drawn.sends);
  }

  void draw_way(std::size_t node) {
    const std::size_t parent = route_.nodes[node].parent;
    const std::size_t right = left(node) + node_width_;
    const std::size_t tip = left(parent) - kArrow;
    if (column(node) == column(parent)) {
      if (place_[node] + 1 == place_[parent]) {
        const std::size_t x = left(node) + node_width_ / 2;
        return draw(fmt::format("M{} {}V{}", x, top(node) + kNodeHeight, top(parent) - kArrow),
                    fmt::format("M{} {}l-4 -7h8z", x, top(parent)));
      }
      const std::size_t lane = left(node) - kLane;
      return draw(
          fmt::format("M{} {}H{}V{}H{}", left(node), middle(node), lane, middle(parent), tip),
          head_at(left(parent), middle(parent)));
    }
    const std::size_t exit = right + kPadding - kLane;
    const std::size_t entry = left(parent) - kPadding + kLane / 2;
    const std::size_t in = middle(parent) - kLane;  // above the arrows from the same rack
    if (is_next(node, parent)) {
      return draw(fmt::format("M{} {}H{}V{}H{}", right, middle(node), exit, in, tip),
                  head_at(left(parent), in));
    }
    const std::size_t from = row_of(column(node));
    const std::size_t to = last_gap(from, row_of(column(parent)));
    std::string way =
        fmt::format("M{} {}H{}V{}", right, middle(node), exit, lane_below(from, parent));
    if (from != to) {
      way +=
          fmt::format("H{}V{}", kPageMargin + margins_.at(parent) * kLane, lane_below(to, parent));
    }
    draw(way + fmt::format("H{}V{}H{}", entry, in, tip), head_at(left(parent), in));
  }

  static std::string head_at(std::size_t x, std::size_t y) {
    return fmt::format("M{} {}l-7 -4v8z", x, y);
  }

  void draw(const std::string& way, const std::string& head) {
    drawing_.line(fmt::format("<g class=\"{}\">{}{}</g>", ink(0),
                              path("line", way, "", "stroke-width=\"1.5\""), path("fill", head)));
  }

  const RoutePicture& route_;
  std::vector<std::size_t> depth_;
  Nodes columns_;    ///< by column: its rack
  Nodes column_of_;  ///< by rack: its column
  Nodes place_;      ///< by node: its index in its rack
  std::size_t node_width_ = 0;
  std::size_t right_ = 0;
  using Numbers = std::map<std::size_t, std::size_t>;  ///< by parent
  std::vector<std::size_t> most_in_row_;               ///< by row: most nodes of a rack
  std::vector<Numbers> lanes_;                         ///< by row: lanes below it
  Numbers margins_;                                    ///< lanes at the left margin
  Drawing drawing_;
};

}  // namespace

Picture draw_route(const RoutePicture& route) { return RouteDrawing(route).picture(); }

}  // namespace xorloom
