#include "equations/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codes/error.hpp"
#include "codes/families.hpp"
#include "equations/cost.hpp"

namespace xorloom {
namespace {

/// "0-14,17": elements with runs of consecutive ones written short.
std::string runs(const std::vector<Element>& elements) {
  std::string text;
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t last = i;
    while (last + 1 < elements.size() && elements[last + 1] == elements[last] + 1) ++last;
    text += text.empty() ? "" : ",";
    text += last > i ? fmt::format("{}-{}", elements[i], elements[last])
                     : fmt::format("{}", elements[i]);
    i = last + 1;
  }
  return text;
}

/// Which equation each step of a plan works on: a table of steps by cores.
void append_plan(std::string& text, const Program& program, const CorePlan& plan) {
  const auto out = std::back_inserter(text);
  const Element first_partial = program.end_of_elements();
  fmt::format_to(out, "# plan on {} cores: {} steps, {} moves", plan.cores, makespan(plan),
                 moves(program, plan));
  const bool has_partial = std::ranges::any_of(
      plan.steps, [&](const CoreStep& step) { return step.target >= first_partial; });
  if (has_partial) fmt::format_to(out, "; {0}' is a partial sum of {0}", program.outputs.front());
  text += '\n';
  // A partial sum belongs to the equation it ends up in; steps come in order, so look from the end.
  std::map<Element, Element> belongs;
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    const auto owner = belongs.emplace(step->target, step->target).first->second;
    for (const Element operand : step->operands) {
      if (operand >= first_partial) belongs[operand] = owner;
    }
  }
  std::vector<std::vector<std::string>> cells(makespan(plan), std::vector<std::string>(plan.cores));
  std::size_t width = fmt::formatted_size("core {}", plan.cores - 1);
  for (const CoreStep& step : plan.steps) {
    const bool partial = step.target >= first_partial;
    std::string& cell = cells[step.step][step.core];
    cell = element_name(program, belongs[step.target]) + (partial ? "'" : "");
    width = std::max(width, cell.size());
  }
  text += "# step";
  for (std::size_t core = 0; core < plan.cores; ++core) {
    fmt::format_to(out, "  {:>{}}", fmt::format("core {}", core), width);
  }
  text += '\n';
  for (std::size_t step = 0; step < cells.size(); ++step) {
    fmt::format_to(out, "# {:>4}", step);
    for (const std::string& cell : cells[step]) {
      fmt::format_to(out, "  {:>{}}", cell.empty() ? "." : cell, width);
    }
    text += '\n';
  }
}

/// A name as it stands in the text; which element it is depends on the layout.
struct Name {
  bool temporary;
  std::size_t number;
  auto operator<=>(const Name&) const = default;
};

struct NamedEquation {
  Name target;
  std::vector<Name> operands;
};

/// One line after the other, with what is left of the present one.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : rest_(text), number_(number) { skip_spaces(); }

  [[noreturn]] void bad(const std::string& sentence) const {
    fail(Status::kParse, fmt::format("line {}: {}", number_, sentence));
  }
  std::string_view rest() const { return rest_; }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_spaces();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) bad(fmt::format("expected '{}' before '{}'", token, rest_.substr(0, 30)));
  }
  bool at_digit() const {
    return !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0;
  }
  std::size_t number() {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value >= kMaxElements) {
      bad(fmt::format("'{}' is not a number below {}", rest_.substr(0, 30), kMaxElements));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip_spaces();
    return value;
  }
  Name name() {
    if (at_digit()) return {false, number()};
    if (rest_.size() >= 2 && rest_[0] == 'T' && rest_[1] >= '0' && rest_[1] <= '9') {
      rest_.remove_prefix(1);
      return {true, number()};
    }
    if (rest_.empty() || rest_.front() < 'A' || rest_.front() > 'Z') {
      bad(fmt::format("'{}' is no element: those are numbers, A to Z, T26, T27, …",
                      rest_.substr(0, 30)));
    }
    const auto letter = static_cast<std::size_t>(rest_.front() - 'A');
    rest_.remove_prefix(1);
    skip_spaces();
    return {true, letter};
  }
  void expect_end() const {
    if (!rest_.empty()) bad(fmt::format("'{}' is left over", rest_.substr(0, 30)));
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
  std::size_t number_;
};

NamedEquation parse_equation(Line& line) {
  if (line.take("eq")) {  // "eq. 1:", and as the paper has it, "eq:11:"
    if (!line.take(".")) line.expect(":");
    line.number();
    line.expect(":");
  }
  NamedEquation equation{line.name(), {}};
  line.expect("=");
  line.expect("XOR");
  line.expect("(");
  if (!line.take(")")) {
    do {
      equation.operands.push_back(line.name());
    } while (line.take(","));
    line.expect(")");
  }
  line.expect_end();
  return equation;
}

std::vector<Element> parse_runs(Line& line) {
  std::vector<Element> elements;
  if (line.rest().empty()) return elements;
  do {
    const std::size_t first = line.number();
    const std::size_t last = line.take("-") ? line.number() : first;
    if (last < first) line.bad(fmt::format("the run {}-{} goes down", first, last));
    if (elements.size() + (last - first) >= kMaxElements) {
      line.bad(fmt::format("more than {} elements are listed", kMaxElements));
    }
    for (std::size_t e = first; e <= last; ++e) elements.push_back(static_cast<Element>(e));
  } while (line.take(","));
  line.expect_end();
  return elements;
}

struct Parsed {
  EquationFile file;
  std::optional<Code> code;  // the one the file names
  bool has_layout = false;
  bool has_style = false;
  std::optional<std::vector<Element>> inputs;
  std::optional<std::vector<Element>> outputs;
  std::vector<NamedEquation> equations;

  void parse_line(Line& line) {
    if (line.take("code:")) {
      code = make_code(line.rest(), {.packet_bytes = 0, .allow_non_mds = true});
      file.code = EquationFile::CodeName{code->family, code->spec, code->k, code->m, code->w};
    } else if (line.take("style:")) {
      file.style = line.rest();
      has_style = true;
      if (file.style != "direct" && file.style != "iterative") {
        line.bad(fmt::format("style '{}' is not direct or iterative", file.style));
      }
    } else if (line.take("layout:")) {
      file.program.locations = line.number();
      line.expect("locations");
      line.expect("x");
      file.program.rows = line.number();
      line.expect("rows");
      line.expect_end();
      has_layout = true;
    } else if (line.take("inputs:")) {
      inputs = parse_runs(line);
    } else if (line.take("outputs:")) {
      outputs = parse_runs(line);
    } else {
      equations.push_back(parse_equation(line));
    }
  }
};

}  // namespace

std::string write_text(const EquationFile& file) {
  const Program& program = file.program;
  std::string text;
  const auto out = std::back_inserter(text);
  if (file.code) fmt::format_to(out, "code:    {}\n", file.code->spec);
  fmt::format_to(out, "style:   {}\n", file.style);
  fmt::format_to(out, "layout:  {} locations x {} rows\n", program.locations, program.rows);
  fmt::format_to(out, "inputs:  {}\noutputs: {}\n\n", runs(program.inputs), runs(program.outputs));
  const std::size_t number_width =
      std::max<std::size_t>(2, fmt::formatted_size("{}", program.equations.size()));
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    fmt::format_to(out, "eq.{:>{}}: {} = XOR(", i + 1, number_width,
                   element_name(program, equation.target));
    const char* separator = "";
    for (const Element operand : equation.operands) {
      fmt::format_to(out, "{}{}", separator, element_name(program, operand));
      separator = ",";
    }
    text += ")\n";
  }
  const Cost c = cost(program);
  fmt::format_to(out, "\n# cost: {} XORs, longest equation {}, {} temporar{}\n", c.xors,
                 c.longest_equation, c.temporaries, c.temporaries == 1 ? "y" : "ies");
  fmt::format_to(out, "# longest path {}, critical path {}\n", c.longest_path, c.critical_path);
  if (file.plan) append_plan(text, program, *file.plan);
  if (file.proved) text += "# proof: symbolic, each output holds as a set of inputs\n";
  return text;
}

EquationFile parse_text(std::string_view text, const Code* code) {
  Parsed parsed;
  std::size_t line_number = 0;
  while (!text.empty()) {
    std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), content.size() + 1));
    ++line_number;
    const std::size_t last = content.find_last_not_of(" \t\r");
    content = content.substr(0, last == std::string_view::npos ? 0 : last + 1);
    Line line(content, line_number);
    if (line.rest().empty() || line.rest().front() == '#') continue;
    parsed.parse_line(line);
  }

  Program& program = parsed.file.program;
  if (parsed.code) code = &*parsed.code;
  std::set<Name> assigned;
  std::set<Name> read;
  std::size_t cells = 0;
  for (const NamedEquation& equation : parsed.equations) {
    assigned.insert(equation.target);
    read.insert(equation.operands.begin(), equation.operands.end());
    for (const Name& operand : equation.operands) {
      if (!operand.temporary) cells = std::max(cells, operand.number + 1);
    }
    if (!equation.target.temporary) cells = std::max(cells, equation.target.number + 1);
  }
  if (!parsed.has_layout) {
    program.locations = code != nullptr ? code->locations : cells;
    program.rows = code != nullptr ? code->rows() : 1;
  }
  check_size(program);
  if (cells > program.first_temporary()) {
    fail(Status::kParse,
         fmt::format("element {} is not one of the {} cells of {} locations of {} rows", cells - 1,
                     program.first_temporary(), program.locations, program.rows));
  }
  const auto element = [&](const Name& name) {
    return static_cast<Element>(name.number) + (name.temporary ? program.first_temporary() : 0);
  };
  for (const NamedEquation& named : parsed.equations) {
    Equation equation{element(named.target), {}};
    for (const Name& operand : named.operands) equation.operands.push_back(element(operand));
    program.equations.push_back(std::move(equation));
  }
  if (parsed.inputs) {
    program.inputs = *std::move(parsed.inputs);
  } else {
    for (const Name& name : read) {
      if (!name.temporary && !assigned.contains(name)) program.inputs.push_back(element(name));
    }
  }
  if (parsed.outputs) {
    program.outputs = *std::move(parsed.outputs);
  } else {
    bool assigns_data = false;
    for (const Name& name : assigned) {
      if (name.temporary) continue;
      program.outputs.push_back(element(name));
      if (code != nullptr) {
        const auto cell = static_cast<Cell>(element(name) / code->field.w());
        assigns_data = assigns_data || code->role(cell) == Role::kData;
      }
    }
    if (code != nullptr && !assigns_data) program.outputs = elements_of(*code, code->redundant);
  }
  if (!parsed.has_style && std::ranges::any_of(assigned, &Name::temporary)) {
    parsed.file.style = "iterative";
  }
  return std::move(parsed.file);
}

}  // namespace xorloom
