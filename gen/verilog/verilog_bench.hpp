#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

// Parts of testbenches.

/// Head comment of a testbench: what it does, and how Icarus Verilog and Verilator run it. `design`
/// is the file name of the design in these commands: "DESIGN.v".
std::string testbench_head(const std::string& about, const std::string& testbench,
                           const char* design);

/// Wires of a random generator: `three` is the random number of 32 bits that follows `random`.
std::string xorshift_wires(std::string_view one, std::string_view two, std::string_view three);

/// Seed of the random numbers of testbenches.
inline constexpr const char* kBenchSeed = "32'h2545f491";

/// A testbench of modules that check one design each, and report an error by is_wrong. It has a
/// clock and random numbers. It stops at the first error, or ends after CLOCKS.
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

/// Comparison in such a module: out_valid with a bit of `due`, and out with `wanted`.
std::string bench_comparison(const std::string& module, const char* due);

/// Stripes of a code for a testbench. A stripe has one bit of each element, and so one symbol of
/// each cell. Initially all are 0.
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

  /// Sets the bits of a symbol that are 1 in `bits`. Bits from w on are ignored.
  void add(Cell cell, std::size_t stripe, std::uint64_t bits);

  /// By location: the packets of its elements. Bit i of a packet belongs to stripe i.
  std::vector<std::vector<std::uint8_t>>& chunks() { return chunks_; }

  /// Computes the outputs of a map by the oracle.
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
