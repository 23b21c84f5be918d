#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/temporary_folder.hpp"

// Compares what `xorloom encode --raw` writes with what a simulated engine computes for the same
// chunks. Bytes lie in the ports in the order that the engine's own comment states.

namespace xorloom::test {
namespace {

/// The bytes of a chunk that an engine takes per clock, as lines of hexadecimal, last byte first.
std::string as_hex(const std::string& chunk, std::size_t bytes_per_clock) {
  std::string text;
  for (std::size_t first = 0; first < chunk.size(); first += bytes_per_clock) {
    for (std::size_t i = bytes_per_clock; i-- > 0;) {
      text += fmt::format("{:02x}", static_cast<unsigned char>(chunk[first + i]));
    }
    text += '\n';
  }
  return text;
}

/// Feeds in0 … from files, and writes out4 … to files, a line a clock.
std::string bench(std::size_t k, std::size_t m, std::size_t bytes_per_clock, std::size_t clocks) {
  const std::size_t bits = 8 * bytes_per_clock;
  std::string declared;
  std::string loaded;
  std::string ports;
  std::string written;
  for (std::size_t i = 0; i < k; ++i) {
    declared += fmt::format("  reg [{}:0] c{} [0:{}];\n", bits - 1, i, clocks - 1);
    loaded += fmt::format("    $readmemh(\"{0}.hex\", c{0});\n", i);
    ports += fmt::format(", .in{0}(c{0}[at])", i);
  }
  for (std::size_t i = k; i < k + m; ++i) {
    declared += fmt::format("  wire [{}:0] o{};\n  integer f{};\n", bits - 1, i, i);
    loaded += fmt::format("    f{0} = $fopen(\"{0}.out\");\n", i);
    ports += fmt::format(", .out{0}(o{0})", i);
    written += fmt::format("      $fdisplay(f{0}, \"%h\", o{0});\n", i);
  }
  return fmt::format(
      "module bench;\n  reg clk = 0;\n  reg [31:0] at = 0;\n  wire good;\n{0}"
      "  xl_x_encode engine (.clk(clk), .in_valid(at < {1}), .out_valid(good){2});\n"
      "  initial begin\n{3}  end\n  always #5 clk <= !clk;\n  always @(posedge clk) begin\n"
      "    if (good === 1'b1) begin\n{4}    end\n"
      "    at <= at + 1;\n    if (at == {1} + 8) $finish;\n  end\nendmodule\n",
      declared, clocks, ports, loaded, written);
}

/// The redundant chunks of 200 clocks, by the engine, compared with those that encode writes.
void check(const std::string& spec, const std::string& engine, std::size_t k, std::size_t m,
           std::size_t bytes_per_clock) {
  CAPTURE(spec);
  constexpr std::size_t kClocks = 200;
  const TemporaryFolder folder;
  const std::size_t chunk_bytes = kClocks * bytes_per_clock;
  folder.write("data", random_bytes(k * chunk_bytes, 5));
  const auto run = [&](const std::string& line) {
    const Outcome outcome = shell(line, folder.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
  };
  run(fmt::format("$xorloom encode data -o raw --raw --code {} --chunk-bytes {}", spec,
                  chunk_bytes));
  run(fmt::format("$xorloom emit {} --target verilog --name x {} -o engine.v", spec, engine));
  for (std::size_t i = 0; i < k; ++i) {
    folder.write(fmt::format("{}.hex", i),
                 as_hex(folder.read(fmt::format("raw/{}", i)), bytes_per_clock));
  }
  folder.write("bench.v", bench(k, m, bytes_per_clock, kClocks));
  run("iverilog -g2005 -s bench -o bench engine.v bench.v && vvp -n bench >/dev/null");
  for (std::size_t i = k; i < k + m; ++i) {
    CHECK(folder.read(fmt::format("{}.out", i)) ==
          as_hex(folder.read(fmt::format("raw/{}", i)), bytes_per_clock));
  }
}

}  // namespace

TEST_CASE("A simulated engine gives the bytes of encode --raw, chunk by chunk") {
  SKIP_WITHOUT_TOOL("iverilog");
  // Packets of 8 bytes, of which a port holds all: 64 lanes, four or three packets.
  check("cauchy-good:k=4,m=2,w=4,packet_bytes=8", "--lanes 64 --ranks 1", 4, 2, 32);
  check("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,packet_bytes=8",
        "--lanes 64 --style iterative --effort fast --model lut6", 5, 2, 24);
  // Words: eight bytes, four symbols of 16 bits, and half bytes.
  check("rs:k=4,m=2", "--lanes 8 --ranks 2", 4, 2, 8);
  check("rs:k=2,m=2,w=16", "--lanes 4", 2, 2, 8);
  check("rs:k=3,m=2,w=4", "--lanes 6 --ranks 1 --style iterative --effort fast", 3, 2, 3);
}

}  // namespace xorloom::test
