#include "gen/pictures/dot.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "equations/ir/cost.hpp"

namespace xorloom {
namespace {

/// Colors of edges, one per equation in turn, so that its operands can be followed.
constexpr std::array kCoreColors = {"#1b6ca8", "#c2571a", "#3c8d40", "#a3333d",
                                    "#6a4c93", "#8a6d1f", "#2a8c8c", "#555555"};

}  // namespace

std::string write_dot(const EquationFile& file) {
  const Program& program = file.program;
  std::string dot;
  const auto line = [&]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    dot += fmt::format(format, std::forward<Args>(args)...);
    dot += '\n';
  };
  const auto name = [&](Element element) { return element_name(program, element); };
  line("digraph equations {{");
  line("  label=\"{}: {}, {}\";", file.code ? file.code->spec : "equations",
       counted(program.equations.size(), "equation"), work_text(program));
  line("  labelloc=t; rankdir=LR; ranksep=2.5; nodesep=0.12; fontname=\"sans-serif\";");
  line("  node [shape=box, fontname=\"sans-serif\", fontsize=10, height=0.25, width=0.4];");
  line("  edge [arrowsize=0.5];");
  // Invisible edges within a rank keep its cells in the order of their numbers.
  const auto column = [&](const char* rank, const char* color, const std::vector<Element>& cells) {
    line("  {{ rank={}; node [style=filled, fillcolor=\"{}\"]; edge [style=invis];", rank, color);
    for (const Element cell : cells) line("    \"{}\";", name(cell));
    for (std::size_t i = 1; i < cells.size(); ++i) {
      line("    \"{}\" -> \"{}\";", name(cells[i - 1]), name(cells[i]));
    }
    line("  }}");
  };
  column("source", "#e8f0fe", program.inputs);
  column("sink", "#fdecc8", program.outputs);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    if (equation.target >= program.first_temporary()) {
      line("  \"{}\" [shape=ellipse];", name(equation.target));
    }
    for (const auto& [operand, coefficient] : equation.operands) {
      const std::string label =
          coefficient == 1 ? "" : fmt::format(", label=\"{:#x}\", fontsize=8", coefficient);
      line("  \"{}\" -> \"{}\" [color=\"{}\"{}];", name(operand), name(equation.target),
           kCoreColors[i % kCoreColors.size()], label);
    }
  }
  line("}}");
  return dot;
}

}  // namespace xorloom
