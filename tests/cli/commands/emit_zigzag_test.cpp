#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

Outcome emitted(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"emit", "--target", "verilog", "--unit", "zigzag"});
  return xorloom(arguments);
}

std::string refused_zigzag(const std::vector<std::string>& arguments, const std::string& sentence) {
  return not_refused(emitted(arguments), sentence);
}

}  // namespace

TEST_CASE("emit writes a Zigzag unit for encoding and every loss of one location") {
  const Outcome outcome = emitted({"zigzag:k=4,r=2", "--lanes", "8"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(has(outcome.out, "\n//   0  encode: reads 32 elements, writes 16\n"));
  CHECK(has(outcome.out, "\n//   4  rebuild 3: reads 20 elements, writes 8\n"));
  CHECK(has(outcome.out, "\n//   6  rebuild 5: reads 32 elements, writes 8\n"));
  CHECK(has(outcome.out, "\nmodule xl_zigzag_k4_m2_w8_zigzag_unit #(\n    parameter LANES = 8,\n"));
  CHECK(widest_line(outcome.out) <= 100);
}

TEST_CASE("emit writes a Zigzag unit for the losses that are given, and its testbench") {
  const TemporaryFolder folder;
  const Outcome outcome =
      emitted({"zigzag:k=3,r=3", "--erase", "1", "--slice-words", "4", "--buffers", "2", "--name",
               "store", "-o", folder / "unit.v", "--testbench", folder / "test.v"});
  CHECK(outcome.status == 0);
  const std::string unit = folder.read("unit.v");
  CHECK(has(unit, "\n//   1  rebuild 1: reads 15 elements, writes 9\n"));
  CHECK(!has(unit, "rebuild 0"));
  CHECK(has(unit, "parameter SLICE_BITS = 2,"));
  CHECK(has(unit, "localparam [1:0] BUFFERS = 2'd2;"));
  CHECK(has(folder.read("test.v"), "\nmodule xl_store_testbench #("));
}

TEST_CASE("emit refuses a Zigzag unit that cannot be, with the bound") {
  const std::string spec = "zigzag:k=4,r=2";
  CHECK(refused_zigzag({spec, "--lanes", "129"}, "--lanes = 129 is not from 1 to 128") == "");
  CHECK(refused_zigzag({spec, "--slice-words", "48"}, "slice words = 48 is not a power of 2") ==
        "");
  CHECK(refused_zigzag({spec, "--slice-words", "1"},
                       "--slice-words = 1 is not a whole number from 2 to 4096") == "");
  CHECK(refused_zigzag({spec, "--buffers", "3"},
                       "--buffers = 3 is not a whole number from 1 to 2") == "");
  CHECK(refused_zigzag(
            {spec, "--slice-words", "4096", "--lanes", "64"},
            "a bank takes 2097152 bytes for 8 slots of 4096 words of 64 symbols, more than "
            "1048576") == "");
  CHECK(refused_zigzag({spec, "--name", "wire"}, "--name = 'wire' is a word of Verilog") == "");
  CHECK(refused_zigzag({spec, "--ranks", "2"}, "--ranks does not go with --unit zigzag") == "");
  CHECK(refused_zigzag({spec, "--style", "direct"}, "--style does not go with --unit zigzag") ==
        "");
  CHECK(refused_zigzag(
            {spec, "--erase", "0,1"},
            "a unit with a bank per data location adds at most one element of each bank, and "
            "to rebuild 0,1 zigzag:k=4,r=2,w=8 takes two of one") == "");
  CHECK(refused_zigzag({"rs:k=33,m=2"}, "33 data locations exceed 32, the most banks of a unit") ==
        "");
  CHECK(not_refused(xorloom({"emit", spec, "--target", "verilog", "--buffers", "2"}),
                    "--buffers does not go with --unit engine") == "");
}

}  // namespace xorloom::test
