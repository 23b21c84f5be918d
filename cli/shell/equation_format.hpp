#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "equations/files/equation_file.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// Adds --format for printed equations: text, json, svg or dot.
void add_equation_format(Command& command, std::string& format);

/// Throws kInvalidArgument if `format` cannot show a plan for `cores` cores (0: no plan). A front
/// as SVG shows no plans, so any number of cores is accepted.
void check_equation_format(const std::string& format, std::size_t cores, bool is_front);

/// A point of a front, the trade-off of steps against XORs.
struct FrontPoint {
  std::size_t steps;  ///< or levels
  std::size_t xors;
};

/// Steps and XORs of each set of equations; levels of XORs in place of steps if it has no plan.
std::vector<FrontPoint> front_points(std::span<const EquationFile> front);

/// Chart of XORs over steps. Shape: at least one point, by ascending steps.
Picture front_chart(std::string title, std::span<const FrontPoint> points, ChartSize size,
                    const std::string& unit = "steps");

/// Writes one set of equations or, if `is_front`, a front in `format`.
///
/// A front is, as text, a table of its sets and then each set; as JSON, an object with all sets; as
/// SVG, front_chart(). One set as SVG is the graph of its equations, with pictures of its plan
/// below it.
///
/// Shape:  at least one set.
/// Errors: throws kInvalidArgument if the format is dot and there is a front, or if it is svg and
///         its sets have no plans for the same number of cores.
std::string in_format(std::span<const EquationFile> files, bool is_front,
                      const std::string& format);

}  // namespace xorloom::cli
