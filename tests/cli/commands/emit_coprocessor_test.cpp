#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

std::vector<std::string> emit_arguments(const std::string& spec, const std::string& unit,
                                        std::vector<std::string> options) {
  options.insert(options.begin(), {"emit", spec, "--target", "verilog", "--unit", unit});
  return options;
}

}  // namespace

TEST_CASE("emit writes a coprocessor, its matrices and a testbench into three files") {
  const TemporaryFolder folder;
  const Outcome outcome =
      xorloom(emit_arguments("rs:k=10,m=4", "coprocessor",
                             {"--erase", "3,0", "--erase", "13", "--array", "4x5", "--tiles", "8",
                              "--name", "storage", "--memory", folder / "tiles.mem", "--testbench",
                              folder / "test.v", "-o", folder / "design.v"}));
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
  const std::string design = folder.read("design.v");
  CHECK(has(design, "module xl_storage_coprocessor ("));
  CHECK(has(design, "It has 4 x 5 multipliers of GF(2^8) of polynomial\n// 0x11d."));
  CHECK(has(design, "            4            1       2  decode_13\n"));
  CHECK(has(design, "chunks 0,3 from chunks 1-2,4-11"));
  CHECK(has(design, "$readmemh(\"" + folder / "tiles.mem" + "\", tiles, 0, 5);"));
  CHECK(has(folder.read("test.v"), "module xl_storage_coprocessor_testbench"));
  const std::string memory = folder.read("tiles.mem");
  CHECK(has(memory, "decode_0_3"));
  CHECK(std::ranges::count(memory, '\n') > 6);
}

TEST_CASE("emit writes XOR engines of given equations, and of those that rebuild") {
  const std::string equations = XORLOOM_EXAMPLES "/paper_iterative.txt";
  const Outcome outcome = xorloom(emit_arguments(
      kWorkedExample, "engines", {"--equations", equations, "--lanes", "8", "--erase", "6"}));
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "// 12 engines, 15 clocks per stripe of elements 0-14."));
  CHECK(has(outcome.out, "module xl_cauchy_k5_m2_w3_decode_6 #(\n  parameter LANES = 8\n"));
  CHECK(has(outcome.out, "// 3 engines, 15 clocks per stripe of elements 0-14."));
}

TEST_CASE("What a coprocessor or its engines do not take is refused with the bound") {
  const auto refused = [](const std::string& unit, const std::vector<std::string>& options,
                          const std::string& sentence) {
    CHECK(not_refused(xorloom(emit_arguments("rs:k=40,m=4", unit, options)), sentence) == "");
  };
  refused("coprocessor", {"--tiles", "4"},
          "the matrices take 5 tiles of 8 x 8, and the matrix memory has 4 (--tiles)");
  for (const char* array : {"8", "8x", "x8", "0x8", "8x65", "8x8x8", "8x8 ", "-1x8"}) {
    refused(
        "coprocessor", {"--array", array},
        std::string("--array = ") + array + " is not two whole numbers from 1 to 64, such as 8x8");
  }
  refused("coprocessor", {"--tiles", "1"}, "--tiles = 1 is not a whole number from 2 to 65536");
  refused("coprocessor", {"--lanes", "65"}, "--lanes = 65 is not from 1 to 64");
  refused("coprocessor", {"--ranks", "1"}, "--ranks does not go with --unit coprocessor");
  refused("coprocessor", {"--style", "direct"}, "--style does not go with --unit coprocessor");
  refused("coprocessor", {"--name", "a b"},
          "--name = 'a b' is not letters and digits with single underscores between them");
  refused("coprocessor", {"--memory", "a\"b"},
          "--memory = a\"b is no name of a file that Verilog can read");
  refused("coprocessor", {"--memory", "a", "-o", "a"},
          "--memory and --output name the same file, a");
  refused("engines", {"--array", "8x8"}, "--array does not go with --unit engines");
  CHECK(not_refused(xorloom({"emit", "rs:k=4,m=2", "--target", "c", "--tiles", "8"}),
                    "--tiles needs --target verilog") == "");
}

}  // namespace xorloom::test
