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

/// Codes of every arrangement, small, since simulation is slow, and more so on words.
inline const std::vector<std::string> kSimulatedCodes = {
    kWorkedExample,       "cauchy-good:k=4,m=2,w=4",
    "liberation:k=3,w=3", "evenodd:k=3,p=3",
    "rdp:k=4,p=5",        "x-code:p=5",
    "hamming:k=4,m=3",    "rs:k=3,m=2,w=4",
    "rs-poly:k=2,m=2,w=4"};

/// The same for Verilator, which is fast.
inline const std::vector<std::string> kMoreSimulatedCodes = {"raid6:k=3,w=8", "lrc:k=4,m=2,l=3",
                                                             "zigzag:k=2,r=2", "clay:k=2,m=2"};

/// The first set of as many lost locations as a code promises to rebuild.
inline std::vector<std::size_t> first_loss(const Code& code) {
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < code.promised_losses; ++i) lost.push_back(i);
  return lost;
}

/// Engines that encode and decode, of direct equations or, with gates, of shared ones.
inline VerilogText engines(const std::string& spec, std::size_t lanes, std::size_t ranks,
                           std::size_t gate_inputs) {
  const Code code = make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
  VerilogRequest request{
      .code = code, .lanes = lanes, .ranks = ranks, .gate_inputs = gate_inputs, .name = "t"};
  const std::vector<std::size_t> lost = first_loss(code);
  const auto add = [&](std::string name, const Program& direct) {
    request.programs.push_back(
        {std::move(name), gate_inputs == 0 ? direct : optimize(direct, {.effort = Effort::kFast})});
  };
  add("encode", direct_encoding(code));
  add(fmt::format("decode_{}", fmt::join(lost, "_")), direct_decoding(code, lost));
  return write_engines(request);
}

/// What a line of shell says of engines.v and testbench.v, if it fails or says more than PASS.
inline std::string simulation_complaint(const VerilogText& text, const std::string& line) {
  const TemporaryFolder folder;
  write_files(folder, text, "engines.v");
  return complaint_of(folder, line);
}

/// The engines of the sample, or of the whole matrix; each is checked by `simulate`, which is told
/// how many clocks to take.
template <typename Simulate>
void for_engines(const std::vector<std::string>& specs, std::size_t sample_clocks,
                 const Simulate& simulate) {
  const bool is_whole = hardware_clocks() != 0;
  const std::size_t clocks = is_whole ? hardware_clocks() : sample_clocks;
  std::size_t number = 0;
  for (const std::string& spec : specs) {
    for (const std::size_t lanes : {1U, 8U, 64U}) {
      for (std::size_t ranks = 0; ranks <= 4; ++ranks, ++number) {
        // Of the sample each number of ranks comes with some number of lanes.
        if (!is_whole && number % 3 != ranks % 3) continue;
        CAPTURE(spec);
        CAPTURE(lanes);
        CAPTURE(ranks);
        simulate(engines(spec, lanes, ranks, number % 2 == 0 ? 0 : 4), clocks);
      }
    }
  }
}

}  // namespace xorloom
