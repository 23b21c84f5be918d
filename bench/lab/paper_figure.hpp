#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>

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

inline constexpr std::size_t kFigureLargestK = 32;

/// The paper's figure 5, for m = 2, 4 and 6: what coding costs, in steps of one XOR each, for one
/// bit of every redundant chunk. Computes the formulas, and makes equations of cauchy-good until the
/// budget is spent; `done` is told of how many codes. The data of the document are
/// {"format":"xorloom-paper-figure","version":1,"figure":5,"parts":[…]}.
///
/// Cost: the budget, or less. With kFast about 2.5 s.
Document paper_figure(const FigureOptions& options, const std::function<void(std::size_t)>& done);

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
