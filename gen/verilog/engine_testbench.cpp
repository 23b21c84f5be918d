#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "equations/ir/random.hpp"
#include "gen/verilog/engine.hpp"
#include "gen/verilog/verilog_bench.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kTestStripes = 64;  ///< their numbers have 6 bits

/// Assigns the bits of a port for each location in turn, as hexadecimal words of 64 bits, the
/// highest first: "{8'h12, 64'h0123456789abcdef};". Elements that are not computed are 0.
std::string port_bits(const std::string& head, const Program& program,
                      const std::vector<Element>& elements, const BenchStripes& stripe,
                      const EngineForm& form, bool is_output) {
  std::vector<Field::Symbol> bits;
  const std::size_t side = form.symbol_bits;
  for (const std::size_t location : locations_of(program, elements)) {
    for (std::size_t cell = 0; cell < program.rows / side; ++cell) {
      for (std::size_t lane = 0; lane < form.lanes; ++lane) {
        for (std::size_t bit = 0; bit < side; ++bit) {
          const auto e = static_cast<Element>(location * program.rows + cell * side + bit);
          const bool is_there = !is_output || std::ranges::find(elements, e) != elements.end();
          bits.push_back(is_there && stripe.bit(e, lane) ? 1 : 0);
        }
      }
    }
  }
  std::vector<std::string> words;
  const std::string digits = hexadecimal(bits, 1);
  std::size_t end = bits.size() % 64 == 0 ? 64 : bits.size() % 64;  // bits of the next word
  for (std::size_t at = 0; at < digits.size(); end = 64) {
    const std::size_t count = (end + 3) / 4;
    words.push_back(fmt::format("{}'h{}", end, digits.substr(at, count)));
    at += count;
  }
  return verilog_list(head + " = {", std::move(words), "};");
}

/// Assigns stripes of a code with random data, as the ports of an engine have them.
std::string stripes_text(const Code& code, const Program& program, const EngineForm& form) {
  const LinearMap map = encoding_map(code);
  Random random(1);
  std::string text;
  for (std::size_t i = 0; i < kTestStripes; ++i) {
    BenchStripes stripe(code, form.lanes);
    for (std::vector<std::uint8_t>& chunk : stripe.chunks()) {
      for (std::uint8_t& byte : chunk) byte = static_cast<std::uint8_t>(random() & 0xffU);
    }
    stripe.compute(map);
    text +=
        port_bits(fmt::format("    inputs[{}]", i), program, program.inputs, stripe, form, false);
    text +=
        port_bits(fmt::format("    results[{}]", i), program, program.outputs, stripe, form, true);
  }
  return text;
}

constexpr std::string_view kEngineCheck = R"(module @module@_check (
  input wire clk,
  input wire [20:0] random,  // names three stripes, and says whether they are valid
  input wire is_first,       // random is the number of one stripe
  output reg is_wrong
);
  localparam LATENCY = @latency@;
  localparam IN = @in@;
  localparam OUT = @out@;

  reg [IN-1:0] inputs [0:@last@];
  reg [OUT-1:0] results [0:@last@];
  initial begin
@stripes@  end

  wire [5:0] a = random[5:0];
  wire [5:0] b = random[11:6];
  wire [5:0] c = random[17:12];
  reg in_valid;
  reg [IN-1:0] in;
  reg [OUT-1:0] wanted [0:LATENCY];
  reg [LATENCY:0] is_valid;
  reg [LATENCY:0] is_known;
  wire out_valid;
  wire [OUT-1:0] out;
@engine@
  integer i;
  initial begin
    is_wrong = 1'b0;
    is_known = 0;
  end
  always @(posedge clk) begin
    in <= is_first ? inputs[a] : inputs[a] ^ inputs[b] ^ inputs[c];
    wanted[0] <= is_first ? results[a] : results[a] ^ results[b] ^ results[c];
    in_valid <= is_first || random[20:18] != 0;
    is_valid[0] <= is_first || random[20:18] != 0;
    is_known[0] <= 1'b1;
    for (i = 1; i <= LATENCY; i = i + 1) begin
      wanted[i] <= wanted[i-1];
      is_valid[i] <= is_valid[i-1];
      is_known[i] <= is_known[i-1];
    end
    if (is_known[LATENCY] && !is_wrong) begin
@comparison@    end
  end
endmodule

)";

/// Module that checks one engine.
std::string checker(const Code& code, const WrittenEngine& engine, const EngineForm& form) {
  const Program& program = engine.stages.program;
  const std::vector<std::size_t> in = locations_of(program, program.inputs);
  const std::vector<std::size_t> out = locations_of(program, program.outputs);
  const std::size_t chunk = program.rows * form.lanes;
  std::vector<std::string> connections{".clk(clk)", ".in_valid(in_valid)"};
  const auto connect = [&](const char* port, const std::vector<std::size_t>& locations) {
    for (std::size_t i = 0; i < locations.size(); ++i) {
      connections.push_back(
          fmt::format(".{0}{1}({0}[{2}:{3}])", port, locations[i], (i + 1) * chunk - 1, i * chunk));
    }
  };
  connect("in", in);
  connections.emplace_back(".out_valid(out_valid)");
  connect("out", out);
  return filled(kEngineCheck, {{"module", engine.module},
                               {"comparison", bench_comparison(engine.module, "is_valid")},
                               {"latency", engine.stages.ranks},
                               {"in", in.size() * chunk},
                               {"out", out.size() * chunk},
                               {"last", kTestStripes - 1},
                               {"stripes", stripes_text(code, program, form)},
                               {"engine", verilog_list(fmt::format("  {} engine (", engine.module),
                                                       std::move(connections), ");")}});
}

}  // namespace

std::string write_engine_testbench(const std::string& name, const Code& code,
                                   std::span<const WrittenEngine> engines, const EngineForm& form) {
  std::string text =
      testbench_head(fmt::format("A testbench of XOR engines, generated by xorloom emit: "
                                 "Verilog-2005. It feeds a stripe per clock to each engine, and "
                                 "compares what comes out with results that are the redundancy and "
                                 "data of stripes of the code. It ends with PASS and $finish, or "
                                 "at the first wrong bit with FAIL and $stop. For {}.",
                                 counted(form.lanes, "lane")),
                     name, "ENGINES.v") +
      kVerilogPragma + "\n";
  std::string checks;
  std::size_t latency = 0;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    text += checker(code, engines[i], form);
    checks += fmt::format(
        "  {}_check check_{} (\n"
        "      .clk(clk), .random(random[20:0]), .is_first(count < {}), "
        ".is_wrong(is_wrong[{}]));\n",
        engines[i].module, i, kTestStripes, i);
    latency = std::max(latency, engines[i].stages.ranks);
  }
  return text + filled(kCheckingBench,
                       {{"name", name},
                        {"clocks", "1000  // with some clocks more until the last is out"},
                        {"latency", latency},
                        {"count", "count"},
                        {"last", engines.size() - 1},
                        {"checks", checks},
                        {"seed", "0"},
                        {"becomes", "<="},
                        {"xorshift", xorshift_wires("first", "second", "third")},
                        {"next",
                         fmt::format("count + 1 < {0} ? count + 1 : count + 1 == {0} ? {1} : third",
                                     kTestStripes, kBenchSeed)},
                        {"end", "CLOCKS + LATENCY + 2"}});
}

}  // namespace xorloom
