#include "gen/verilog/engine_testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "equations/ir/oracle.hpp"
#include "equations/ir/random.hpp"
#include "gen/text/wrap.hpp"
#include "gen/verilog/verilog_names.hpp"
#include "gen/verilog/verilog_template.hpp"

namespace xorloom {
namespace {

/// The bits of some locations side by side, the lowest first, as hexadecimal words of 64.
class BenchBits {
 public:
  void add(bool bit) {
    if (size_ % 64 == 0) words_.push_back(0);
    if (bit) words_.back() |= std::uint64_t{1} << (size_ % 64);
    ++size_;
  }

  /// "{8'h12, 64'h0123456789abcdef}": the highest word first.
  std::string text(std::string_view head, std::string_view tail) const {
    std::vector<std::string> parts;
    for (std::size_t i = words_.size(); i-- > 0;) {
      const std::size_t bits = i + 1 == words_.size() ? size_ - 64 * i : 64;
      parts.push_back(fmt::format("{}{}'h{:0{}x}{}", parts.empty() ? "{" : "", bits, words_[i],
                                  (bits + 3) / 4, i == 0 ? "}" : ","));
    }
    parts.back() += tail;
    return wrap(head, parts, "      ") + "\n";
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

/// A stripe of a code with random data, whose redundancy the oracle computes.
///
/// Shape: a chunk is a super-block of R packets, of which a lane is a bit.
class TestStripe {
 public:
  TestStripe(const Code& code, const BitMatrix& matrix, std::size_t lanes, Random& random)
      : rows_(code.rows()), packet_bytes_((lanes + 63) / 64 * 8) {
    const std::size_t chunk_bytes = rows_ * packet_bytes_;
    chunks_.assign(code.locations, std::vector<std::uint8_t>(chunk_bytes));
    std::vector<std::uint8_t*> pointers;
    for (std::vector<std::uint8_t>& chunk : chunks_) {
      for (std::uint8_t& byte : chunk) byte = static_cast<std::uint8_t>(random() & 0xffU);
      pointers.push_back(chunk.data());
    }
    oracle_packets(matrix, elements_of(code, code.data), elements_of(code, code.redundant), rows_,
                   packet_bytes_, pointers.data(), chunk_bytes);
  }

  bool bit(Element element, std::size_t lane) const {
    const std::size_t byte = element % rows_ * packet_bytes_ + lane / 8;
    return (chunks_[element / rows_][byte] >> (lane % 8) & 1U) != 0;
  }

 private:
  std::size_t rows_;
  std::size_t packet_bytes_;
  std::vector<std::vector<std::uint8_t>> chunks_;
};

/// The bits of a port for each location in turn: of the stripe, or 0 where an element is not among
/// those that are computed.
void add_ports(BenchBits& bits, const Program& program, const std::vector<Element>& elements,
               const TestStripe& stripe, const EngineForm& form, bool is_output) {
  const std::size_t side = form.symbol_bits;
  for (const std::size_t location : locations_of(program, elements)) {
    for (std::size_t cell = 0; cell < program.rows / side; ++cell) {
      for (std::size_t lane = 0; lane < form.lanes; ++lane) {
        for (std::size_t bit = 0; bit < side; ++bit) {
          const auto e = static_cast<Element>(location * program.rows + cell * side + bit);
          const bool is_there = !is_output || std::ranges::find(elements, e) != elements.end();
          bits.add(is_there && stripe.bit(e, lane));
        }
      }
    }
  }
}

static_assert(kTestStripes == 64);  // their numbers have 6 bits

/// What checks one engine.
std::string checker(const Code& code, const TestedEngine& engine, const EngineForm& form) {
  const Program& program = engine.program;
  const std::vector<std::size_t> in = locations_of(program, program.inputs);
  const std::vector<std::size_t> out = locations_of(program, program.outputs);
  const std::size_t chunk = program.rows * form.lanes;
  std::string text = fmt::format(
      "module {0}_check (\n"
      "  input wire clk,\n"
      "  input wire [20:0] random,  // names three stripes, and says whether they are valid\n"
      "  input wire is_first,       // random is the number of one stripe\n"
      "  output reg is_wrong\n"
      ");\n"
      "  localparam LATENCY = {1};\n"
      "  localparam IN = {2};\n"
      "  localparam OUT = {3};\n\n",
      engine.module, engine.latency, in.size() * chunk, out.size() * chunk);
  text += fmt::format("  reg [IN-1:0] inputs [0:{0}];\n  reg [OUT-1:0] results [0:{0}];\n",
                      kTestStripes - 1);
  text += "  initial begin\n";
  const BitMatrix matrix = bitmatrix(code);
  Random random(1);
  for (std::size_t i = 0; i < kTestStripes; ++i) {
    const TestStripe stripe(code, matrix, form.lanes, random);
    BenchBits inputs;
    BenchBits results;
    add_ports(inputs, program, program.inputs, stripe, form, false);
    add_ports(results, program, program.outputs, stripe, form, true);
    text += inputs.text(fmt::format("    inputs[{}] = ", i), ";");
    text += results.text(fmt::format("    results[{}] = ", i), ";");
  }
  text +=
      "  end\n\n"
      "  wire [5:0] a = random[5:0];\n"
      "  wire [5:0] b = random[11:6];\n"
      "  wire [5:0] c = random[17:12];\n"
      "  reg in_valid;\n"
      "  reg [IN-1:0] in;\n"
      "  reg [OUT-1:0] wanted [0:LATENCY];\n"
      "  reg [LATENCY:0] is_valid;\n"
      "  reg [LATENCY:0] is_known;\n"
      "  wire out_valid;\n"
      "  wire [OUT-1:0] out;\n";
  std::vector<std::string> connections{".clk(clk),", ".in_valid(in_valid),"};
  for (std::size_t i = 0; i < in.size(); ++i) {
    connections.push_back(fmt::format(".in{}(in[{}:{}]),", in[i], (i + 1) * chunk - 1, i * chunk));
  }
  connections.emplace_back(".out_valid(out_valid),");
  for (std::size_t i = 0; i < out.size(); ++i) {
    connections.push_back(
        fmt::format(".out{}(out[{}:{}]),", out[i], (i + 1) * chunk - 1, i * chunk));
  }
  connections.back().pop_back();
  connections.back() += ");";
  text += wrap(fmt::format("  {} engine (", engine.module), connections, "      ") + "\n\n";
  text += fmt::format(
      "  integer i;\n"
      "  initial begin\n"
      "    is_wrong = 1'b0;\n"
      "    is_known = 0;\n"
      "  end\n"
      "  always @(posedge clk) begin\n"
      "    in <= is_first ? inputs[a] : inputs[a] ^ inputs[b] ^ inputs[c];\n"
      "    wanted[0] <= is_first ? results[a] : results[a] ^ results[b] ^ results[c];\n"
      "    in_valid <= is_first || random[20:18] != 0;\n"
      "    is_valid[0] <= is_first || random[20:18] != 0;\n"
      "    is_known[0] <= 1'b1;\n"
      "    for (i = 1; i <= LATENCY; i = i + 1) begin\n"
      "      wanted[i] <= wanted[i-1];\n"
      "      is_valid[i] <= is_valid[i-1];\n"
      "      is_known[i] <= is_known[i-1];\n"
      "    end\n"
      "    if (is_known[LATENCY] && !is_wrong) begin\n"
      "      if (out_valid !== is_valid[LATENCY]) begin\n"
      "        $display(\"FAIL: {0}: out_valid is %b\", out_valid);\n"
      "        is_wrong <= 1'b1;\n"
      "      end else if (out_valid && out !== wanted[LATENCY]) begin\n"
      "        $display(\"FAIL: {0}: out is %h\", out);\n"
      "        $display(\"      instead of %h\", wanted[LATENCY]);\n"
      "        is_wrong <= 1'b1;\n"
      "      end\n"
      "    end\n"
      "  end\n"
      "endmodule\n\n",
      engine.module);
  return text;
}

}  // namespace

std::string write_engine_testbench(const std::string& name, const Code& code,
                                   std::span<const TestedEngine> engines, const EngineForm& form) {
  std::string text = verilog_comment({fmt::format(
      "A testbench of XOR engines, generated by xorloom emit: Verilog-2005. It feeds "
      "a stripe per clock to each engine, and compares what comes out with results "
      "that are the redundancy and data of stripes of the code. It ends with PASS and $finish, "
      "or at the first wrong bit with FAIL and $stop. For {} lanes.",
      form.lanes)});
  text += verilog_run(name, "ENGINES.v") + kVerilogPragma + "\n";
  for (const TestedEngine& engine : engines) text += checker(code, engine, form);
  text += fmt::format(
      "module {} #(\n  parameter CLOCKS = 1000  // with some clocks more until the last is "
      "out\n);\n"
      "  localparam LATENCY = {};\n"
      "  reg clk;\n"
      "  reg [31:0] count;\n"
      "  reg [31:0] random;\n"
      "  wire [{}:0] is_wrong;\n",
      name, std::ranges::max(engines, {}, &TestedEngine::latency).latency, engines.size() - 1);
  for (std::size_t i = 0; i < engines.size(); ++i) {
    text += fmt::format(
        "  {}_check check_{} (\n"
        "      .clk(clk), .random(random[20:0]), .is_first(count < {}), "
        ".is_wrong(is_wrong[{}]));\n",
        engines[i].module, i, kTestStripes, i);
  }
  text +=
      "  initial begin\n"
      "    clk = 1'b0;\n"
      "    count = 0;\n"
      "    random = 0;\n"
      "  end\n"
      "  always #5 clk <= !clk;\n";
  text += xorshift_wires("first", "second", "third");
  text += fmt::format(
      "  always @(posedge clk) begin\n"
      "    count <= count + 1;\n"
      "    random <= count + 1 < {0} ? count + 1 : count + 1 == {0} ? 32'h2545f491 : third;\n"
      "    if (is_wrong != 0) $stop;\n"
      "    else if (count == CLOCKS + LATENCY + 2) begin\n"
      "      $display(\"PASS: %0d clocks\", CLOCKS);\n"
      "      $finish;\n"
      "    end\n"
      "  end\n"
      "endmodule\n",
      kTestStripes);
  return text;
}

}  // namespace xorloom
