#include "gen/verilog/engine_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "gen/text/code_comment.hpp"
#include "gen/text/wrap.hpp"
#include "gen/verilog/engine_check.hpp"
#include "gen/verilog/verilog_names.hpp"

namespace xorloom {
namespace {

/// Writes the inside of a module. A value has the name of its element, and behind that the rank of
/// the register that holds it: e5 is computed, e5_1 comes out of rank 1.
class BodyWriter {
 public:
  BodyWriter(const EngineStages& engine, const EngineForm& form)
      : engine_(engine),
        program_(engine.program),
        form_(form),
        first_(first_stages(engine)),
        last_(last_stages(engine)) {}

  std::string text() {
    write_valid();
    write_functions();
    write_inputs();
    for (std::size_t stage = 0; stage <= engine_.ranks; ++stage) {
      if (stage != 0) write_rank(stage);
      write_stage(stage);
    }
    write_outputs();
    return text_;
  }

 private:
  std::string name(Element element) const { return verilog_name(program_, element); }

  /// Whether an equation of a stage is written as a gate.
  bool is_gate(std::size_t equation, std::size_t stage) const {
    return engine_.stage_of[equation] == stage && !form_.gate.empty() &&
           program_.equations[equation].operands.size() > 1;
  }

  /// What an element is called in a stage.
  std::string name_in(Element element, std::size_t stage) const {
    return stage == first_[element] ? name(element) : fmt::format("{}_{}", name(element), stage);
  }

  void write_valid() {
    text_ += fmt::format("  localparam LATENCY = {};\n", engine_.ranks);
    if (engine_.ranks == 0) {
      text_ += "  wire [LATENCY:0] valid = in_valid;\n";
    } else {
      text_ +=
          "  reg [LATENCY:1] was_valid;\n"
          "  wire [LATENCY:0] valid = {was_valid, in_valid};\n"
          "  always @(posedge clk) was_valid <= valid[LATENCY-1:0];\n";
    }
    text_ += "  assign out_valid = valid[LATENCY];\n\n";
  }

  bool is_on_words() const { return form_.symbol_bits != 1; }

  /// The bits of an element in its chunk.
  std::string taken(Element element) const {
    const std::size_t location = element / program_.rows;
    const std::size_t row = element % program_.rows;
    if (!is_on_words()) return fmt::format("in{}[{}*LANES +: LANES]", location, row);
    const std::size_t bit = row % form_.symbol_bits;
    return row == bit ? fmt::format("plane(in{}, {})", location, bit)
                      : fmt::format("plane(in{}, {}*LANES+{})", location, row - bit, bit);
  }

  /// On words, functions that take the bits of one row out of the symbols of a chunk, and put the
  /// rows of the symbols of a sub-chunk together.
  void write_functions() {
    if (!is_on_words()) return;
    const std::size_t w = form_.symbol_bits;
    std::vector<std::string> inputs;
    std::string lines;
    for (std::size_t bit = 0; bit < w; ++bit) {
      inputs.push_back(fmt::format("b{}{}", bit, bit + 1 < w ? "," : ";"));
      lines += fmt::format("      symbols[i*{}+{}] = b{}[i];\n", w, bit, bit);
    }
    text_ += fmt::format(
                 "  function [LANES-1:0] plane(input [{0}*LANES-1:0] chunk, input integer first);\n"
                 "    integer i;\n"
                 "    for (i = 0; i < LANES; i = i + 1)\n"
                 "      plane[i] = chunk[first + {1}*i];\n"
                 "  endfunction\n"
                 "  function [{1}*LANES-1:0] symbols;\n",
                 program_.rows, w) +
             wrap("    input [LANES-1:0] ", inputs, "        ") +
             "\n    integer i;\n"
             "    for (i = 0; i < LANES; i = i + 1) begin\n" +
             lines + "    end\n  endfunction\n\n";
  }

  void write_inputs() {
    std::vector<std::string> unread{"&{1'b0,", "clk"};
    for (const std::size_t location : locations_of(program_, program_.inputs)) {
      for (std::size_t row = 0; row < program_.rows; ++row) {
        const auto e = static_cast<Element>(location * program_.rows + row);
        const bool is_input = std::ranges::find(program_.inputs, e) != program_.inputs.end();
        if (is_input && last_[e] != kNone) {
          text_ += fmt::format("  wire [LANES-1:0] e{} = {};\n", e, taken(e));
        } else {
          unread.back() += ',';
          unread.push_back(taken(e));
        }
      }
    }
    unread.back() += "};";
    text_ += wrap("  wire unused = ", unread, "      ") + "\n";
  }

  /// "  xl_x_xor3 #(LANES) sum_A (A, e1, e2, e3);"
  void write_gate(const Equation& equation, std::size_t stage) {
    const std::string target = name(equation.target);
    std::vector<std::string> ends{target + ","};
    for (const Element operand : equation.operands) {
      ends.push_back(name_in(operand, stage) + ",");
    }
    ends.back().back() = ')';
    ends.back() += ';';
    text_ +=
        wrap(fmt::format("  {}{} #(LANES) sum_{} (", form_.gate, equation.operands.size(), target),
             ends, "      ") +
        "\n";
  }

  void write_stage(std::size_t stage) {
    std::vector<std::string> made;  // by gates
    for (std::size_t i = 0; i < program_.equations.size(); ++i) {
      if (is_gate(i, stage)) made.push_back(name(program_.equations[i].target) + ",");
    }
    if (!made.empty()) {
      made.back().back() = ';';
      text_ += wrap("  wire [LANES-1:0] ", made, "      ") + "\n";
    }
    for (std::size_t i = 0; i < program_.equations.size(); ++i) {
      if (engine_.stage_of[i] != stage) continue;
      const Equation& equation = program_.equations[i];
      if (is_gate(i, stage)) {
        write_gate(equation, stage);
        continue;
      }
      std::vector<std::string> words;
      for (const Element operand : equation.operands) {
        words.push_back((words.empty() ? "" : "^ ") + name_in(operand, stage));
      }
      if (words.empty()) words.emplace_back("{LANES{1'b0}}");
      words.back() += ';';
      text_ +=
          wrap(fmt::format("  wire [LANES-1:0] {} = ", name(equation.target)), words, "      ");
      text_ += '\n';
    }
  }

  /// The registers between the stage before and this one.
  void write_rank(std::size_t stage) {
    std::vector<std::string> names;
    std::vector<std::string> takes;
    for (Element e = 0; e < last_.size(); ++e) {
      if (last_[e] == kNone || first_[e] >= stage || last_[e] < stage) continue;
      names.push_back(name_in(e, stage) + ",");
      takes.push_back(fmt::format("{} <= {};", name_in(e, stage), name_in(e, stage - 1)));
    }
    text_ += fmt::format("\n  // Rank {}.\n", stage);
    if (names.empty()) return;
    names.back().back() = ';';
    text_ += wrap("  reg [LANES-1:0] ", names, "      ") + "\n";
    text_ += "  always @(posedge clk) begin\n" + wrap("    ", takes, "    ") + "\n  end\n";
  }

  /// What an element of an output chunk is: a value, or 0 if it is not computed.
  std::string put(std::size_t location, std::size_t row) const {
    const auto e = static_cast<Element>(location * program_.rows + row);
    const bool is_output = std::ranges::find(program_.outputs, e) != program_.outputs.end();
    return is_output ? name_in(e, engine_.ranks) : "{LANES{1'b0}}";
  }

  void write_outputs() {
    text_ += '\n';
    for (const std::size_t location : locations_of(program_, program_.outputs)) {
      for (std::size_t row = 0; row < program_.rows; row += form_.symbol_bits) {
        std::vector<std::string> values;
        for (std::size_t bit = 0; bit < form_.symbol_bits; ++bit) {
          values.push_back(put(location, row + bit) + ",");
        }
        values.back().back() = is_on_words() ? ')' : ';';
        if (is_on_words()) values.back() += ';';
        const std::string call = is_on_words() ? "symbols(" : "";
        text_ += wrap(fmt::format("  assign out{}[{}*LANES +: {}LANES] = {}", location, row,
                                  is_on_words() ? fmt::format("{}*", form_.symbol_bits) : "", call),
                      values, "      ") +
                 "\n";
      }
    }
  }

  const EngineStages& engine_;
  const Program& program_;
  const EngineForm& form_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> last_;
  std::string text_;
};

}  // namespace

std::vector<std::size_t> locations_of(const Program& program,
                                      const std::vector<Element>& elements) {
  std::set<std::size_t> locations;
  for (const Element element : elements) locations.insert(element / program.rows);
  return {locations.begin(), locations.end()};
}

std::string write_engine_body(const EngineStages& engine, const EngineForm& form) {
  return BodyWriter(engine, form).text();
}

std::string write_engine_module(const std::string& name, const EngineStages& engine,
                                const EngineForm& form) {
  const Program& program = engine.program;
  std::string text = write_function_comment(program);
  if (!form.gate.empty() || engine.ranks != 0) {
    const EngineSize size = engine_size(engine);
    text += verilog_comment({fmt::format(
        "{} sums of at most {} values, {} levels deep{}.", size.gates, size.most_inputs, size.depth,
        engine.ranks == 0 ? ""
                          : fmt::format("; registers for {} values in {} rank{}", size.registers,
                                        engine.ranks, engine.ranks == 1 ? "" : "s"))});
  }
  text += fmt::format("module {} #(\n  parameter LANES = {}\n) (\n", name, form.lanes);
  text += "  input  wire clk,\n  input  wire in_valid,\n";
  for (const std::size_t location : locations_of(program, program.inputs)) {
    text += fmt::format("  input  wire [{}*LANES-1:0] in{},\n", program.rows, location);
  }
  text += "  output wire out_valid";
  for (const std::size_t location : locations_of(program, program.outputs)) {
    text += fmt::format(",\n  output wire [{}*LANES-1:0] out{}", program.rows, location);
  }
  const std::string body = write_engine_body(engine, form);
  check_engine_body(program, form, body);
  return text + "\n);\n" + body + "endmodule\n";
}

std::string write_gates(std::span<const EngineStages> engines, const EngineForm& form) {
  std::set<std::size_t> sizes;
  for (const EngineStages& engine : engines) {
    for (const Equation& equation : engine.program.equations) {
      if (equation.operands.size() > 1) sizes.insert(equation.operands.size());
    }
  }
  std::string text;
  for (const std::size_t size : sizes) {
    std::string ports;
    std::string sum;
    for (std::size_t i = 0; i < size; ++i) {
      const char name = static_cast<char>('a' + i);
      ports += fmt::format("  input  wire [LANES-1:0] {}{}\n", name, i + 1 < size ? "," : "");
      sum += fmt::format("{}{}", i == 0 ? "" : " ^ ", name);
    }
    text += fmt::format(
        "\n(* keep_hierarchy = \"yes\" *)\n"
        "module {}{} #(\n  parameter LANES = 1\n) (\n  output wire [LANES-1:0] y,\n{});\n"
        "  assign y = {};\nendmodule\n",
        form.gate, size, ports, sum);
  }
  return text;
}

}  // namespace xorloom
