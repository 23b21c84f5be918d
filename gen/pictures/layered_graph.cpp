#include "gen/pictures/layered_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gen/pictures/element_groups.hpp"

namespace xorloom {
namespace {

/// Gap between locations, in places.
constexpr double kLocationGap = 0.5;

/// Greatest distance between neighbours in a column, in places: columns of few elements are loose.
constexpr double kLoosest = 2.5;

constexpr int kSweeps = 12;

class Columns {
 public:
  Columns(const Program& program, std::span<const std::size_t> least)
      : program_(program),
        least_(least),
        ties_(program.end_of_elements()),
        is_fixed_(program.end_of_elements()) {
    layout_.column.resize(program.end_of_elements());
    layout_.place.resize(program.end_of_elements());
    tie();
    choose_columns();
    const double inputs = stand(program_.inputs, 0, 1);
    const std::vector<Element>& last = columns_.back();
    layout_.height = std::max(inputs, stand(last, 0, 1));
    for (const std::vector<Element>& column : columns_) {
      layout_.most_in_a_column = std::max(layout_.most_in_a_column, column.size());
      layout_.height = std::max(layout_.height, static_cast<double>(column.size()));
    }
    stand(program_.inputs, (layout_.height - inputs) / 2, 1);
    const double loose = distance_in(last.size());
    stand(last, (layout_.height - stand(last, 0, loose)) / 2, loose);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        order(columns_[sweep % 2 == 0 ? c : columns_.size() - 1 - c], sweep == 0);
      }
    }
  }

  GraphLayout take() { return std::move(layout_); }

 private:
  void tie() {
    for (const Equation& equation : program_.equations) {
      for (const Element operand : equation.operands) {
        ties_[operand].push_back(equation.target);
        ties_[equation.target].push_back(operand);
      }
    }
  }

  void choose_columns() {
    std::vector<bool> is_read(program_.end_of_elements());
    for (const Equation& equation : program_.equations) {
      std::size_t level = equation.target < least_.size() ? least_[equation.target] : 0;
      level = std::max<std::size_t>(level, 1);
      for (const Element operand : equation.operands) {
        is_read[operand] = true;
        level = std::max(level, layout_.column[operand] + 1);
      }
      layout_.column[equation.target] = level;
      layout_.num_columns = std::max(layout_.num_columns, level + 1);
    }
    for (const Element output : program_.outputs) {
      if (!is_read[output]) layout_.column[output] = layout_.num_columns - 1;
    }
    columns_.resize(layout_.num_columns);
    for (const Element input : program_.inputs) columns_[0].push_back(input);
    std::vector<bool> is_output(program_.end_of_elements());
    for (const Element output : program_.outputs) {
      is_output[output] = true;
      columns_[layout_.column[output]].push_back(output);
    }
    for (const Equation& equation : program_.equations) {
      if (is_output[equation.target]) continue;
      columns_[layout_.column[equation.target]].push_back(equation.target);
    }
    for (const Element input : program_.inputs) is_fixed_[input] = true;
    for (const Element output : columns_.back()) is_fixed_[output] = true;
  }

  /// Places elements one below the other, starting at `from`, with gaps between locations. Returns
  /// the height that they take.
  double stand(std::span<const Element> elements, double from, double distance) {
    double at = from;
    const double gap = program_.rows > 1 ? kLocationGap * distance : 0;
    for (const ElementGroup& group : groups_of(program_, elements)) {
      if (at > from) at += gap;
      for (const Element element : group.elements) {
        layout_.place[element] = at;
        at += distance;
      }
    }
    return at - from;
  }

  /// Distance between neighbours in a column of `elements` elements.
  double distance_in(std::size_t elements) const {
    return std::clamp(
        layout_.height * 0.7 / static_cast<double>(std::max<std::size_t>(1, elements)), 1.0,
        kLoosest);
  }

  /// Mean place of the elements that an element is tied to. In the first sweep, later columns count
  /// only if they are fixed.
  double wish(Element element, bool is_first) const {
    double sum = 0;
    double number = 0;
    for (const Element other : ties_[element]) {
      if (is_first && layout_.column[other] > layout_.column[element] && !is_fixed_[other])
        continue;
      sum += layout_.place[other];
      ++number;
    }
    return number == 0 ? layout_.height / 2 : sum / number;
  }

  /// Places the elements of a column as near to their wishes as possible, in least squares, with a
  /// distance between them: neighbours that wish to be closer form a block at the mean of their
  /// wishes.
  void order(std::vector<Element>& column, bool is_first) {
    if (column.empty() || is_fixed_[column.front()]) return;
    std::vector<std::pair<double, Element>> wishes;
    for (const Element element : column) wishes.emplace_back(wish(element, is_first), element);
    std::ranges::stable_sort(wishes, {}, [](const auto& entry) { return entry.first; });
    struct Block {
      double sum;  ///< sum of wishes, each less its offset in the column
      std::size_t size;
      double at() const { return sum / static_cast<double>(size); }
    };
    const double distance = distance_in(column.size());
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      blocks.push_back({wishes[i].first - distance * static_cast<double>(i), 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].at() > blocks.back().at()) {
        blocks[blocks.size() - 2].sum += blocks.back().sum;
        blocks[blocks.size() - 2].size += blocks.back().size;
        blocks.pop_back();
      }
    }
    const double most = layout_.height - distance * static_cast<double>(wishes.size() - 1) - 1;
    std::size_t i = 0;
    for (const Block& block : blocks) {
      const double base = std::clamp(block.at(), 0.0, most);
      for (std::size_t k = 0; k < block.size; ++k, ++i) {
        column[i] = wishes[i].second;
        layout_.place[column[i]] = base + distance * static_cast<double>(i);
      }
    }
  }

  const Program& program_;
  std::span<const std::size_t> least_;
  GraphLayout layout_;
  std::vector<std::vector<Element>> columns_;
  std::vector<std::vector<Element>> ties_;
  std::vector<bool> is_fixed_;
};

}  // namespace

GraphLayout graph_layout(const Program& program, std::span<const std::size_t> least) {
  return Columns(program, least).take();
}

int LayeredGraph::left_of(std::size_t column) const {
  return static_cast<int>(kPageMargin) + kLocationNames +
         static_cast<int>(column) * (sizes_.width + sizes_.column_gap);
}

int LayeredGraph::middle(Element element) const {
  return sizes_.top + static_cast<int>(std::lround(layout_.place[element] * sizes_.pitch)) +
         sizes_.pitch / 2;
}

int LayeredGraph::bottom() const {
  return sizes_.top + static_cast<int>(layout_.height * sizes_.pitch);
}

void LayeredGraph::draw_locations(Drawing& drawing) const {
  draw_locations(program_.inputs, true, drawing);
  std::vector<Element> last = program_.outputs;
  std::erase_if(last,
                [&](Element output) { return layout_.column[output] + 1 != layout_.num_columns; });
  draw_locations(last, false, drawing);
}

void LayeredGraph::draw_locations(std::span<const Element> elements, bool is_left,
                                  Drawing& drawing) const {
  const int x = is_left ? left_of(0) - 8 : left_of(layout_.num_columns - 1) + sizes_.width + 8;
  for (const ElementGroup& group : groups_of(program_, elements)) {
    const int from = middle(group.elements.front()) - sizes_.height / 2;
    const int to = middle(group.elements.back()) + sizes_.height / 2;
    drawing.line(path("frame", fmt::format("M{} {}V{}", x, from, to)));
    drawing.text(is_left ? x - 6 : x + 6, (from + to) / 2.0 + 4,
                 is_left ? "name end" : "name start", group_name(group));
  }
}

std::string LayeredGraph::box(std::string_view styles, Element element, int round) const {
  return rect(styles, left(element), middle(element) - sizes_.height / 2, sizes_.width,
              sizes_.height, round);
}

std::string LayeredGraph::label(std::string_view classes, Element element,
                                const std::string& name) const {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", classes,
                     left(element) + sizes_.width / 2,
                     middle(element) + (sizes_.height < 20 ? 3 : 4), name);
}

std::string LayeredGraph::tie(int from_x, Element from, Element to) const {
  const int dx = left(to) - from_x;
  const int dy = middle(to) - middle(from);
  return fmt::format("M{} {}c{} 0 {} {} {} {}", from_x, middle(from), dx / 2, dx - dx / 2, dy, dx,
                     dy);
}

std::vector<const Equation*> LayeredGraph::from_the_right() const {
  std::vector<const Equation*> equations;
  for (const Equation& equation : program_.equations) equations.push_back(&equation);
  std::ranges::stable_sort(equations, std::greater{}, [&](const Equation* equation) {
    return layout_.column[equation->target];
  });
  return equations;
}

Picture LayeredGraph::picture(const Drawing& drawing, const std::string& head,
                              const std::string& note, const std::string& hint) const {
  const int right = left_of(layout_.num_columns - 1) + sizes_.width + kLocationNames;
  const std::size_t text =
      std::max(text_width(head, kHeadLetter), text_width(note, kNoteLetter) * 5 / 8);
  return drawing.picture(right, bottom() + 38, text, head, note, hint);
}

}  // namespace xorloom
