#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "codes/text/counted.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"

namespace xorloom {
namespace {

/// "0-14,17" or "d6-d8,old15": elements, with runs of consecutive cells abbreviated.
std::string runs(const Program& program, const std::vector<Element>& elements) {
  // (kind, number): the elements of a run are of one kind and have consecutive numbers.
  const auto at = [&](Element element) {
    const VirtualElement* const about = program.virtual_element(element);
    return about == nullptr ? std::pair(-1, element)
                            : std::pair(static_cast<int>(about->kind), about->element);
  };
  std::string text;
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t last = i;
    while (last + 1 < elements.size() &&
           at(elements[last + 1]) ==
               std::pair(at(elements[last]).first, at(elements[last]).second + 1)) {
      ++last;
    }
    if (!text.empty()) text += ',';
    text += element_name(program, elements[i]);
    if (last > i) text += '-' + element_name(program, elements[last]);
    i = last + 1;
  }
  return text;
}

/// Appends a plan as a table of steps by cores, whose entries are the equations worked on.
void append_plan(std::string& text, const Program& program, const CoreSchedule& plan,
                 std::size_t moves) {
  const Element first_partial = program.end_of_elements();
  text += fmt::format("# plan on {}: {}, {}", counted(plan.cores, "core"),
                      counted(makespan(plan), "step"), counted(moves, "move"));
  const std::map<Element, Element> belongs = equations_of_steps(program, plan);
  const auto first = std::ranges::find_if(
      plan.steps, [&](const CoreStep& step) { return step.target >= first_partial; });
  if (first != plan.steps.end()) {
    text += fmt::format("; {0}' is a partial sum of {0}",
                        element_name(program, belongs.at(first->target)));
  }
  text += '\n';
  const auto cell_of = [&](const CoreStep& step) {
    const bool partial = step.target >= first_partial;
    return element_name(program, belongs.at(step.target)) + (partial ? "'" : "");
  };
  std::size_t width = fmt::format("core {}", plan.cores - 1).size();
  for (const CoreStep& step : plan.steps) width = std::max(width, cell_of(step).size());
  text += "# step";
  for (std::size_t core = 0; core < plan.cores; ++core) {
    text += fmt::format("  {:>{}}", fmt::format("core {}", core), width);
  }
  text += '\n';
  // Row by row, since there may be a step per XOR, and thousands of cores.
  for (auto next = plan.steps.begin(); next != plan.steps.end();) {
    const std::size_t step = next->step;
    std::vector<std::string> cells(plan.cores, ".");
    for (; next != plan.steps.end() && next->step == step; ++next) {
      cells[next->core] = cell_of(*next);
    }
    text += fmt::format("# {:>4}", step);
    for (const std::string& cell : cells) text += fmt::format("  {:>{}}", cell, width);
    text += '\n';
  }
}

/// "# gates: 79, of them 12 of 2 inputs, 67 of 3; price 119.2, depth 3".
void append_gates(std::string& text, const GateCount& gates) {
  std::string kinds;
  std::size_t all = 0;
  for (std::size_t inputs = 2; inputs < gates.by_inputs.size(); ++inputs) {
    const std::size_t count = gates.by_inputs[inputs];
    if (count == 0) continue;
    all += count;
    kinds += fmt::format("{}{} of {}{}", kinds.empty() ? "" : ", ", count, inputs,
                         kinds.empty() ? " inputs" : "");
  }
  text += fmt::format("# gates: {}{}{}; price {}, depth {}\n", all, all == 0 ? "" : ", of them ",
                      kinds, static_cast<double>(gates.price) / kPricesOfUnit, gates.depth);
}

void append_reads(std::string& text, const RepairReads& reads) {
  std::string lines = to_string(reads);
  const std::size_t second = lines.find('\n');
  if (second != std::string::npos) lines.replace(second, 1, "\n#        ");
  text += fmt::format("# reads: {}\n", lines);
}

}  // namespace

std::string equation_text(const Program& program, const Equation& equation) {
  std::string text = element_name(program, equation.target);
  text += program.is_xor() ? " = XOR(" : " = SUM(";
  const char* separator = "";
  for (const auto& [element, coefficient] : equation.operands) {
    text += separator;
    if (coefficient != 1) text += fmt::format("{:#x}*", coefficient);
    text += element_name(program, element);
    separator = ",";
  }
  return text + ')';
}

std::string write_text(const EquationFile& file) {
  const Program& program = file.program;
  std::string text;
  if (file.code) text += fmt::format("code:    {}\n", file.code->spec);
  text += fmt::format("style:   {}\n", file.style);
  if (!program.is_xor()) {
    text += fmt::format("field:   w={},poly={:#x}", program.field.w(), program.field.polynomial());
    if (const auto basis = program.field.basis(); !basis.empty()) {
      text += fmt::format(",basis={:#x}", fmt::join(basis, "+"));
    }
    text += '\n';
  }
  text += fmt::format("layout:  {} locations x {} rows\n", program.locations, program.rows);
  text += fmt::format("inputs:  {}\noutputs: {}\n", runs(program, program.inputs),
                      runs(program, program.outputs));
  if (!program.virtuals.empty()) {
    text += "# dN: old XOR new of element N; oldN and newN: what it holds before and after\n";
  }
  text += '\n';
  const std::size_t number_width =
      std::max<std::size_t>(2, fmt::to_string(program.equations.size()).size());
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    text += fmt::format("eq.{:>{}}: {}\n", i + 1, number_width,
                        equation_text(program, program.equations[i]));
  }
  const Cost c = cost(program);
  text += fmt::format("\n# cost: {}, longest equation {}, {} temporar{}\n", work_text(program),
                      c.longest_equation, c.temporaries, c.temporaries == 1 ? "y" : "ies");
  text += fmt::format("# longest path {}, critical path {}\n", c.longest_path, c.critical_path);
  if (file.gates) append_gates(text, *file.gates);
  if (file.plan) append_plan(text, program, *file.plan, file.plan_cost->moves);
  if (file.reads) append_reads(text, *file.reads);
  if (file.proved) {
    text += fmt::format("# proof: symbolic, each output holds as a {} of inputs\n",
                        program.is_xor() ? "set" : "sum");
  }
  return text;
}

}  // namespace xorloom
