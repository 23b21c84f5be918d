#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "equations/models/paper_cost.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom::cli {

/// What coding costs at one point of the paper's figure 5: steps of one XOR each, for one bit of
/// every redundant chunk. The first six are its formulas, the others what equations of cauchy-good
/// really take: their XORs over w, and their steps on m·w cores over w.
struct FigurePoint {
  std::size_t k;
  double optimal;
  double cauchy;
  double classical;
  double direct_on_cores;     ///< with an efficiency of 0.93
  double iterative_on_cores;  ///< with one of 1.07
  double fpga;
  double made_direct;
  double made_iterative;
  double made_direct_on_cores;
  double made_iterative_on_cores;
};

/// The curves for one m.
struct FigurePart {
  std::size_t m;
  std::vector<FigurePoint> points;  ///< k = 1 … 32
};

inline constexpr std::size_t kFigureLargestK = 32;

/// The paper's figure 5 for m = 2, 4 and 6, with F = 2.5 and w = 8.
///
/// Cost: two searches of the effort for each of 96 codes; `done` is told how many codes are done.
std::vector<FigurePart> paper_figure(Effort effort, const std::function<void(std::size_t)>& done);
inline constexpr std::size_t kFigureCodes = 96;

/// In 80 columns.
std::string figure_table(const std::vector<FigurePart>& parts);

/// {"format":"xorloom-paper-figure","version":1,"figure":5,"parts":[…]}.
std::string figure_json(const std::vector<FigurePart>& parts);

/// One page with a chart for each m, which loads nothing.
std::string figure_html(const std::vector<FigurePart>& parts);

}  // namespace xorloom::cli
