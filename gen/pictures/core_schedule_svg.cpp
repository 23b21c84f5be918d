#include "gen/pictures/core_schedule_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "codes/text/counted.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr double kRoomForSteps = 1000;  ///< a page of 1216 then has room for all
constexpr double kWidestStep = 44;
constexpr std::size_t kMostTallRows = 64;
constexpr double kCoreNames = 60;  ///< left of the rows
constexpr double kBusy = 74;       ///< right of the rows
constexpr double kScheduleTop = kPageMargin + kPageHeadHeight + 22;
constexpr double kSmallLetter = 7;

class Gantt {
 public:
  Gantt(const Program& program, const CoreSchedule& plan)
      : program_(program),
        plan_(plan),
        steps_(makespan(plan)),
        equation_of_(equations_of_steps(program, plan)),
        inks_(inks_of(program)),
        step_width_(step_width_of(steps_)),
        row_height_(plan.cores <= kMostTallRows ? 24 : 10),
        at_(plan.cores, std::vector<const CoreStep*>(steps_)) {
    for (const CoreStep& step : plan.steps) at_[step.core][step.step] = &step;
    number_partial_sums();
  }

  Picture picture() {
    draw_steps();
    for (std::size_t core = 0; core < plan_.cores; ++core) draw_core(core);
    drawing_.line("<g class=\"xl-labels\">");
    drawing_.line(labels_.so_far() + "</g>");
    const std::size_t all = plan_.cores * steps_;
    const std::string head = fmt::format(
        "Plan on {}: {}, {}, {:.0f} % busy, {}", counted(plan_.cores, "core"),
        counted(steps_, "step"), counted(plan_.steps.size(), "XOR"),
        all == 0 ? 0.0 : 100.0 * static_cast<double>(plan_.steps.size()) / static_cast<double>(all),
        counted(moves(program_, plan_), "move"));
    std::string note =
        fmt::format("Each box is one XOR of two operands, {} of its equation; colors repeat.",
                    labels_.so_far().empty() ? "in the color" : "with the color and the name");
    std::string rest = numbers_.empty() ? "" : "Fainter boxes are partial sums.";
    if (plan_.steps.size() < all) {
      rest += rest.empty() ? "" : " ";
      rest += "Dashed frames are steps in which a core is idle.";
    }
    if (!rest.empty()) note += "\n" + rest;
    const std::size_t text = std::max(text_width(head, kHeadLetter),
                                      text_width(note, kNoteLetter) * (rest.empty() ? 8 : 5) / 8);
    return drawing_.picture(left_of(steps_) + kBusy, top_of(plan_.cores) + (rest.empty() ? 42 : 60),
                            text + kPageMargin, head, note, "Point at a box to see its operands.");
  }

 private:
  /// Width of a step: whole pixels if it is 8 or more.
  static double step_width_of(std::size_t steps) {
    const double width = kRoomForSteps / static_cast<double>(std::max<std::size_t>(1, steps));
    return width < 8 ? width : std::min(kWidestStep, std::floor(width));
  }

  /// Numbers partial sums: 15'1, 15'2 … of equation 15, in the order of their steps.
  void number_partial_sums() {
    std::map<Element, std::size_t> seen;
    for (const CoreStep& step : plan_.steps) {
      if (is_partial(step)) numbers_[step.target] = ++seen[equation_of_.at(step.target)];
    }
  }

  bool is_partial(const CoreStep& step) const { return step.target >= program_.end_of_elements(); }

  std::string name(Element element) const {
    const auto number = numbers_.find(element);
    if (number == numbers_.end()) return element_name(program_, element);
    return fmt::format("{}'{}", element_name(program_, equation_of_.at(element)), number->second);
  }

  double left_of(std::size_t step) const {
    return kPageMargin + kCoreNames + static_cast<double>(step) * step_width_;
  }
  double top_of(std::size_t core) const {
    return kScheduleTop + static_cast<double>(core) * row_height_;
  }
  /// Gap between rows and between steps; 0 if steps are narrow.
  double gap() const { return step_width_ > 8 ? 2 : 0; }

  void draw_steps() {
    const double room = 7.0 * static_cast<double>(fmt::to_string(steps_).size()) + 8;
    std::size_t every = 1;
    constexpr std::array<std::size_t, 9> kEvery = {2, 5, 10, 20, 50, 100, 200, 500, 1000};
    for (const std::size_t next : kEvery) {
      if (static_cast<double>(every) * step_width_ < room) every = next;
    }
    drawing_.text(kPageMargin + kCoreNames - 8, kScheduleTop - 8, "name end", "step");
    for (std::size_t step = 0; step < steps_; step += every) {
      drawing_.text(left_of(step) + step_width_ / 2, kScheduleTop - 8, "name",
                    fmt::format("{}", step));
    }
  }

  std::string box(std::size_t core, std::size_t from, std::size_t to) const {
    return fmt::format("M{:.6g} {:.6g}h{:.4g}v{:.4g}h{:.4g}z", left_of(from) + gap() / 2,
                       top_of(core) + 1, static_cast<double>(to - from) * step_width_ - gap(),
                       row_height_ - 2, gap() - static_cast<double>(to - from) * step_width_);
  }

  void draw_core(std::size_t core) {
    const std::vector<const CoreStep*>& row = at_[core];
    const bool is_tall = row_height_ > 12;
    const double middle = top_of(core) + row_height_ / 2 + 4;
    if (is_tall || core % 8 == 0) {
      drawing_.text(kPageMargin + kCoreNames - 8, middle, "name end", fmt::format("core {}", core));
    }
    std::string idle;
    std::size_t busy = 0;
    for (std::size_t step = 0; step < row.size();) {
      // A run: idle steps, or steps of one equation.
      std::size_t next = step + 1;
      while (next < row.size() && is_alike(row[step], row[next])) ++next;
      if (row[step] == nullptr) {
        if (step_width_ < 8) {
          idle += box(core, step, next);
        } else {
          for (std::size_t s = step; s < next; ++s) idle += box(core, s, s + 1);
        }
      } else {
        busy += next - step;
        draw_run(core, step, next);
      }
      step = next;
    }
    if (!idle.empty()) drawing_.line(path("idle", idle));
    if (is_tall) {
      drawing_.text(left_of(steps_) + 8, middle, "small note",
                    fmt::format("{} of {}", busy, steps_));
    }
  }

  bool is_alike(const CoreStep* a, const CoreStep* b) const {
    if (a == nullptr || b == nullptr) return a == b;
    return equation_of_.at(a->target) == equation_of_.at(b->target);
  }

  /// Draws the steps of a core for one equation. Each has a label if there is room, else one label
  /// is for all.
  void draw_run(std::size_t core, std::size_t from, std::size_t to) {
    const Element equation = equation_of_.at(at_[core][from]->target);
    const std::string label = element_name(program_, equation);
    std::string boxes;
    for (std::size_t step = from; step < to; ++step) {
      const CoreStep& s = *at_[core][step];
      boxes += path(
          is_partial(s) ? "part" : "done", box(core, step, step + 1),
          fmt::format("{} = XOR({},{})", name(s.target), name(s.operands[0]), name(s.operands[1])));
    }
    drawing_.line(fmt::format("<g class=\"{}\">{}</g>", ink(inks_[equation]), boxes));
    const double room = static_cast<double>(label.size()) * kSmallLetter + 4;
    const bool is_each = room <= step_width_ - gap();
    const double y = top_of(core) + row_height_ / 2 + 4;
    if (row_height_ <= 12 || room > static_cast<double>(to - from) * step_width_) return;
    for (std::size_t step = from; step < to; ++step) {
      const std::size_t end = is_each ? step + 1 : to;
      const bool is_whole = is_each && !is_partial(*at_[core][step]);
      labels_.line(fmt::format("<text x=\"{:.6g}\" y=\"{}\"{}>{}</text>",
                               (left_of(step) + left_of(end)) / 2, y,
                               is_whole ? " class=\"xl-target\"" : "", label));
      step = end - 1;
    }
  }

  const Program& program_;
  const CoreSchedule& plan_;
  std::size_t steps_;
  std::map<Element, Element> equation_of_;
  std::map<Element, std::size_t> numbers_;  ///< numbers of partial sums
  std::vector<std::size_t> inks_;
  double step_width_;
  double row_height_;
  std::vector<std::vector<const CoreStep*>> at_;  ///< by core and step; null: idle
  Drawing drawing_;
  Drawing labels_;  ///< labels of boxes, drawn over them
};

}  // namespace

Picture draw_gantt(const Program& program, const CoreSchedule& plan) {
  check_most("cores of a plan", plan.cores, kMostGanttCores);
  check_most("XORs of a plan", plan.steps.size(), kMostGanttSteps);
  return Gantt(program, plan).picture();
}

}  // namespace xorloom
