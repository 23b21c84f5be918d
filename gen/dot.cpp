#include "gen/dot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "equations/cost.hpp"

namespace xorloom {

std::string write_dot(const EquationFile& file) {
  const Program& program = file.program;
  std::string dot;
  const auto line = [&]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(dot), format, std::forward<Args>(args)...);
    dot += '\n';
  };
  const auto name = [&](Element element) { return element_name(program, element); };
  line("digraph equations {{");
  line("  label=\"{}: {} equations, {} XORs\";", file.code ? file.code->spec : "equations",
       program.equations.size(), cost(program).xors);
  line("  labelloc=t; rankdir=LR; ranksep=1.2; nodesep=0.12;");
  line("  node [shape=box, fontname=\"sans-serif\", fontsize=10, height=0.25, width=0.4];");
  line("  edge [arrowsize=0.5, color=\"#708090\"];");
  line("  subgraph inputs {{ rank=source; node [style=filled, fillcolor=\"#e8f0fe\"];");
  for (const Element input : program.inputs) line("    \"{}\";", name(input));
  line("  }}");
  line("  subgraph outputs {{ rank=sink; node [style=filled, fillcolor=\"#fdecc8\"];");
  for (const Element output : program.outputs) line("    \"{}\";", name(output));
  line("  }}");
  for (const Equation& equation : program.equations) {
    if (equation.target >= program.first_temporary()) {
      line("  \"{}\" [shape=ellipse];", name(equation.target));
    }
    for (const Element operand : equation.operands) {
      line("  \"{}\" -> \"{}\";", name(operand), name(equation.target));
    }
  }
  line("}}");
  return dot;
}

}  // namespace xorloom
