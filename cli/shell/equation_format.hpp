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

/// --format of commands that print equations: text, json, svg or dot.
void add_equation_format(Command& command, std::string& format);

/// Throws kInvalidArgument if the format has no place for the plan that cores other than 0 add, or
/// for that many of them; of a front plans are not shown as SVG.
void check_equation_format(const std::string& format, std::size_t cores, bool is_front);

/// A set of equations and its plan: the fewer steps, the more XORs.
struct FrontPoint {
  std::size_t steps;
  std::size_t xors;
};

/// Those of sets of equations. Shape: each has a plan.
std::vector<FrontPoint> front_points(std::span<const EquationFile> front);

/// The XORs of a front over its steps. Shape: at least one point, by steps.
Picture front_chart(std::string title, std::span<const FrontPoint> points, ChartSize size);

/// Equations in one of these: a single set or, if it is asked for, a front. That is as text a table
/// of its sets and then one after the other, as JSON an object that holds them, as SVG front_chart.
/// One set is as SVG the graph of its equations, and below it the pictures of its plan, if it has
/// one.
///
/// Shape: at least one set, each of a front with a plan for the same cores.
std::string in_format(std::span<const EquationFile> files, bool is_front,
                      const std::string& format);

}  // namespace xorloom::cli
