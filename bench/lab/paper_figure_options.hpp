#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/report/paper_figure.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/search.hpp"

namespace xorloom::cli {

/// The parameters of the paper's model as they were given.
struct GivenFigure {
  std::optional<double> factor;
  std::optional<double> slower_clock;
  std::vector<double> efficiencies;
  std::size_t symbol_bits = PaperModel{}.symbol_bits;
  std::size_t multiplier_side = PaperModel{}.multiplier_side;
};

/// --factor, --symbol-bits, --efficiency, --slower-clock and --multipliers.
void add_figure_options(Command& command, GivenFigure& given);

/// The figure that is asked for: p is the one number of --cores, and --seconds the budget.
///
/// Errors: throws kInvalidArgument for several numbers of cores, and for --effort max.
FigureOptions figure_options(const GivenFigure& given, const std::vector<std::size_t>& cores,
                             const SearchOptions& search);

/// Throws kInvalidArgument if an option is given that the figure, 4 or 5, does not take or, without
/// a figure, one of its own.
void check_figure_options(const Command& command, const std::string& figure);

}  // namespace xorloom::cli
