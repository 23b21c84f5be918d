#include "gen/verilog/verilog_bench.hpp"

#include <fmt/format.h>

#include "equations/ir/oracle.hpp"
#include "gen/verilog/verilog_text.hpp"

namespace xorloom {

std::string testbench_head(const std::string& about, const std::string& testbench,
                           const char* design) {
  return verilog_comment({about}) +
         fmt::format(
             "//\n"
             "//   $ iverilog -g2005 -s {0} {1} TESTBENCH.v -o test && vvp -N test\n"
             "//   $ verilator --binary --top {0} {1} TESTBENCH.v && obj_dir/V{0}\n",
             testbench, design);
}

std::string xorshift_wires(std::string_view one, std::string_view two, std::string_view three) {
  return fmt::format(
      "  // A random number of 32 bits follows the other (xorshift, G. Marsaglia 2003).\n"
      "  wire [31:0] {0} = random ^ random << 13;\n"
      "  wire [31:0] {1} = {0} ^ {0} >> 17;\n"
      "  wire [31:0] {2} = {1} ^ {1} << 5;\n",
      one, two, three);
}

std::string bench_comparison(const std::string& module, const char* due) {
  return filled(R"(      if (out_valid !== @due@[LATENCY]) begin
        $display("FAIL: @module@: out_valid is %b", out_valid);
        is_wrong <= 1'b1;
      end else if (out_valid && out !== wanted[LATENCY]) begin
        $display("FAIL: @module@: out is %h", out);
        $display("      instead of %h", wanted[LATENCY]);
        is_wrong <= 1'b1;
      end
)",
                {{"due", due}, {"module", module}});
}

Field::Symbol BenchStripes::symbol(Cell cell, std::size_t stripe) const {
  Field::Symbol symbol = 0;
  for (std::size_t l = 0; l < code_.field.w(); ++l) {
    const auto element = static_cast<Element>(cell * code_.field.w() + l);
    if (bit(element, stripe)) symbol |= Field::Symbol{1} << l;
  }
  return symbol;
}

void BenchStripes::add(Cell cell, std::size_t stripe, std::uint64_t bits) {
  for (std::size_t l = 0; l < code_.field.w(); ++l) {
    const auto element = static_cast<Element>(cell * code_.field.w() + l);
    chunks_[element / code_.rows()][place(element, stripe)] |=
        static_cast<std::uint8_t>((bits >> l & 1U) << (stripe % 8));
  }
}

void BenchStripes::compute(const LinearMap& map) {
  std::vector<std::uint8_t*> pointers;
  for (std::vector<std::uint8_t>& chunk : chunks_) pointers.push_back(chunk.data());
  oracle_packets(expand(code_.field, map.coefficients), elements_of(code_, map.inputs),
                 elements_of(code_, map.outputs), code_.rows(), packet_bytes_, pointers.data(),
                 code_.rows() * packet_bytes_);
}

}  // namespace xorloom
