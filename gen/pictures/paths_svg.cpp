#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "codes/text/counted.hpp"
#include "gen/pictures/core_schedule_svg.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr double kPathsTop = kPageMargin + kPageHeadHeight + 30;
constexpr double kRoomForEnds = 1100;  ///< height for the ends of lines at a column of boxes
constexpr double kMostBetweenEnds = 13;
constexpr double kWidestLine = 6;
constexpr double kBoxGap = 8;
constexpr double kTextLine = 15;
constexpr double kReadsWidth = 260;
constexpr double kWritesWidth = 280;
constexpr double kCoreWidth = 184;
constexpr double kLeastStorageWidth = 84;
constexpr double kNearestArc = 26;
constexpr double kArcHeight = 420;  ///< height scale of arcs: higher arcs bend out further
constexpr double kPathsLetter = 6.6;

constexpr std::size_t kCoreLetters = 26;  ///< letters in a line of a core
constexpr std::size_t kMostRoomyCores = 12;

/// Number of lines that end at a side of a box, and of ends that have their place.
struct Side {
  std::size_t ends = 0;
  std::size_t taken = 0;
};

/// Storage, or a core.
struct Box {
  std::vector<std::string> lines;  ///< its name and its contents
  Side left{};
  Side right{};
  double top = 0;
  double height = 0;

  std::size_t most_ends() const { return std::max(left.ends, right.ends); }
  double take_end(Side& side) const {
    return top +
           height * (static_cast<double>(side.taken++) + 0.5) / static_cast<double>(side.ends);
  }
};

struct Column {
  const char* heading;
  double width;
  double left = 0;
  std::vector<Box> boxes{};

  double right() const { return left + width; }
};

enum ColumnNumber : std::size_t { kSources, kCores, kResults, kColumns };

/// The elements that go from one box to another.
struct Way {
  ColumnNumber from_column, to_column;
  Box* from;
  Box* to;
  const std::set<Element>* elements;
  double begin = 0;  ///< height at which its line begins
  double end = 0;

  std::size_t size() const { return elements->size(); }
  bool is(ColumnNumber a, ColumnNumber b) const { return from_column == a && to_column == b; }
  bool is_move() const { return is(kCores, kCores); }
  Side& last_side() const { return is_move() ? to->right : to->left; }
};

std::string names_of(const Program& program, const auto& elements, char between = ',') {
  std::string text;
  for (const Element element : elements) {
    if (!text.empty()) text += between;
    text += element_name(program, element);
  }
  return text;
}

/// "24 25 26", or "24 … 39" for more than 8 elements.
std::string elements_text(const Program& program, const std::vector<Element>& elements) {
  if (elements.size() <= 8) return names_of(program, elements, ' ');
  return fmt::format("{} … {}", element_name(program, elements.front()),
                     element_name(program, elements.back()));
}

class Paths {
 public:
  Paths(const Program& program, const CoreSchedule& plan, const DataPaths& paths)
      : program_(program), plan_(plan) {
    for (const ElementGroup& group : paths.sources) add_storage(kSources, group);
    for (const ElementGroup& group : paths.results) add_storage(kResults, group);
    describe_cores();
    // Ends at a side are taken in this order.
    add_ways(kSources, kCores, paths.reads);
    add_ways(kCores, kResults, paths.writes);
    add_ways(kSources, kResults, paths.copies);
    add_ways(kCores, kCores, paths.moves);
    place();
    for (Way& way : ways_) way.begin = way.from->take_end(way.from->right);
    for (Way& way : ways_) way.end = way.to->take_end(way.last_side());
  }

  Picture picture() {
    for (const Column& column : columns_) {
      drawing_.text(column.left, kPathsTop - 12, "title", column.heading);
    }
    for (const ColumnNumber number : {kSources, kResults}) {
      for (const Box& box : columns_[number].boxes) draw_box(columns_[number], box);
    }
    for (const Way& way : ways_) {
      if (!way.is(kSources, kResults)) continue;
      drawing_.line(line_of(way, "copied: " + names_of(program_, *way.elements)));
    }
    drawing_.line("<g class=\"xl-all\">");
    for (std::size_t core = 0; core < plan_.cores; ++core) draw_core(core);
    drawing_.line("</g>");
    const std::string head =
        fmt::format("Data paths on {}: {} read, {} moved between cores, {} written",
                    counted(plan_.cores, "core"), counted(going(kSources, kCores), "element"),
                    moves(program_, plan_), going(kCores, kResults));
    const bool has_parts = std::ranges::any_of(
        computed_, [](const std::string& names) { return names.find('\'') != std::string::npos; });
    const std::string note = fmt::format(
        "Boxes at the left and right are storage, with its elements. Boxes in the middle are "
        "cores,\n"
        "with the equations they compute{}. The color of a line is that of its\n"
        "core; colors repeat. Wider lines carry more elements.",
        has_parts ? "; 15' is a part of 15" : "");
    return drawing_.picture(columns_[kResults].right(), kPathsTop + height_ + 78, 0, head, note,
                            "Point at a core, tap it, or tab to it, to see its lines.");
  }

 private:
  /// Adds a box of storage. Both columns of storage are as wide as the widest of their boxes.
  void add_storage(ColumnNumber column, const ElementGroup& group) {
    const Box& box = columns_[column].boxes.emplace_back(
        Box{{group_name(group), elements_text(program_, group.elements)}});
    for (const std::string& line : box.lines) {
      const double width = static_cast<double>(text_width(line, 1)) * kPathsLetter + 14;
      columns_[kSources].width = std::max(columns_[kSources].width, width);
    }
    columns_[kResults].width = columns_[kSources].width;
  }

  /// Lists what each core computes: whole equations, and parts of others.
  void describe_cores() {
    const std::size_t most_lines = plan_.cores <= kMostRoomyCores ? 3 : 2;
    const std::map<Element, Element> equation_of = equations_of_steps(program_, plan_);
    // By core and equation: true if it is whole.
    std::vector<std::map<Element, bool>> targets(plan_.cores);
    for (const CoreStep& step : plan_.steps) {
      const Element equation = equation_of.at(step.target);
      bool& is_whole = targets[step.core][equation];
      is_whole = is_whole || step.target == equation;
    }
    for (std::size_t core = 0; core < plan_.cores; ++core) {
      std::vector<std::string> lines = {fmt::format("core {}", core), ""};
      std::string& all = computed_.emplace_back();
      for (const auto& [equation, is_whole] : targets[core]) {
        const std::string name = element_name(program_, equation) + (is_whole ? "" : "'");
        if (!all.empty()) all += ',';
        all += name;
        const bool is_full = lines.back().size() + name.size() + 1 > kCoreLetters;
        if (is_full && lines.size() == most_lines) {
          if (!lines.back().ends_with("…")) lines.back() += " …";
          continue;
        }
        if (is_full) lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + name;
      }
      columns_[kCores].boxes.push_back({std::move(lines)});
    }
  }

  void add_ways(ColumnNumber from, ColumnNumber to, const DataPaths::Ways& ways) {
    for (const auto& [ends, elements] : ways) {
      const Way& way = ways_.emplace_back(Way{from, to, &columns_[from].boxes[ends.first],
                                              &columns_[to].boxes[ends.second], &elements});
      ++way.from->right.ends;
      ++way.last_side().ends;
      most_ = std::max(most_, elements.size());
    }
  }

  /// Sets the sizes of boxes by their lines and text, then aligns columns to one height.
  void place() {
    for (const Column& column : columns_) {
      std::size_t ends = 0;
      for (const Box& box : column.boxes) ends += box.most_ends();
      between_ends_ = std::min(between_ends_, kRoomForEnds / static_cast<double>(ends + 1));
    }
    for (Column& column : columns_) {
      double height = 0;
      for (Box& box : column.boxes) {
        const double text = static_cast<double>(box.lines.size()) * kTextLine + 8;
        const auto ends = static_cast<double>(box.most_ends());
        box.height = std::round(std::max(text, ends * between_ends_));
        height += box.height + kBoxGap;
      }
      height_ = std::max(height_, height - kBoxGap);
    }
    for (Column& column : columns_) {
      double free = height_;
      for (const Box& box : column.boxes) free -= box.height;
      const double gap = free / static_cast<double>(column.boxes.size() + 1);
      const double least = column.boxes.size() > 1 ? std::max(gap, kBoxGap) : gap;
      double top = kPathsTop + (free - least * static_cast<double>(column.boxes.size() - 1)) / 2;
      for (Box& box : column.boxes) {
        box.top = std::round(top);
        top += box.height + least;
      }
    }
    columns_[kSources].left = kPageMargin;
    columns_[kCores].left = columns_[kSources].right() + kReadsWidth;
    columns_[kResults].left = columns_[kCores].right() + kWritesWidth;
  }

  /// Number of elements that go between two columns, for all cores or for `core`.
  std::size_t going(ColumnNumber from, ColumnNumber to, const Box* core = nullptr) const {
    std::size_t sum = 0;
    for (const Way& way : ways_) {
      const bool is_of_core = core == nullptr || core == (to == kCores ? way.to : way.from);
      if (way.is(from, to) && is_of_core) sum += way.size();
    }
    return sum;
  }

  void draw_box(const Column& column, const Box& box) {
    drawing_.line(rect("box", column.left, box.top, column.width, box.height, 3));
    double y = box.top + (box.height - static_cast<double>(box.lines.size()) * kTextLine) / 2 + 11;
    for (std::size_t i = 0; i < box.lines.size(); ++i, y += kTextLine) {
      drawing_.text(column.left + column.width / 2, y, i == 0 ? "small target" : "small",
                    box.lines[i]);
    }
  }

  /// Line from a box to one at its right, or from the right side of a core out and back to that of
  /// another.
  std::string line_of(const Way& way, const std::string& title) const {
    const double from = columns_[way.from_column].right();
    const double dx = columns_[way.to_column].left - from;
    const double dy = way.end - way.begin;
    const double far = (kWritesWidth - kNearestArc) * (1 - std::exp(-std::abs(dy) / kArcHeight));
    const double out = kNearestArc + far;
    const std::string curve =
        way.is_move()
            ? fmt::format("{:.0f} 0 {:.0f} {:.4g} 0 {:.4g}m6 -3l-6 3l6 3", out, out, dy, dy)
            : fmt::format("{:.0f} 0 {:.0f} {:.4g} {:.0f} {:.4g}", dx / 2, dx / 2, dy, dx, dy);
    const double widest = std::clamp(between_ends_ * 0.7, 1.2, kWidestLine);
    const double share = widest * static_cast<double>(way.size()) / static_cast<double>(most_);
    return path("way", fmt::format("M{:.0f} {:.5g}c{}", from, way.begin, curve), title,
                fmt::format("stroke-width=\"{:.2g}\"", std::max(0.6, share))) +
           '\n';
  }

  /// Ways of a core: what it reads, then what it sends to other cores, then what it writes.
  std::vector<const Way*> ways_of(const Box& core) const {
    std::vector<const Way*> ways;
    for (const Column& other : columns_) {
      for (const Way& way : ways_) {
        const bool is_read = way.is(kSources, kCores) && way.to == &core;
        const bool is_sent = way.from_column == kCores && way.from == &core;
        const ColumnNumber end = is_read ? kSources : way.to_column;
        if ((is_read || is_sent) && &other == &columns_[end]) ways.push_back(&way);
      }
    }
    return ways;
  }

  void draw_core(std::size_t core) {
    const Box& box = columns_[kCores].boxes[core];
    drawing_.line(stop("stop", core,
                       fmt::format("core {} computes {}: it reads {}, receives {} and writes {}",
                                   core, computed_[core].empty() ? "nothing" : computed_[core],
                                   going(kSources, kCores, &box), going(kCores, kCores, &box),
                                   going(kCores, kResults, &box))));
    const std::vector<const Way*> ways = ways_of(box);
    std::string lines;
    for (const Way* way : ways) {
      std::string title = fmt::format("{} from {} to {}", way->size(), way->from->lines.front(),
                                      way->to->lines.front());
      if (!way->is_move()) title += ": " + names_of(program_, *way->elements);
      lines += line_of(*way, title);
    }
    drawing_.line(lines);
    draw_box(columns_[kCores], box);
    for (const Way* way : ways) draw_number(*way);
    drawing_.line("</g>");
  }

  /// Writes the number of elements of a way beside an end of its line, if lines are not too close.
  void draw_number(const Way& way) {
    if (between_ends_ < 10) return;
    const double x =
        way.is_move() ? columns_[kCores].right() + 12 : columns_[way.to_column].left - 12;
    drawing_.text(x, (way.is_move() ? way.begin : way.end) + 3, "tiny halo over",
                  fmt::format("{}", way.size()));
  }

  const Program& program_;
  const CoreSchedule& plan_;
  std::array<Column, kColumns> columns_{
      {{"read", kLeastStorageWidth}, {"calculation", kCoreWidth}, {"written", kLeastStorageWidth}}};
  std::vector<Way> ways_;
  std::vector<std::string> computed_;  ///< by core: names of its equations
  double height_ = 0;
  double between_ends_ = kMostBetweenEnds;
  std::size_t most_ = 1;
  Drawing drawing_;
};

std::map<Element, std::size_t> group_numbers(const std::vector<ElementGroup>& groups) {
  std::map<Element, std::size_t> numbers;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Element element : groups[g].elements) numbers[element] = g;
  }
  return numbers;
}

}  // namespace

DataPaths data_paths(const Program& program, const CoreSchedule& plan) {
  DataPaths paths;
  paths.sources = groups_of(program, program.inputs);
  paths.results = groups_of(program, program.outputs);
  const std::map<Element, std::size_t> sources = group_numbers(paths.sources);
  std::map<Element, Element> copied;
  const auto origin = [&](Element element) {
    const auto found = copied.find(element);
    return found == copied.end() ? element : found->second;
  };
  for (const Equation& equation : program.equations) {
    if (equation.operands.size() != 1) continue;
    copied[equation.target] = origin(equation.operands.front());
  }
  std::map<Element, std::size_t> core_of;
  for (const CoreStep& step : plan.steps) core_of[step.target] = step.core;
  for (const CoreStep& step : plan.steps) {
    for (const Element operand : step.operands) {
      const Element element = origin(operand);
      const auto source = sources.find(element);
      const auto core = core_of.find(element);
      if (source != sources.end()) {
        paths.reads[{source->second, step.core}].insert(element);
      } else if (core != core_of.end() && core->second != step.core) {
        paths.moves[{core->second, step.core}].insert(element);
      }
    }
  }
  for (std::size_t g = 0; g < paths.results.size(); ++g) {
    for (const Element output : paths.results[g].elements) {
      const auto source = sources.find(origin(output));
      const auto core = core_of.find(origin(output));
      if (source != sources.end()) paths.copies[{source->second, g}].insert(output);
      if (core != core_of.end()) paths.writes[{core->second, g}].insert(output);
    }
  }
  return paths;
}

std::optional<Picture> draw_paths(const Program& program, const CoreSchedule& plan) {
  if (plan.cores > kMostPathCores) return std::nullopt;
  const DataPaths paths = data_paths(program, plan);
  if (paths.sources.size() > kMostPathLocations || paths.results.size() > kMostPathLocations) {
    return std::nullopt;
  }
  return Paths(program, plan, paths).picture();
}

}  // namespace xorloom
