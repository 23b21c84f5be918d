#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/data_paths.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr double kPathsTop = kPageMargin + kPageHeadHeight + 30;
constexpr double kRoomForEnds = 1100;  ///< of lines at a column of boxes
constexpr double kMostBetweenEnds = 13;
constexpr double kWidestLine = 6;
constexpr double kBoxGap = 8;
constexpr double kTextLine = 15;
constexpr double kReadsWidth = 260;
constexpr double kWritesWidth = 280;
constexpr double kCoreWidth = 184;
constexpr double kNearestArc = 26;
constexpr double kArcHeight = 420;  ///< of arcs that are well out
constexpr double kPathsLetter = 6.6;

constexpr std::size_t kCoreLetters = 26;  ///< in a line of a core
constexpr std::size_t kMostRoomyCores = 12;

/// Where lines end at the sides of a box, in the order in which they are asked for.
struct Box {
  std::vector<std::string> lines;
  std::size_t left_ends = 0;
  std::size_t right_ends = 0;
  double top = 0;
  double height = 0;

  std::size_t left_taken = 0;
  std::size_t right_taken = 0;

  double next_left() { return end(left_taken++, left_ends); }
  double next_right() { return end(right_taken++, right_ends); }

 private:
  double end(std::size_t number, std::size_t all) const {
    return top + height * (static_cast<double>(number) + 0.5) / static_cast<double>(all);
  }
};

/// "24 25 26", or "24 … 39" where they are many.
std::string elements_text(const Program& program, const std::vector<Element>& elements) {
  if (elements.size() > 8) {
    return fmt::format("{} … {}", element_name(program, elements.front()),
                       element_name(program, elements.back()));
  }
  std::string text;
  for (const Element element : elements) {
    text += (text.empty() ? "" : " ") + element_name(program, element);
  }
  return text;
}

template <typename Elements>
std::string names_of(const Program& program, const Elements& elements) {
  std::string text;
  for (const Element element : elements) {
    if (!text.empty()) text += ',';
    text += element_name(program, element);
  }
  return text;
}

class Paths {
 public:
  Paths(const Program& program, const CoreSchedule& plan, const DataPaths& paths)
      : program_(program),
        plan_(plan),
        paths_(paths),
        equation_of_(equations_of_steps(program, plan)),
        cores_(plan.cores) {
    for (const ElementGroup& group : paths.sources) sources_.push_back(box_of(group));
    for (const ElementGroup& group : paths.results) results_.push_back(box_of(group));
    describe_cores();
    count_ends();
    place();
  }

  Picture picture() {
    heading(source_left(), "read");
    heading(core_left(), "calculation");
    heading(result_left(), "written");
    for (const auto& source : sources_) draw_box(source, source_left(), width_);
    for (const auto& result : results_) draw_box(result, result_left(), width_);
    // Ends at a box are taken in the order of what lies at the other end.
    take_ends();
    drawing_.line("<g class=\"xl-all\">");
    for (std::size_t core = 0; core < cores_.size(); ++core) draw_core(core);
    drawing_.line("</g>");
    const std::string head =
        fmt::format("Data paths on {} core{}: {} elements read, {} moved between cores, {} written",
                    plan_.cores, plan_.cores == 1 ? "" : "s", going(paths_.reads),
                    moves(program_, plan_), going(paths_.writes));
    const bool has_parts = std::ranges::any_of(
        computed_, [](const std::string& names) { return names.find('\'') != std::string::npos; });
    const std::string note = fmt::format(
        "Boxes at the left and right are storage, with its elements. Boxes in the middle are "
        "cores,\n"
        "with the equations they compute{}. The color of a line is that of its\n"
        "core; colors repeat. Wider lines carry more elements.",
        has_parts ? "; 15' is a part of 15" : "");
    return {static_cast<std::size_t>(result_left() + width_) + kPageMargin,
            static_cast<std::size_t>(kPathsTop + height_) + 78 + kPageMargin,
            head,
            note,
            drawing_.so_far(),
            true,
            {},
            "Point at a core, tap it, or tab to it, to see its lines."};
  }

 private:
  using Ends = std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>>;

  double source_left() const { return kPageMargin; }
  double core_left() const { return source_left() + width_ + kReadsWidth; }
  double core_right() const { return core_left() + kCoreWidth; }
  double result_left() const { return core_right() + kWritesWidth; }

  Box box_of(const ElementGroup& group) {
    Box box;
    box.lines = {group_name(group), elements_text(program_, group.elements)};
    for (const std::string& line : box.lines) {
      width_ = std::max(width_, static_cast<double>(text_width(line, 1)) * kPathsLetter + 14);
    }
    return box;
  }

  /// What each core computes: whole equations, and parts of others.
  void describe_cores() {
    const std::size_t most_lines = plan_.cores <= kMostRoomyCores ? 3 : 2;
    std::vector<std::map<Element, bool>> targets(cores_.size());  // whether it is whole
    for (const CoreStep& step : plan_.steps) {
      const Element equation = equation_of_.at(step.target);
      bool& is_whole = targets[step.core][equation];
      is_whole = is_whole || step.target == equation;
    }
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      std::vector<std::string>& lines = cores_[core].lines;
      lines = {fmt::format("core {}", core), ""};
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
    }
  }

  void count_ends() {
    for (const auto& [way, elements] : paths_.reads) {
      ++sources_[way.first].right_ends;
      ++cores_[way.second].left_ends;
      see(elements.size());
    }
    for (const auto& [way, elements] : paths_.moves) {
      ++cores_[way.first].right_ends;
      ++cores_[way.second].right_ends;
      see(elements.size());
    }
    for (const auto& [way, elements] : paths_.writes) {
      ++cores_[way.first].right_ends;
      ++results_[way.second].left_ends;
      see(elements.size());
    }
    for (const auto& [way, elements] : paths_.copies) {
      ++sources_[way.first].right_ends;
      ++results_[way.second].left_ends;
      see(elements.size());
    }
  }
  void see(std::size_t elements) { most_ = std::max(most_, elements); }

  /// Sizes of boxes by their lines and text, then columns of one height.
  void place() {
    for (const std::vector<Box>* column : {&sources_, &cores_, &results_}) {
      std::size_t ends = 0;
      for (const Box& box : *column) ends += std::max(box.left_ends, box.right_ends);
      between_ends_ = std::min(between_ends_, kRoomForEnds / static_cast<double>(ends + 1));
    }
    for (std::vector<Box>* column : {&sources_, &cores_, &results_}) {
      double height = 0;
      for (Box& box : *column) {
        const double text = static_cast<double>(box.lines.size()) * kTextLine + 8;
        const auto ends = static_cast<double>(std::max(box.left_ends, box.right_ends));
        box.height = std::round(std::max(text, ends * between_ends_));
        height += box.height + kBoxGap;
      }
      height_ = std::max(height_, height - kBoxGap);
    }
    for (std::vector<Box>* column : {&sources_, &cores_, &results_}) {
      double free = height_;
      for (const Box& box : *column) free -= box.height;
      const double gap = free / static_cast<double>(column->size() + 1);
      const double least = column->size() > 1 ? std::max(gap, kBoxGap) : gap;
      double top = kPathsTop + (free - least * static_cast<double>(column->size() - 1)) / 2;
      for (Box& box : *column) {
        box.top = std::round(top);
        top += box.height + least;
      }
    }
  }

  void take_ends() {
    for (const auto& [way, elements] : paths_.reads) {
      read_ends_[way].first = sources_[way.first].next_right();
    }
    for (const auto& [way, elements] : paths_.copies) {
      copy_ends_[way].first = sources_[way.first].next_right();
    }
    for (const auto& [way, elements] : paths_.reads) {
      read_ends_[way].second = cores_[way.second].next_left();
    }
    for (const auto& [way, elements] : paths_.writes) {
      write_ends_[way].first = cores_[way.first].next_right();
    }
    for (const auto& [way, elements] : paths_.moves) {
      move_ends_[way].first = cores_[way.first].next_right();
    }
    for (const auto& [way, elements] : paths_.moves) {
      move_ends_[way].second = cores_[way.second].next_right();
    }
    for (const auto& [way, elements] : paths_.writes) {
      write_ends_[way].second = results_[way.second].next_left();
    }
    for (const auto& [way, elements] : paths_.copies) {
      copy_ends_[way].second = results_[way.second].next_left();
      drawing_.line(line(source_left() + width_, result_left(), copy_ends_[way], elements.size(),
                         fmt::format("copied: {}", names_of(program_, elements))));
    }
  }

  static std::size_t going(const DataPaths::Ways& ways) {
    std::size_t sum = 0;
    for (const auto& [way, elements] : ways) sum += elements.size();
    return sum;
  }

  void heading(double left, const char* text) {
    drawing_.text(left, kPathsTop - 12, "title", text);
  }

  void draw_box(const Box& box, double left, double width) {
    drawing_.line(fmt::format(
        "<rect class=\"xl-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>", left,
        box.top, width, box.height));
    double y = box.top + (box.height - static_cast<double>(box.lines.size()) * kTextLine) / 2 + 11;
    for (std::size_t i = 0; i < box.lines.size(); ++i, y += kTextLine) {
      drawing_.text(left + width / 2, y, i == 0 ? "small target" : "small", box.lines[i]);
    }
  }

  double width_of(std::size_t elements) const {
    const double widest = std::clamp(between_ends_ * 0.7, 1.2, kWidestLine);
    return std::max(0.6, widest * static_cast<double>(elements) / static_cast<double>(most_));
  }

  std::string line(double from, double to, const std::pair<double, double>& ends,
                   std::size_t elements, const std::string& title) const {
    const double dx = to - from;
    const double dy = ends.second - ends.first;
    return way(fmt::format("M{:.0f} {:.5g}c{:.0f} 0 {:.0f} {:.4g} {:.0f} {:.4g}", from, ends.first,
                           dx / 2, dx / 2, dy, dx, dy),
               elements, title);
  }

  /// From the right side of a core out and back to the right side of another.
  std::string arc(const std::pair<double, double>& ends, std::size_t elements,
                  const std::string& title) const {
    const double dy = ends.second - ends.first;
    const double far = (kWritesWidth - kNearestArc) * (1 - std::exp(-std::abs(dy) / kArcHeight));
    const double out = kNearestArc + far;
    const char* const head = "m6 -3l-6 3l6 3";
    return way(fmt::format("M{:.0f} {:.5g}c{:.0f} 0 {:.0f} {:.4g} 0 {:.4g}{}", core_right(),
                           ends.first, out, out, dy, dy, head),
               elements, title);
  }

  std::string way(const std::string& path, std::size_t elements, const std::string& title) const {
    return fmt::format(
        "<path class=\"xl-way\" stroke-width=\"{:.2g}\" d=\"{}\"><title>{}</title></path>\n",
        width_of(elements), path, escaped(title));
  }

  /// How many elements go along a line, beside its end, where lines are not too close.
  void number(double x, double y, std::size_t elements) {
    if (between_ends_ < 10) return;
    drawing_.text(x, y + 3, "tiny halo over", fmt::format("{}", elements));
  }

  void draw_core(std::size_t core) {
    std::string ways;
    std::size_t read = 0;
    std::size_t received = 0;
    std::size_t written = 0;
    const auto title = [&](const std::set<Element>& elements, const std::string& rest) {
      return fmt::format("{} {}: {}", elements.size(), rest, names_of(program_, elements));
    };
    for (const auto& [way, elements] : paths_.reads) {
      if (way.second != core) continue;
      read += elements.size();
      ways += line(source_left() + width_, core_left(), read_ends_[way], elements.size(),
                   title(elements, fmt::format("from {} to core {}",
                                               group_name(paths_.sources[way.first]), core)));
    }
    for (const auto& [way, elements] : paths_.moves) {
      if (way.second == core) received += elements.size();
      if (way.first != core) continue;
      ways += arc(move_ends_[way], elements.size(),
                  fmt::format("{} from core {} to core {}", elements.size(), core, way.second));
    }
    for (const auto& [way, elements] : paths_.writes) {
      if (way.first != core) continue;
      written += elements.size();
      ways += line(core_right(), result_left(), write_ends_[way], elements.size(),
                   title(elements, fmt::format("from core {} to {}", core,
                                               group_name(paths_.results[way.second]))));
    }
    drawing_.line(fmt::format(
        "<g class=\"xl-stop {}\" tabindex=\"0\"><title>core {} computes {}: it reads {}, receives "
        "{} and writes {}</title>",
        ink(core), core, computed_[core].empty() ? "nothing" : computed_[core], read, received,
        written));
    drawing_.line(ways);
    draw_box(cores_[core], core_left(), kCoreWidth);
    for (const auto& [way, elements] : paths_.reads) {
      if (way.second == core) number(core_left() - 12, read_ends_[way].second, elements.size());
    }
    for (const auto& [way, elements] : paths_.moves) {
      if (way.first == core) number(core_right() + 12, move_ends_[way].first, elements.size());
    }
    for (const auto& [way, elements] : paths_.writes) {
      if (way.first == core) number(result_left() - 12, write_ends_[way].second, elements.size());
    }
    drawing_.line("</g>");
  }

  const Program& program_;
  const CoreSchedule& plan_;
  const DataPaths& paths_;
  std::map<Element, Element> equation_of_;
  std::vector<Box> sources_;
  std::vector<Box> cores_;
  std::vector<Box> results_;
  std::vector<std::string> computed_;  ///< by core
  double width_ = 84;                  ///< of storage
  double height_ = 0;
  double between_ends_ = kMostBetweenEnds;
  std::size_t most_ = 1;
  Ends read_ends_, move_ends_, write_ends_, copy_ends_;
  Drawing drawing_;
};

}  // namespace

std::optional<Picture> draw_paths(const Program& program, const CoreSchedule& plan) {
  if (plan.cores > kMostPathCores) return std::nullopt;
  const DataPaths paths = data_paths(program, plan);
  if (paths.sources.size() > kMostPathLocations || paths.results.size() > kMostPathLocations) {
    return std::nullopt;
  }
  return Paths(program, plan, paths).picture();
}

}  // namespace xorloom
