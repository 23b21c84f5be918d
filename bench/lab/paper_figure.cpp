#include "cli/report/paper_figure.hpp"

#include <fmt/format.h>

#include <array>

#include "codes/families/families.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {
namespace {

class Making {
 public:
  Making(PaperFigure& figure, const std::function<void(std::size_t)>& done)
      : figure_(figure),
        done_(done),
        end_(std::chrono::steady_clock::now() + figure.options.budget) {}

  void formulas() {
    const FigureOptions& options = figure_.options;
    const PaperModel& model = options.model;
    for (const std::size_t m : kPaperParts) {
      const std::size_t cores = options.cores != 0 ? options.cores : m * model.symbol_bits;
      FigurePart& part = figure_.parts.emplace_back(FigurePart{m, cores, {}});
      for (std::size_t k = 1; k <= kFigureLargestK; ++k) {
        FigurePoint& point = part.points.emplace_back();
        point.k = k;
        point.optimal = optimal_cost(k, m);
        point.cauchy = cauchy_cost(k, m, model);
        point.classical = classical_cost(k, m, model);
        point.direct_on_cores = cauchy_cost_on_cores(k, m, cores, options.direct_efficiency, model);
        point.iterative_on_cores =
            cauchy_cost_on_cores(k, m, cores, options.iterative_efficiency, model);
        point.fpga = fpga_cost(k, m, model);
        point.measured_fpga = measured_fpga_cost(k, m, model);
      }
    }
  }

  void equations() {
    const Effort effort = figure_.options.effort;
    figure_.shared =
        for_all_codes([&](const Program& direct, FigurePart& part, FigurePoint& point) {
          point.made_direct = of_a_row(xors(direct));
          point.made_direct_on_cores = of_a_row(makespan(schedule_on_cores(direct, part.cores)));
          ++figure_.codes;
          return share(direct, Effort::kFast, part, point);
        });
    figure_.searched = figure_.shared;
    if (effort == Effort::kFast) return;
    figure_.searched =
        for_all_codes([&](const Program& direct, FigurePart& part, FigurePoint& point) {
          return share(direct, effort, part, point);
        });
  }

 private:
  bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

  double of_a_row(std::size_t steps) const {
    return static_cast<double>(steps) / static_cast<double>(figure_.options.model.symbol_bits);
  }

  /// The codes for which `make` came to its end.
  std::size_t for_all_codes(
      const std::function<bool(const Program&, FigurePart&, FigurePoint&)>& make) {
    const std::size_t w = figure_.options.model.symbol_bits;
    std::size_t finished = 0;
    for (FigurePart& part : figure_.parts) {
      for (FigurePoint& point : part.points) {
        if (point.k + part.m > std::size_t{1} << w) continue;
        const Code code = make_code(fmt::format("cauchy-good:k={},m={},w={}", point.k, part.m, w));
        if (make(direct_program(code, Request{}), part, point)) ++finished;
        done_(finished);
      }
    }
    return finished;
  }

  /// False if the budget is over, and then what was found until then is taken if it is better.
  bool share(const Program& direct, Effort effort, const FigurePart& part, FigurePoint& point) {
    if (is_over()) return false;
    Search search;
    search.effort = effort;
    search.stop_requested = [this] { return is_over(); };
    keep_less(point.made_iterative, xors(optimize(direct, search)));
    keep_less(point.made_iterative_on_cores,
              makespan(tailor_to_cores(direct, part.cores, search).plan));
    return !is_over();
  }

  void keep_less(std::optional<double>& kept, std::size_t steps) const {
    if (!kept || of_a_row(steps) < *kept) kept = of_a_row(steps);
  }

  PaperFigure& figure_;
  const std::function<void(std::size_t)>& done_;
  const std::chrono::steady_clock::time_point end_;
};

}  // namespace

PaperFigure paper_figure(const FigureOptions& options,
                         const std::function<void(std::size_t)>& done) {
  PaperFigure figure{options};
  Making making(figure, done);
  making.formulas();
  making.equations();
  return figure;
}

}  // namespace xorloom::cli
