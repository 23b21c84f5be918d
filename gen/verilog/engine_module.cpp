#include "gen/verilog/engine_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "gen/source/source_comment.hpp"
#include "gen/source/wrap.hpp"
#include "gen/verilog/engine_check.hpp"

namespace xorloom {
namespace {

/// Writes the inside of a module. A value has the name of its element, and behind that the rank of
/// the register that holds it: e5 is computed, e5_1 comes out of rank 1.
class BodyWriter {
 public:
  BodyWriter(const EngineStages& engine, const EnginePorts& ports)
      : engine_(engine),
        program_(engine.program),
        ports_(ports),
        first_(first_stages(engine)),
        last_(last_stages(engine)) {}

  std::string text() {
    write_valid();
    write_inputs();
    for (std::size_t stage = 0; stage <= engine_.ranks; ++stage) {
      if (stage != 0) write_rank(stage);
      write_stage(stage);
    }
    write_outputs();
    return text_;
  }

 private:
  std::string name(Element element) const {
    return element < program_.num_cells() ? fmt::format("e{}", element)
                                          : element_name(program_, element);
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

  /// The bits of an element in its chunk: of all lanes or, on words, of lane i.
  std::string place(const char* port, Element element) const {
    const std::size_t row = element % program_.rows;
    const std::size_t location = element / program_.rows;
    if (ports_.symbol_bits == 1) {
      return fmt::format("{}{}[{}*LANES +: LANES]", port, location, row);
    }
    return fmt::format("{}{}[({}*LANES+i)*{}+{}]", port, location, row / ports_.symbol_bits,
                       ports_.symbol_bits, row % ports_.symbol_bits);
  }

  /// Elements as wires of their own: declared and taken from their chunks, or put there.
  void loop_over_lanes(const char* label, const std::vector<std::string>& lines) {
    text_ += "  generate\n";
    text_ += fmt::format("    for (i = 0; i < LANES; i = i + 1) begin : {}\n", label);
    for (const std::string& line : lines) text_ += "      " + line + "\n";
    text_ += "    end\n  endgenerate\n";
  }

  void write_inputs() {
    std::vector<Element> elements;
    for (const std::size_t location : locations_of(program_, program_.inputs)) {
      for (std::size_t row = 0; row < program_.rows; ++row) {
        elements.push_back(static_cast<Element>(location * program_.rows + row));
      }
    }
    std::vector<std::string> unread{"&{1'b0,", "clk"};
    if (ports_.symbol_bits != 1) {
      std::vector<std::string> names;
      std::vector<std::string> lines;
      for (const Element e : elements) {
        names.push_back(fmt::format("in_e{},", e));
        lines.push_back(fmt::format("assign in_e{}[i] = {};", e, place("in", e)));
      }
      names.back().back() = ';';
      text_ += wrap("  wire [LANES-1:0] ", names, "      ") + "\n  genvar i;\n";
      loop_over_lanes("of_inputs", lines);
    }
    for (const Element e : elements) {
      const bool is_input = std::ranges::find(program_.inputs, e) != program_.inputs.end();
      const bool is_read = is_input && last_[e] != kNone;
      const std::string from = ports_.symbol_bits == 1 ? place("in", e) : fmt::format("in_e{}", e);
      if (is_read) {
        text_ += fmt::format("  wire [LANES-1:0] e{} = {};\n", e, from);
      } else {
        unread.back() += ',';
        unread.push_back(from);
      }
    }
    unread.back() += "};";
    text_ += wrap("  wire unused = ", unread, "      ") + "\n";
  }

  void write_stage(std::size_t stage) {
    for (std::size_t i = 0; i < program_.equations.size(); ++i) {
      if (engine_.stage_of[i] != stage) continue;
      const Equation& equation = program_.equations[i];
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

  void write_outputs() {
    std::vector<std::string> lines;
    for (const std::size_t location : locations_of(program_, program_.outputs)) {
      for (std::size_t row = 0; row < program_.rows; ++row) {
        const auto e = static_cast<Element>(location * program_.rows + row);
        const bool is_output = std::ranges::find(program_.outputs, e) != program_.outputs.end();
        const bool is_packet = ports_.symbol_bits == 1;
        const std::string value = is_output   ? name_in(e, engine_.ranks) + (is_packet ? "" : "[i]")
                                  : is_packet ? "{LANES{1'b0}}"
                                              : "1'b0";
        lines.push_back(fmt::format("assign {} = {};", place("out", e), value));
      }
    }
    text_ += '\n';
    if (ports_.symbol_bits != 1) return loop_over_lanes("of_outputs", lines);
    for (const std::string& line : lines) text_ += "  " + line + "\n";
  }

  const EngineStages& engine_;
  const Program& program_;
  const EnginePorts& ports_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> last_;
  std::string text_;
};

}  // namespace

EnginePorts engine_ports(const Code& code, std::size_t lanes) {
  return {lanes, code.arrangement == Arrangement::kWord ? code.field.w() : 1};
}

std::vector<std::size_t> locations_of(const Program& program,
                                      const std::vector<Element>& elements) {
  std::set<std::size_t> locations;
  for (const Element element : elements) locations.insert(element / program.rows);
  return {locations.begin(), locations.end()};
}

std::string write_engine_body(const EngineStages& engine, const EnginePorts& ports) {
  return BodyWriter(engine, ports).text();
}

std::string write_engine_module(const std::string& name, const EngineStages& engine,
                                const EnginePorts& ports) {
  const Program& program = engine.program;
  std::string text = write_function_comment(program);
  text += fmt::format("module {} #(\n  parameter LANES = {}\n) (\n", name, ports.lanes);
  text += "  input  wire clk,\n  input  wire in_valid,\n";
  for (const std::size_t location : locations_of(program, program.inputs)) {
    text += fmt::format("  input  wire [{}*LANES-1:0] in{},\n", program.rows, location);
  }
  text += "  output wire out_valid";
  for (const std::size_t location : locations_of(program, program.outputs)) {
    text += fmt::format(",\n  output wire [{}*LANES-1:0] out{}", program.rows, location);
  }
  const std::string body = write_engine_body(engine, ports);
  check_engine_body(program, ports, body);
  return text + "\n);\n" + body + "endmodule\n";
}

}  // namespace xorloom
