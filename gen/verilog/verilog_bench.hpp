#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

// What testbenches are made of.

/// The comment that a testbench begins with: what it does, and how Icarus Verilog and Verilator
/// run it. `design` is what the file of the design is called there: "DESIGN.v".
std::string testbench_head(const std::string& about, const std::string& testbench,
                           const char* design);

/// Wires of which the third is the random number of 32 bits that follows `random`.
std::string xorshift_wires(std::string_view one, std::string_view two, std::string_view three);

/// The random number that others follow.
inline constexpr const char* kBenchSeed = "32'h2545f491";

/// A testbench of modules that check a design each, and say by is_wrong what they found. It has a
/// clock and random numbers, and ends at the first that is wrong, or after CLOCKS.
inline constexpr std::string_view kCheckingBench = R"(module @name@ #(
  parameter CLOCKS = @clocks@
);
@?latency@  localparam LATENCY = @latency@;
@.@  reg clk;
  reg [31:0] @count@;
  reg [31:0] random;
  wire [@last@:0] is_wrong;
@checks@  initial begin
    clk = 1'b0;
    @count@ = 0;
    random = @seed@;
  end
  always #5 clk @becomes@ !clk;
@xorshift@  always @(posedge clk) begin
    @count@ <= @count@ + 1;
    random <= @next@;
    if (is_wrong != 0) $stop;
    else if (@count@ == @end@) begin
      $display("PASS: %0d clocks", CLOCKS);
      $finish;
    end
  end
endmodule
)";

/// What such a module compares: out_valid with a bit of `due`, and out with `wanted`.
std::string bench_comparison(const std::string& module, const char* due);

/// Stripes of a code for a testbench. A stripe has one bit of each element, and so one symbol of
/// each cell. At first all are 0.
class BenchStripes {
 public:
  BenchStripes(const Code& code, std::size_t stripes)
      : code_(code),
        packet_bytes_((stripes + 63) / 64 * 8),
        chunks_(code.locations, std::vector<std::uint8_t>(code.rows() * packet_bytes_)) {}

  bool bit(Element element, std::size_t stripe) const {
    const std::vector<std::uint8_t>& chunk = chunks_[element / code_.rows()];
    return (chunk[place(element, stripe)] >> (stripe % 8) & 1U) != 0;
  }
  Field::Symbol symbol(Cell cell, std::size_t stripe) const;

  /// Sets bits of a symbol: those of its w that are 1 in `bits`.
  void add(Cell cell, std::size_t stripe, std::uint64_t bits);

  /// By location, packets of an element each: bit i of a packet is that of stripe i.
  std::vector<std::vector<std::uint8_t>>& chunks() { return chunks_; }

  /// Lets the oracle compute the outputs of a map.
  void compute(const LinearMap& map);

 private:
  std::size_t place(Element element, std::size_t stripe) const {
    return element % code_.rows() * packet_bytes_ + stripe / 8;
  }

  const Code& code_;
  std::size_t packet_bytes_;
  std::vector<std::vector<std::uint8_t>> chunks_;
};

}  // namespace xorloom
