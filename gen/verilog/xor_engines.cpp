#include "gen/verilog/xor_engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/drop_equations.hpp"
#include "gen/text/code_comment.hpp"
#include "gen/verilog/verilog_bench.hpp"
#include "gen/verilog/verilog_reader.hpp"

namespace xorloom {
namespace {

/// By element: its position in the stream; kNone if it is no input.
std::vector<std::size_t> places_of_inputs(const Program& program) {
  std::vector<std::size_t> places(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) places[program.inputs[i]] = i;
  return places;
}

/// Reads a body, from "initial begin" to the last assignment.
class StreamReader : VerilogReader {
 public:
  explicit StreamReader(const XorEngines& engines)
      : VerilogReader(engines.program),
        program_(engines.program),
        taken_(engines.equations.size()) {}

  void read_all(std::string_view body) {
    read(body);
    engines();
    while (take_word("wire")) {
      expect("[LANES-1:0]");
      const std::string name(word());
      expect("=");
      assign(name, sum(kZeroBits));
      expect(";");
    }
    outputs();
    if (!is_at_end()) bad_here("there is more");
    compare(program_);
  }

 private:
  void engines() {
    scan("initial begin");
    for (std::size_t column = 0; column < program_.inputs.size(); ++column) {
      const std::vector<std::size_t> numbers = scan("takes[%] = %'b");
      const std::string_view bits = word();
      if (numbers[0] != column) bad_here("an element is another");
      if (numbers[1] != taken_.size() || bits.size() != taken_.size()) {
        bad_here("another number of engines");
      }
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if (bits[bits.size() - 1 - i] == '1') taken_[i].emplace_back(program_.inputs[column]);
      }
      expect(";");
    }
    expect("end");
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      std::ranges::sort(taken_[i]);
      assign(fmt::format("sums[{}*LANES+:LANES]", i), taken_[i]);
    }
  }

  void outputs() {
    scan("always @(posedge clk) if (valid[2] && ends[2]) out <= {");
    for (std::size_t i = program_.outputs.size(); i-- > 0;) {
      put(program_.outputs[i], value());
      expect(i == 0 ? "};" : ",");
    }
  }

  const Program& program_;
  std::vector<std::vector<Operand>> taken_;  ///< by engine: the inputs that it takes
};

constexpr std::string_view kStreamModule = R"(module @module@ #(
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

std::string module_text(const XorEngines& engines, std::size_t lanes) {
  const std::string body = write_xor_engines_body(engines);
  check_xor_engines_body(engines, body);
  const std::size_t elements = engines.program.inputs.size();
  const std::size_t bits = bits_below(elements);
  return write_function_comment(engines.program) +
         filled(kStreamModule, {{"module", engines.module},
                                {"lanes", lanes},
                                {"outputs", engines.program.outputs.size()},
                                {"latency", kXorEnginesLatency},
                                {"elements", elements},
                                {"engines", engines.equations.size()},
                                {"high", bits - 1},
                                {"zero", verilog_number(bits, 0)},
                                {"one", verilog_number(bits, 1)},
                                {"last", verilog_number(bits, elements - 1)}}) +
         body + "endmodule\n";
}

std::string stream_comment(const Code& code) {
  return design_head(
             "XOR engines for erasure coding, one per equation, generated by xorloom emit: "
             "Verilog-2005 that needs no library. The code:",
             code) +
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

/// Outputs for each single input: it is 1, and all others are 0.
std::string results_of_units(const Program& program) {
  const BitMatrix matrix = evaluate_symbolically(program);
  std::string text;
  for (std::size_t i = 0; i < matrix.columns(); ++i) {
    std::string bits;
    for (std::size_t o = matrix.rows(); o-- > 0;) bits += matrix(o, i) ? '1' : '0';
    text += fmt::format("    results[{}] = {}'b{};\n", i, bits.size(), bits);
  }
  return text;
}

constexpr std::string_view kStreamCheck = R"(
module @module@_check (
  input  wire clk,
  input  wire reset,
  input  wire [31:0] random,
  output reg  is_wrong
);
  localparam LANES = @lanes@;
  localparam LATENCY = @latency@;
  localparam ELEMENTS = @elements@;
  localparam OUTPUTS = @outputs@;

  // What the outputs are where one element is 1.
  reg [OUTPUTS-1:0] results [0:ELEMENTS-1];
  initial begin
@content@    is_wrong = 1'b0;
  end

  reg in_valid;
  reg [LANES-1:0] in;
  wire out_valid;
  wire [OUTPUTS*LANES-1:0] out;
  @module@ #(.LANES(LANES)) engines (
      .clk(clk), .reset(reset), .in_valid(in_valid), .in(in), .out_valid(out_valid), .out(out));

  wire [(LANES+31)/32*32-1:0] bits = {((LANES+31)/32){random}};
  reg [31:0] element;
  reg [OUTPUTS*LANES-1:0] sum;
  wire [OUTPUTS*LANES-1:0] next;
  reg [LATENCY:1] is_due;
  reg [OUTPUTS*LANES-1:0] wanted [1:LATENCY];
  integer n;
  genvar i;
  generate
    for (i = 0; i < OUTPUTS; i = i + 1) begin : output_of
      assign next[i*LANES +: LANES] = (element == 0 ? {LANES{1'b0}} : sum[i*LANES +: LANES])
                                      ^ (in & {LANES{results[element][i]}});
    end
  endgenerate
  always @(posedge clk) begin
    in_valid <= !reset && random[31:29] != 0;
    in <= bits[LANES-1:0];
    if (reset) begin
      element <= 0;
      is_due <= {LATENCY{1'b0}};
    end else begin
      if (in_valid) begin
        element <= element == ELEMENTS - 1 ? 0 : element + 1;
        sum <= next;
      end
      is_due <= {is_due[LATENCY-1:1], in_valid && element == ELEMENTS - 1};
      wanted[1] <= next;
      for (n = 2; n <= LATENCY; n = n + 1) wanted[n] <= wanted[n-1];
@comparison@    end
  end
endmodule
)";

/// A testbench that checks engines clock by clock.
///
/// It holds the outputs for each single element, and adds them up for the random elements that it
/// streams, which suffices because engines are linear. Now and then in_valid is 0. At the first
/// wrong bit, or if results come at another clock, it says FAIL and stops by $stop; else it says
/// PASS, and ends by $finish. Parameter CLOCKS is the number of clocks.
std::string stream_testbench(const std::string& name, std::span<const XorEngines> engines,
                             std::size_t lanes) {
  std::string text = testbench_head(
      "A testbench of XOR engines, generated by xorloom emit: Verilog-2005. It streams random "
      "elements, and compares what comes out, and when, with results that were computed from the "
      "matrix of the code. It ends with PASS and $finish, or at the first wrong bit with FAIL and "
      "$stop.",
      name, "DESIGN.v");
  text += "\n/* verilator lint_off WIDTH */";
  std::string checks;
  std::size_t clocks = 1000;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    const Program& program = engines[i].program;
    clocks = std::max(clocks, 10 * program.inputs.size());
    checks += fmt::format(
        "  {0}_check check_{1} (\n"
        "      .clk(clk), .reset(clocks < 2), .random(random), .is_wrong(is_wrong[{1}]));\n",
        engines[i].module, i);
    text += filled(kStreamCheck, {{"module", engines[i].module},
                                  {"comparison", bench_comparison(engines[i].module, "is_due")},
                                  {"lanes", lanes},
                                  {"latency", kXorEnginesLatency},
                                  {"elements", program.inputs.size()},
                                  {"outputs", program.outputs.size()},
                                  {"content", results_of_units(program)}});
  }
  return text + "\n" +
         filled(kCheckingBench, {{"name", name},
                                 {"clocks", clocks},
                                 {"latency", ""},
                                 {"count", "clocks"},
                                 {"last", engines.size() - 1},
                                 {"checks", checks},
                                 {"seed", kBenchSeed},
                                 {"becomes", "="},
                                 {"xorshift", xorshift_wires("one", "two", "three")},
                                 {"next", "three"},
                                 {"end", "CLOCKS + 2"}});
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
    fail(Status::kUnsupported, "the equations have {} {}, and XOR engines may have from 1 to {}",
         number, what, most);
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
  // By input: a bit for each engine that takes it, the last engine first.
  std::vector<std::string> takers(program.inputs.size(),
                                  std::string(engines.equations.size(), '0'));
  std::string wires;
  std::size_t engine = 0;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const Equation& equation = program.equations[i];
    std::vector<std::string> terms;
    const bool has_engine = engine < takers[0].size() && engines.equations[engine] == i;
    if (has_engine) terms.push_back(fmt::format("sums[{}*LANES +: LANES]", engine++));
    for (const Element operand : equation.operands) {
      if (places[operand] == kNone) {
        terms.push_back(verilog_name(program, operand));
      } else {
        takers[places[operand]][takers[0].size() - engine] = '1';
      }
    }
    wires += verilog_sum("  wire [LANES-1:0] " + verilog_name(program, equation.target), terms,
                         kZeroBits, "      ");
  }
  std::string text = "  initial begin\n";
  for (std::size_t i = 0; i < takers.size(); ++i) {
    text += fmt::format("    takes[{}] = {}'b{};\n", i, takers[i].size(), takers[i]);
  }
  std::vector<std::string> outputs;
  for (const Element output : program.outputs) outputs.push_back(verilog_name(program, output));
  std::ranges::reverse(outputs);
  return text + "  end\n\n" + wires +
         verilog_list("  always @(posedge clk) if (valid[2] && ends[2]) out <= {",
                      std::move(outputs), "};");
}

void check_xor_engines_body(const XorEngines& engines, std::string_view body) {
  StreamReader(engines).read_all(body);
}

VerilogText write_xor_engines_unit(const StreamRequest& request) {
  const std::string prefix = verilog_prefix(request.code, request.name);
  VerilogText text{stream_comment(request.code), ""};
  std::vector<XorEngines> all;
  for (const NamedProgram& named : request.programs) {
    const XorEngines& engines =
        all.emplace_back(xor_engines(prefix + "_" + named.name, named.program));
    if (all.size() > 1) text.design += '\n';
    const std::size_t gates = num_gates(engines);
    text.design += verilog_comment({fmt::format(
        "{}, {} per stripe of elements {}.{}", counted(engines.equations.size(), "engine"),
        counted(engines.program.inputs.size(), "clock"), runs_text(engines.program.inputs, ", "),
        gates == 0 ? "" : fmt::format(" {} XOR gates per lane share sums.", gates))});
    text.design += "//\n" + module_text(engines, request.lanes);
  }
  text.testbench = stream_testbench(prefix + "_testbench", all, request.lanes);
  return text;
}

}  // namespace xorloom
