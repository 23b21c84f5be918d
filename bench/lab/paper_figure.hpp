#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "cli/document/document.hpp"
#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/models/paper_cost.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom::cli {

/// The parts of the figures: m = 2, 4 and 6.
inline constexpr std::array<std::size_t, 3> kPaperParts = {2, 4, 6};

/// What the figure is of; the defaults are the paper's.
struct FigureOptions {
  PaperModel model;
  std::size_t cores = 0;  ///< p; 0: m·w of each part, as many as there are equations
  double direct_efficiency = kDirectEfficiency;
  double iterative_efficiency = kIterativeEfficiency;
  Effort effort = Effort::kNormal;  ///< of the searches: kFast for all codes first, then this
  std::chrono::seconds budget{5};   ///< of all searches together
};

/// What coding costs at one point of the paper's figure 5: steps of one XOR each, for one bit of
/// every redundant chunk. The first six are its formulas, the seventh is without a term that the
/// coprocessor does not need, and the others are what equations of cauchy-good really take: their
/// XORs over w, and their steps on the cores over w.
struct FigurePoint {
  std::size_t k = 0;
  double optimal = 0;
  double cauchy = 0;
  double classical = 0;
  double direct_on_cores = 0;
  double iterative_on_cores = 0;
  double fpga = 0;
  double measured_fpga = 0;             ///< as the coprocessor of xorloom emit takes it
  std::optional<double> made_direct{};  ///< these four: none where there is no code of that k, m, w
  std::optional<double> made_direct_on_cores{};
  std::optional<double> made_iterative{};  ///< these two: nor where the budget was spent
  std::optional<double> made_iterative_on_cores{};
};

/// The curves for one m.
struct FigurePart {
  std::size_t m;
  std::size_t cores;
  std::vector<FigurePoint> points;  ///< k = 1 … 32
};

inline constexpr std::size_t kFigureLargestK = 32;

/// The paper's figure 5, for m = 2, 4 and 6.
struct PaperFigure {
  FigureOptions options;
  std::vector<FigurePart> parts{};
  std::size_t codes = 0;     ///< with equations: at most 96
  std::size_t shared = 0;    ///< of them, those that have iterative ones
  std::size_t searched = 0;  ///< of them, those whose search of the effort came to its end
};

/// Computes the formulas, and makes equations until the budget is spent; `done` is told of how many
/// codes.
///
/// Cost: the budget, or less. With kFast about 2.5 s.
PaperFigure paper_figure(const FigureOptions& options,
                         const std::function<void(std::size_t)>& done);

/// The figure: its data are {"format":"xorloom-paper-figure","version":1,"figure":5,"parts":[…]}.
Document figure_document(const PaperFigure& figure);

/// The paper's figure 4, the coprocessor, for a code, and what it costs beside the paper's formula;
/// and the XOR engines of the same section.
struct HardwareFigure {
  PaperModel model;
  Code code;
  Program direct;
  Program shared;
};

/// The figure: its data are {"format":"xorloom-paper-figure","version":1,"figure":4,"parts":[…]}.
///
/// Errors: throws kUnsupported if `is_picture` and there is no room for one of the code.
Document hardware_document(const HardwareFigure& figure, bool is_picture);

}  // namespace xorloom::cli
