#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "gen/verilog/verilog_unit.hpp"
#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom {

struct UnitTestOptions {
  /// Words of an element; none: two slices and a half, less for a code of many elements.
  std::optional<std::size_t> element_words{};
  std::size_t stripes = 2;
  std::size_t latency = 8;  ///< clocks until the memory unit delivers a word, at least 1
};

/// A testbench of a Zigzag unit: a memory unit with random data, and for every operation a run
/// without waiting, and one in which the memory unit makes the unit wait at random. It compares
/// all words of the memory unit with the bytes of the oracle, and checks that each word was read
/// once. It ends with PASS and $finish, or with FAIL and $stop. The lines before give the clocks of
/// each run.
///
/// Errors: as check_unit_options.
std::string write_zigzag_unit_testbench(const Code& code, const UnitPlan& plan,
                                        const ZigzagUnitOptions& options,
                                        const UnitTestOptions& test = {});

/// The Zigzag unit of a request for encoding and its erasures, or for every loss of one location,
/// and its testbench.
///
/// Errors: as unit_plan and check_unit_options.
VerilogText write_zigzag(const VerilogRequest& request);

}  // namespace xorloom
