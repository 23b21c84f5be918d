#pragma once

#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/models/paper_cost.hpp"

namespace xorloom::cli {

/// The paper's figure 4, the coprocessor, for a code, and what it costs beside the paper's formula;
/// and the XOR engines of the same section.
struct HardwareFigure {
  PaperModel model;
  Code code;
  Program direct;
  Program shared;
};

/// The code of the paper's worked example.
inline constexpr const char* kPaperCode = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb";

/// In 80 columns.
std::string hardware_figure_table(const HardwareFigure& figure);

/// {"format":"xorloom-paper-figure","version":1,"figure":4,"parts":[…]}.
std::string hardware_figure_json(const HardwareFigure& figure);

/// One page with a picture of the coprocessor and of the engines, which loads nothing.
std::string hardware_figure_html(const HardwareFigure& figure);

/// The pictures alone, each below the one before.
std::string hardware_figure_svg(const HardwareFigure& figure);

}  // namespace xorloom::cli
