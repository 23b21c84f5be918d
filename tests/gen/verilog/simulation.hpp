#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "gen/verilog/verilog_text.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/has.hpp"
#include "tests/support/refusal.hpp"

// Hardware and its testbenches, for tests that simulate it.

namespace xorloom {

/// Clocks to simulate if all hardware is tried, in every size and on a chip. 0: try a sample.
inline std::size_t hardware_clocks() {
  const char* clocks = std::getenv("XORLOOM_HARDWARE_CLOCKS");
  return clocks == nullptr ? 0 : std::strtoul(clocks, nullptr, 10);
}

inline void write_files(const TemporaryFolder& folder, const VerilogText& text,
                        const std::string& design) {
  folder.write(design, text.design);
  folder.write("testbench.v", text.testbench);
}

/// Simulates a design and testbench.v by Icarus Verilog. Any warning is a complaint. The output is
/// in the file `said`, and in the complaint if the simulation fails.
inline std::string icarus_complaint(const TemporaryFolder& folder, const std::string& design,
                                    const std::string& top, const std::string& options = "") {
  return complaint_of(
      folder, fmt::format("iverilog -g2005 -Wall {2} -s {1} -o test {0} testbench.v >warnings 2>&1 "
                          "|| echo failed >>warnings; cat warnings; test ! -s warnings && "
                          "{{ vvp -N test >said || {{ cat said; exit 1; }}; }}",
                          design, top, options));
}

using test::change;
using test::has;

}  // namespace xorloom
