#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/temporary_folder.hpp"

// Area of engines, by yosys. The bounds leave 5 % of room for other versions of yosys.

namespace xorloom::test {
namespace {

/// Lookup tables of an encoder of 10 + 4 chunks per lane.
std::size_t tables(const std::string& options, const std::string& flow, const std::string& cell) {
  const TemporaryFolder folder;
  const Outcome outcome = shell(
      "$xorloom emit cauchy-good:k=10,m=4,w=8 --target verilog --name x " + options +
          " -o engine.v 2>/dev/null && yosys -q -p 'read_verilog engine.v; " + flow +
          " -top xl_x_encode; setattr -mod -unset keep_hierarchy *; flatten; tee -q -o cells stat' "
          "&& awk '$1 == \"" +
          cell + "\" { print $2 }' cells",
      folder.path());
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return std::strtoul(outcome.out.c_str(), nullptr, 10);
}

std::size_t lut4(const std::string& options) { return tables(options, "synth_ice40", "SB_LUT4"); }
std::size_t lut6(const std::string& options) {
  return tables(options, "synth -lut 6 -flatten", "$lut");
}

}  // namespace

TEST_CASE("Sharing survives synthesis, and the price of tables takes at least 5 % more off") {
  SKIP_WITHOUT_TOOL("yosys");
  const TemporaryFolder folder;
  const std::string equations = folder / "shared.json";
  REQUIRE(xorloom({"equations", "cauchy-good:k=10,m=4,w=8", "--style", "iterative", "--store",
                   "shipped", "--format", "json", "-o", equations})
              .status == 0);
  const std::string shared = "--style iterative --store shipped";
  const std::size_t direct4 = lut4("");
  const std::size_t shared4 = lut4(shared);
  // The shared equations again, with each sum mapped to tables on its own: no search, and no
  // synthesiser.
  const std::string same = "--equations " + equations;
  const std::size_t mapped4 = lut4(same + " --model lut4");
  const std::size_t priced4 = lut4(shared + " --model lut4");
  const std::size_t shared6 = lut6(shared);
  const std::size_t mapped6 = lut6(same + " --model lut6");
  const std::size_t priced6 = lut6(shared + " --model lut6");
  MESSAGE("LUT4: direct " << direct4 << ", shared " << shared4 << ", mapped " << mapped4 << ", few "
                          << priced4);
  MESSAGE("LUT6: shared " << shared6 << ", mapped " << mapped6 << ", few " << priced6);
  CHECK(direct4 <= 307 * 105 / 100);
  CHECK(shared4 <= 182 * 105 / 100);
  CHECK(mapped4 <= 182);
  CHECK(priced4 * 100 <= mapped4 * 95);
  CHECK(shared6 <= 142 * 105 / 100);
  CHECK(mapped6 <= 142);
  CHECK(priced6 * 100 <= mapped6 * 95);
}

}  // namespace xorloom::test
