#include "gen/verilog/xor_engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/drop_equations.hpp"
#include "gen/source/layout_comment.hpp"
#include "gen/source/source_comment.hpp"
#include "gen/source/source_tokens.hpp"
#include "gen/source/wrap.hpp"
#include "gen/verilog/verilog_names.hpp"
#include "gen/verilog/verilog_template.hpp"
#include "gen/verilog/xor_engines_testbench.hpp"

namespace xorloom {
namespace {

/// The place of each input in the stream; kNone for other elements.
std::vector<std::size_t> places_of_inputs(const Program& program) {
  std::vector<std::size_t> places(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) places[program.inputs[i]] = i;
  return places;
}

/// Which engines take each element, by element.
std::vector<std::vector<std::size_t>> takers_of(const XorEngines& engines) {
  const std::vector<std::size_t> places = places_of_inputs(engines.program);
  std::vector<std::vector<std::size_t>> takers(engines.program.inputs.size());
  for (std::size_t i = 0; i < engines.equations.size(); ++i) {
    for (const Element operand : engines.program.equations[engines.equations[i]].operands) {
      if (places[operand] != kNone) takers[places[operand]].push_back(i);
    }
  }
  return takers;
}

/// Reads what stands between "initial begin" and the last assignment.
class EnginesReader : SourceTokens {
 public:
  EnginesReader(const XorEngines& engines, std::string_view body)
      : program_(engines.program),
        columns_(engines.program.inputs.size()),
        sums_(engines.equations.size(), columns_) {
    read(body);
    takes();
    while (take_word("wire")) value();
    outputs();
    if (!is_at_end()) bad_here("there is more");
  }

 private:
  void takes() {
    expect("initial begin");
    for (std::size_t column = 0; column < columns_; ++column) {
      expect("takes[");
      if (number() != column) bad_here("an element is another");
      expect("] =");
      if (number() != sums_.rows()) bad_here("another number of engines");
      expect("'b");
      const std::string_view bits = word();
      if (bits.size() != sums_.rows()) bad_here("another number of engines");
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if (bits[bits.size() - 1 - i] == '1') sums_.flip(i, column);
      }
      expect(";");
    }
    expect("end");
  }

  /// "[LANES-1:0] name = sums[i*LANES +: LANES] ^ other;"
  void value() {
    expect("[LANES-1:0]");
    const std::string name(word());
    expect("=");
    BitMatrix row(1, columns_);
    if (!take("{LANES{1'b0}}")) {
      do add_operand(row);
      while (take("^"));
    }
    expect(";");
    if (!values_.emplace(name, std::move(row)).second) bad_here(name + " is declared twice");
  }

  void add_operand(BitMatrix& row) {
    if (take("sums[")) {
      const std::size_t engine = number();
      expect("*LANES +: LANES]");
      if (engine >= sums_.rows()) bad_here("there is no such engine");
      row.add_row(0, sums_.row(engine));
      return;
    }
    const auto found = values_.find(std::string(word()));
    if (found == values_.end()) bad_here("a value is not known");
    row.add_row(0, found->second.row(0));
  }

  void outputs() {
    const BitMatrix wanted = evaluate_symbolically(program_);
    expect("always @(posedge clk) if (valid[2] && ends[2]) out <= {");
    for (std::size_t i = program_.outputs.size(); i-- > 0;) {
      const auto found = values_.find(std::string(word()));
      if (found == values_.end()) bad_here("an output is not known");
      if (!std::ranges::equal(found->second.row(0), wanted.row(i))) {
        bad_here(fmt::format("output {} is another sum", i));
      }
      expect(i == 0 ? "};" : ",");
    }
  }

  const Program& program_;
  std::size_t columns_;
  BitMatrix sums_;
  std::map<std::string, BitMatrix> values_;
};

std::string module_text(const XorEngines& engines, std::size_t lanes) {
  constexpr std::string_view kModule = R"(module @module@ #(
  parameter LANES = @lanes@
) (
  input  wire clk,
  input  wire reset,
  input  wire in_valid,
  input  wire [LANES-1:0] in,
  output reg  out_valid,
  output reg  [@outputs@*LANES-1:0] out
);
  localparam LATENCY = @latency@;
  localparam ELEMENTS = @elements@;  // of a stripe
  localparam ENGINES = @engines@;

  // Stage 0 holds an element, stage 1 what the engines take of it. Bit i belongs to stage i.
  reg [LATENCY-2:0] valid;
  reg [1:0] begins;
  reg [LATENCY-2:0] ends;
  reg [@high@:0] next;  // element of the stripe
  reg [@high@:0] element;
  reg [LANES-1:0] data_0;
  reg [LANES-1:0] data_1;
  always @(posedge clk) begin
    if (reset) begin
      valid <= {(LATENCY-1){1'b0}};
      out_valid <= 1'b0;
      next <= @zero@;
    end else begin
      valid <= {valid[LATENCY-3:0], in_valid};
      out_valid <= valid[LATENCY-2] && ends[LATENCY-2];
      if (in_valid) next <= next == @last@ ? @zero@ : next + @one@;
    end
    begins <= {begins[0], next == @zero@};
    ends <= {ends[LATENCY-3:0], next == @last@};
    element <= next;
    data_0 <= in;
    data_1 <= data_0;
  end

  // takes[i] says which engines take element i of the stream.
  reg [ENGINES-1:0] takes [0:ELEMENTS-1];
  reg [ENGINES-1:0] takes_1;
  always @(posedge clk) takes_1 <= takes[element];

  // The engines: each is a sum, and one XOR gate per lane.
  reg [ENGINES*LANES-1:0] sums;
  genvar i;
  generate
    for (i = 0; i < ENGINES; i = i + 1) begin : engine
      always @(posedge clk)
        if (valid[1])
          sums[i*LANES +: LANES] <= (begins[1] ? {LANES{1'b0}} : sums[i*LANES +: LANES])
                                    ^ (data_1 & {LANES{takes_1[i]}});
    end
  endgenerate

)";
  const std::string body = write_xor_engines_body(engines);
  check_xor_engines_body(engines, body);
  const std::size_t elements = engines.program.inputs.size();
  const std::size_t bits = bits_below(elements);
  return write_function_comment(engines.program) +
         filled(kModule, {{"module", engines.module},
                          {"lanes", std::to_string(lanes)},
                          {"outputs", std::to_string(engines.program.outputs.size())},
                          {"latency", std::to_string(kXorEnginesLatency)},
                          {"elements", std::to_string(elements)},
                          {"engines", std::to_string(engines.equations.size())},
                          {"high", std::to_string(bits - 1)},
                          {"zero", verilog_number(bits, 0)},
                          {"one", verilog_number(bits, 1)},
                          {"last", verilog_number(bits, elements - 1)}}) +
         body + "endmodule\n";
}

std::string file_comment(const VerilogRequest& request) {
  const Code& code = request.code;
  return verilog_comment({"XOR engines for erasure coding, one per equation, generated by xorloom "
                          "emit: Verilog-2005 that needs no library. The code:"}) +
         "//\n" + verilog_spec(code) + "//\n" +
         verilog_comment(
             {fmt::format(
                  "The elements of a stripe come one after the other, one per clock where in_valid "
                  "is 1: LANES bits each. Element N is row N % R of chunk N / R, with R = {}. out "
                  "has the elements that are computed, the first in the lowest bits.",
                  code.rows()),
              fmt::format("out_valid is 1 where the last element of a stripe was taken LATENCY = "
                          "{} rising edges of clk before. out stays until the next stripe is out. "
                          "After reset comes the first element of a stripe.",
                          kXorEnginesLatency)}) +
         "\n";
}

}  // namespace

XorEngines xor_engines(std::string module, const Program& program) {
  check_engine_program(program);
  XorEngines engines{std::move(module), drop_unread(program), {}};
  const std::vector<std::size_t> places = places_of_inputs(engines.program);
  for (std::size_t i = 0; i < engines.program.equations.size(); ++i) {
    const auto& operands = engines.program.equations[i].operands;
    const bool reads_input =
        std::ranges::any_of(operands, [&](Element e) { return places[e] != kNone; });
    if (reads_input) engines.equations.push_back(i);
  }
  const auto check = [](const char* what, std::size_t number, std::size_t most) {
    if (number <= most && number > 0) return;
    fail(Status::kUnsupported, fmt::format("the equations have {} {}, and XOR engines may have "
                                           "from 1 to {}",
                                           number, what, most));
  };
  check("equations that read inputs", engines.equations.size(), kMostXorEngines);
  check("inputs", engines.program.inputs.size(), kMostStreamed);
  return engines;
}

std::size_t num_gates(const XorEngines& engines) {
  const std::vector<std::size_t> places = places_of_inputs(engines.program);
  std::size_t gates = 0;
  for (const Equation& equation : engines.program.equations) {
    const auto is_input = [&](Element e) { return places[e] != kNone; };
    const auto inputs = std::ranges::count_if(equation.operands, is_input);
    const std::size_t others = equation.operands.size() - static_cast<std::size_t>(inputs);
    if (others > 0) gates += inputs > 0 ? others : others - 1;
  }
  return gates;
}

std::string write_xor_engines_body(const XorEngines& engines) {
  const Program& program = engines.program;
  const std::vector<std::size_t> places = places_of_inputs(program);
  std::string text = "  initial begin\n";
  const auto takers = takers_of(engines);
  for (std::size_t i = 0; i < takers.size(); ++i) {
    std::string bits(engines.equations.size(), '0');
    for (const std::size_t engine : takers[i]) bits[bits.size() - 1 - engine] = '1';
    text += fmt::format("    takes[{}] = {}'b{};\n", i, bits.size(), bits);
  }
  text += "  end\n\n";
  std::size_t engine = 0;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    std::vector<std::string> words;
    const auto add = [&](const std::string& word) {
      words.push_back((words.empty() ? "" : "^ ") + word);
    };
    if (engine < engines.equations.size() && engines.equations[engine] == i) {
      add(fmt::format("sums[{}*LANES +: LANES]", engine++));
    }
    for (const Element operand : equation.operands) {
      if (places[operand] == kNone) add(verilog_name(program, operand));
    }
    if (words.empty()) words.emplace_back("{LANES{1'b0}}");
    words.back() += ';';
    text += wrap(fmt::format("  wire [LANES-1:0] {} = ", verilog_name(program, equation.target)),
                 words, "      ") +
            "\n";
  }
  std::vector<std::string> outputs;
  for (std::size_t i = program.outputs.size(); i-- > 0;) {
    outputs.push_back(verilog_name(program, program.outputs[i]) + (i == 0 ? "};" : ","));
  }
  return text +
         wrap("  always @(posedge clk) if (valid[2] && ends[2]) out <= {", outputs, "      ") +
         "\n";
}

void check_xor_engines_body(const XorEngines& engines, std::string_view body) {
  EnginesReader(engines, body);
}

VerilogText write_xor_engines_unit(const VerilogRequest& request) {
  const std::string prefix = verilog_prefix(request.code, request.name);
  VerilogText text{file_comment(request), ""};
  std::vector<XorEngines> all;
  for (const NamedProgram& named : request.programs) {
    const XorEngines& engines =
        all.emplace_back(xor_engines(prefix + "_" + named.name, named.program));
    if (all.size() > 1) text.design += '\n';
    const std::size_t gates = num_gates(engines);
    text.design += verilog_comment({fmt::format(
        "{}, {} per stripe of elements {}.{}", plural(engines.equations.size(), "engine"),
        plural(engines.program.inputs.size(), "clock"), runs_text(engines.program.inputs, ", "),
        gates == 0 ? "" : fmt::format(" {} XOR gates per lane share sums.", gates))});
    text.design += "//\n" + module_text(engines, request.lanes);
  }
  text.testbench = write_xor_engines_testbench(prefix + "_testbench", all, request.lanes);
  return text;
}

}  // namespace xorloom
