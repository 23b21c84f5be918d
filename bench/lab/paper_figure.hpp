#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>

#include "bench/lab/paper_cost.hpp"
#include "cli/document/document.hpp"
#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom::cli {

/// The values of m in the figures; each makes a part.
inline constexpr std::array<std::size_t, 3> kPaperParts = {2, 4, 6};

/// Parameters of figure 5; the defaults are the paper's.
struct FigureOptions {
  PaperModel model;
  std::size_t cores = 0;  ///< p; 0: m * w, the number of equations of each part
  double direct_efficiency = kDirectEfficiency;
  double iterative_efficiency = kIterativeEfficiency;
  Effort effort = Effort::kNormal;  ///< effort of the second search; the first is kFast
  std::chrono::seconds budget{5};   ///< for all searches together
};

inline constexpr std::size_t kFigureLargestK = 32;

/// Document of the paper's figure 5, for m = 2, 4 and 6: steps of one XOR per bit of every
/// redundant chunk. It shows the formulas, and equations of cauchy-good that are made until the
/// budget is spent. `done` is called with the number of finished codes. JSON:
/// {"format":"xorloom-paper-figure","version":1,"figure":5,"parts":[…]}.
///
/// Cost: at most the budget; about 2.5 s with kFast.
Document paper_figure(const FigureOptions& options, const std::function<void(std::size_t)>& done);

/// Content of the paper's figure 4: the coprocessor for a code, its cost beside the paper's
/// formula, and the XOR engines of the same section.
struct HardwareFigure {
  PaperModel model;
  Code code;
  Program direct;
  Program shared;
};

/// Document of figure 4. JSON:
/// {"format":"xorloom-paper-figure","version":1,"figure":4,"parts":[…]}.
///
/// Errors: throws kUnsupported if `is_picture` and the code is too large for any picture.
Document hardware_document(const HardwareFigure& figure, bool is_picture);

}  // namespace xorloom::cli
