#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/search/optimize.hpp"
#include "gen/verilog/engine.hpp"
#include "tests/gen/verilog/simulation.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/worked_example.hpp"

// XOR engines and their testbenches, for tests that simulate them.

namespace xorloom {

/// Codes of every arrangement, small, since simulation is slow. The last two are the smallest.
inline const std::vector<std::string> kSimulatedCodes = {
    "rs:k=3,m=2,w=4",      kWorkedExample,       "x-code:p=5",
    "rs-poly:k=2,m=2,w=4", "liberation:k=3,w=3", "cauchy-good:k=4,m=2,w=4",
    "rdp:k=4,p=5",         "evenodd:k=3,p=3",    "hamming:k=4,m=3"};

/// More, for Verilator, which is fast.
inline const std::vector<std::string> kMoreSimulatedCodes = {"raid6:k=3,w=8", "lrc:k=4,m=2,l=3",
                                                             "zigzag:k=2,r=2", "clay:k=2,m=2"};

/// The first set of lost locations of the size that a code promises to rebuild.
inline std::vector<std::size_t> first_loss(const Code& code) {
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < code.promised_losses; ++i) lost.push_back(i);
  return lost;
}

/// Engines that encode and decode, of direct equations or, with gates, of shared ones.
inline VerilogText engines(const std::string& spec, std::size_t lanes, std::size_t ranks,
                           std::size_t gate_inputs, const std::string& name = "t") {
  const Code code = make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
  EngineRequest request{
      .code = code, .lanes = lanes, .ranks = ranks, .gate_inputs = gate_inputs, .name = name};
  const std::vector<std::size_t> lost = first_loss(code);
  const auto add = [&](std::string what, const Program& direct) {
    request.programs.push_back(
        {std::move(what), gate_inputs == 0 ? direct : optimize(direct, {.effort = Effort::kFast})});
  };
  add("encode", direct_encoding(code));
  add(fmt::format("decode_{}", fmt::join(lost, "_")), direct_decoding(code, lost));
  return write_engines(request);
}

/// Output of a line of shell on engines.v and testbench.v, if it fails or prints more than PASS;
/// otherwise empty.
inline std::string simulation_complaint(const VerilogText& text, const std::string& line) {
  const TemporaryFolder folder;
  write_files(folder, text, "engines.v");
  return complaint_of(folder, line);
}

constexpr std::size_t kMostSimulatedRanks = 4;
inline const std::vector<std::size_t> kSimulatedLanes = {1, 8, 64};

}  // namespace xorloom
