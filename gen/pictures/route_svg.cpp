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
constexpr std::size_t kLetter = 8;
constexpr std::size_t kPadding = 30;   ///< of a rack, beside its nodes: ways run there
constexpr std::size_t kRackHead = 34;  ///< above the nodes
constexpr std::size_t kRackGap = 26;
constexpr std::size_t kLane = 10;  ///< from one way to the next
constexpr std::size_t kArrow = 6;
constexpr std::size_t kTop = kPageMargin + kPageHeadHeight;

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
    const std::size_t lanes = lanes_.empty() ? 0 : (lanes_.size() + 1) * kLane;
    std::size_t width = right_ + kPageMargin;
    width = std::max({width, text_width(route_.head, kHeadLetter) + 2 * kPageMargin,
                      text_width(note.substr(note.find('\n') + 1), kNoteLetter) + 2 * kPageMargin});
    return {.width = width,
            .height = bottom_ + lanes + 62 + kPageMargin,
            .head = route_.head,
            .note = note,
            .body = drawing_.so_far()};
  }

 private:
  using Nodes = std::vector<std::size_t>;

  void check() const {
    if (route_.nodes.size() <= kMostDrawnNodes && route_.racks.size() <= kMostDrawnRacks) return;
    fail(Status::kInvalidArgument,
         fmt::format("{} nodes in {} racks are more than the {} in {} that are drawn",
                     route_.nodes.size(), route_.racks.size(), kMostDrawnNodes, kMostDrawnRacks));
  }

  /// How many ways lead from a node to the root.
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
    std::size_t home = 0;
    std::size_t width = kLeastNodeWidth;
    for (std::size_t node = 0; node < route_.nodes.size(); ++node) {
      const RoutePicture::Node& drawn = route_.nodes[node];
      nodes_of[drawn.rack].push_back(node);
      deepest[drawn.rack] = std::max(deepest[drawn.rack], depth_[node]);
      if (drawn.is_root) home = drawn.rack;
      width = std::max({width, text_width(drawn.name + "    " + drawn.content, kLetter),
                        text_width(drawn.sends, kLetter) + 16});
    }
    node_width_ = width;
    for (std::size_t rack = 0; rack < nodes_of.size(); ++rack) {
      if (rack != home) columns_.push_back(rack);
    }
    std::ranges::stable_sort(columns_,
                             [&](std::size_t a, std::size_t b) { return deepest[a] > deepest[b]; });
    columns_.push_back(home);
    column_of_.resize(route_.racks.size());
    place_.resize(route_.nodes.size());
    std::size_t most = 1;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      column_of_[columns_[column]] = column;
      Nodes& nodes = nodes_of[columns_[column]];
      // Those that take part first, the farthest from the root above the others.
      std::ranges::stable_sort(nodes, [&](std::size_t a, std::size_t b) {
        if (takes_part(a) != takes_part(b)) return takes_part(a);
        return depth_[a] > depth_[b];
      });
      for (std::size_t i = 0; i < nodes.size(); ++i) place_[nodes[i]] = i;
      most = std::max(most, nodes.size());
    }
    bottom_ = kTop + kRackHead + most * (kNodeHeight + kNodeGap);
    right_ = rack_left(columns_.size() - 1) + rack_width();
  }

  std::size_t rack_width() const { return node_width_ + 2 * kPadding; }
  std::size_t rack_left(std::size_t column) const {
    return kPageMargin + column * (rack_width() + kRackGap);
  }
  std::size_t column(std::size_t node) const { return column_of_[route_.nodes[node].rack]; }
  std::size_t left(std::size_t node) const { return rack_left(column(node)) + kPadding; }
  std::size_t top(std::size_t node) const {
    return kTop + kRackHead + place_[node] * (kNodeHeight + kNodeGap);
  }
  std::size_t middle(std::size_t node) const { return top(node) + kNodeHeight / 2; }

  void draw_rack(std::size_t column) {
    drawing_.line(
        fmt::format(R"(<rect class="xl-between" x="{0}" y="{1}" width="{2}" height="{3}" rx="6"/>)"
                    R"(<rect class="xl-rule" x="{0}" y="{1}" width="{2}" height="{3}" rx="6"/>)",
                    rack_left(column), kTop, rack_width(), bottom_ - kTop));
    drawing_.text(rack_left(column) + 12, kTop + 20, "title",
                  fmt::format("rack {}", route_.racks[columns_[column]]));
  }

  void draw_node(std::size_t node) {
    const RoutePicture::Node& drawn = route_.nodes[node];
    const std::string box = fmt::format(R"(x="{}" y="{}" width="{}" height="{}" rx="4")",
                                        left(node), top(node), node_width_, kNodeHeight);
    if (takes_part(node)) {
      drawing_.line(fmt::format(R"(<rect class="xl-box" {}/>)", box));
      if (drawn.is_root) {
        drawing_.line(fmt::format(R"(<g class="{}"><rect class="xl-part" {}/></g>)", ink(2), box));
      }
    } else {
      drawing_.line(fmt::format(R"(<rect class="xl-idle" {}/>)", box));
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
    const std::size_t in = middle(parent) - kLane;  // above what comes from the same rack
    if (column(node) + 1 == column(parent)) {
      return draw(fmt::format("M{} {}H{}V{}H{}", right, middle(node), exit, in, tip),
                  head_at(left(parent), in));
    }
    const std::size_t number = lanes_.try_emplace(parent, lanes_.size()).first->second;
    const std::size_t lane = bottom_ + (number + 1) * kLane;
    draw(fmt::format("M{} {}H{}V{}H{}V{}H{}", right, middle(node), exit, lane, entry, in, tip),
         head_at(left(parent), in));
  }

  static std::string head_at(std::size_t x, std::size_t y) {
    return fmt::format("M{} {}l-7 -4v8z", x, y);
  }

  void draw(const std::string& way, const std::string& head) {
    drawing_.line(fmt::format(R"(<g class="{}"><path class="xl-line" stroke-width="1.5" d="{}"/>)"
                              R"(<path class="xl-fill" d="{}"/></g>)",
                              ink(0), way, head));
  }

  const RoutePicture& route_;
  std::vector<std::size_t> depth_;
  Nodes columns_;    ///< by column, its rack
  Nodes column_of_;  ///< by rack
  Nodes place_;      ///< by node, in its rack
  std::size_t node_width_ = 0;
  std::size_t bottom_ = 0;
  std::size_t right_ = 0;
  std::map<std::size_t, std::size_t> lanes_;  ///< below the racks, by parent
  Drawing drawing_;
};

}  // namespace

Picture draw_route(const RoutePicture& route) { return RouteDrawing(route).picture(); }

}  // namespace xorloom
