#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

// Hardware as a person asks for it, and what is refused.

namespace xorloom::test {
namespace {

constexpr const char* kSpec = "cauchy-good:k=4,m=2,w=4";

Outcome emit(const std::vector<std::string>& options, const std::string& spec = kSpec) {
  std::vector<std::string> arguments{"emit", spec, "--target", "verilog"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return xorloom(arguments);
}

std::string refused(const std::vector<std::string>& options, const std::string& sentence) {
  return not_refused(emit(options), sentence);
}

}  // namespace

TEST_CASE("Engines come out, with an encoder alone unless chunks are erased") {
  const Outcome encoder = emit({});
  CHECK(encoder.status == 0);
  CHECK(encoder.err.empty());
  CHECK(
      has(encoder.out, "\nmodule xl_cauchy_good_k4_m2_w4_encode #(\n  parameter LANES = 1\n) (\n"));
  CHECK(has(encoder.out, "\n  localparam LATENCY = 0;\n"));
  CHECK(!has(encoder.out, "decode"));
  CHECK(widest_line(encoder.out) <= 80);
  const Outcome both = emit({"--name", "x", "--erase", "3,0", "--lanes", "16", "--ranks", "2"});
  CHECK(has(both.out, "\n// Computes chunks 0,3 from 1-2,4-5: "));
  CHECK(has(both.out, "\nmodule xl_x_decode_0_3 #(\n  parameter LANES = 16\n) (\n"));
  CHECK(has(both.out, "\n  localparam LATENCY = 2;\n"));
  CHECK(has(both.out, "\n  // Rank 2.\n"));
  CHECK(widest_line(both.out) <= 80);
  CHECK(emit({"--name", "x", "--erase", "0,3", "--lanes", "16", "--ranks", "2"}).out == both.out);
}

TEST_CASE("Words are engines over the bits of their symbols") {
  const Outcome outcome = emit({"--lanes", "4"}, "rs:k=2,m=1");
  CHECK(has(outcome.out, "Of chunk N port inN has LANES symbols of 8"));
  CHECK(has(outcome.out, "\n  wire [LANES-1:0] e3 = plane(in0, 3);\n"));
  CHECK(has(outcome.out, "\n  assign out2[0*LANES +: 8*LANES] = symbols(e16, e17, "));
}

TEST_CASE("With a model sums are gates that are kept, in the number that a line says") {
  const Outcome outcome = emit({"--style", "iterative", "--model", "lut4", "--name", "x"});
  CHECK(has(outcome.out, " sums of at most 4 values, "));
  CHECK(has(outcome.out, "\n(* keep_hierarchy = \"yes\" *)\nmodule xl_x_xor4 #("));
  CHECK(has(outcome.out, "\n  xl_x_xor4 #(LANES) sum_"));
  CHECK(!has(outcome.out, "xl_x_xor5"));
}

TEST_CASE("A testbench is written beside the engines, to a file of its own") {
  const TemporaryFolder folder;
  const Outcome outcome =
      emit({"-o", folder / "engine.v", "--testbench", folder / "test.v", "--name", "x"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
  CHECK(read_file(folder / "engine.v") == emit({"--name", "x"}).out);
  CHECK(has(read_file(folder / "test.v"), "\nmodule xl_x_testbench #(\n"));
  CHECK(refused({"-o", folder / "a.v", "--testbench", folder / "a.v"},
                "--testbench and --output name the same file, " + folder / "a.v") == "");
}

TEST_CASE("Lanes, ranks and names out of bounds are refused, with the bound") {
  CHECK(refused({"--lanes", "0"}, "--lanes = 0 is not a whole number from 1 to 4096") == "");
  CHECK(refused({"--lanes", "4097"}, "--lanes = 4097 is not a whole number from 1 to 4096") == "");
  CHECK(refused({"--ranks", "33"}, "--ranks = 33 is not a whole number from 0 to 32") == "");
  CHECK(refused({"--levels", "0", "--model", "lut4"},
                "--levels = 0 is not a whole number from 1 to 64") == "");
  for (const std::string word : {"module", "wire", "reg", "logic", "xnor", "accept_on"}) {
    CHECK(refused({"--name", word}, "--name = '" + word + "' is a word of Verilog") == "");
  }
  CHECK(refused({"--name", "a-b"},
                "--name = 'a-b' is not letters and digits with single "
                "underscores between them") == "");
  CHECK(emit({"--name", "Module"}).status == 0);
}

TEST_CASE("Programs too large for an engine are refused, with the bound") {
  CHECK(not_refused(emit({}, "rs:k=100,m=25"),
                    "encode has 77300 XORs, and an engine has at most 65536") == "");
  CHECK(not_refused(
            emit({"--cores", "1"}, "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"),
            "a plan of 45 steps takes 44 ranks of registers, and an engine has at most 32") == "");
}

TEST_CASE("Options that do not go together are refused") {
  CHECK(refused({"--ranks", "1", "--cores", "2"},
                "--ranks and --cores both make stages: give one") == "");
  CHECK(refused({"--header", "x.h"}, "--header goes with C and C++: Verilog has no headers") == "");
  CHECK(refused({"--levels", "3"}, "--levels is about gates, and needs --model lut4 or lut6") ==
        "");
  const std::string direct =
      "--levels needs --style iterative: direct equations are not searched for";
  CHECK(refused({"--levels", "3", "--model", "lut4"}, direct) == "");
  CHECK(not_refused(xorloom({"equations", kSpec, "--levels", "3", "--model", "lut4"}), direct) ==
        "");
  CHECK(not_refused(xorloom({"equations", kSpec, "--model", "lut6"}),
                    "--model lut6 needs --style iterative: it says what is searched for") == "");
  for (const std::string option : {"--lanes", "--ranks", "--cores"}) {
    CHECK(not_refused(xorloom({"emit", kSpec, "--target", "c", option, "1"}),
                      option + " needs --target verilog") == "");
  }
  CHECK(refused({"--unit", "adder"},
                "--unit = 'adder' is not engine, coprocessor, engines or zigzag") == "");
}

TEST_CASE("Equations from a file become an engine as they are, and their plan its stages") {
  const TemporaryFolder folder;
  const std::string paper = std::string(XORLOOM_EXAMPLES) + "/paper_iterative.txt";
  const std::string spec = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
  const Outcome given = emit({"--equations", paper}, spec);
  CHECK(has(given.out, "\n  wire [LANES-1:0] D = e7 ^ e9 ^ A;\n"));
  const std::string planned = folder / "planned.json";
  CHECK(xorloom({"equations", spec, "--equations", paper, "--cores", "6", "--format", "json", "-o",
                 planned})
            .status == 0);
  const Outcome staged = emit({"--equations", planned, "--cores", "6"}, spec);
  CHECK(has(staged.out, "\n  localparam LATENCY = 5;\n"));
  CHECK(not_refused(xorloom({"emit", "rs:k=2,m=1", "--target", "verilog", "--equations",
                             folder / "symbols.json"}),
                    "cannot read " + folder / "symbols.json: No such file or directory") == "");
  CHECK(xorloom({"equations", "rs:k=2,m=1", "--over", "symbols", "--format", "json", "-o",
                 folder / "symbols.json"})
            .status == 0);
  CHECK(
      not_refused(xorloom({"emit", "--target", "verilog", "--equations", folder / "symbols.json"}),
                  folder / "symbols.json has equations over symbols, and hardware takes those "
                           "over bits: xorloom equations prints them") == "");
}

}  // namespace xorloom::test
