#pragma once

#include <string>
#include <vector>

#include "cli/measuring/machine_facts.hpp"
#include "cli/measuring/measure.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

/// Encoding on some threads. Units: seconds of a call.
struct ThreadSpeed {
  Layout layout;
  const char* level;
  std::size_t chunk_bytes;
  std::size_t data_bytes;
  std::size_t threads;
  double seconds;
};

/// What was measured of a code.
struct BenchResult {
  std::string name;  ///< "cauchy-good 10 + 4, w = 8"
  std::vector<Measurement> measurements;
  std::vector<ThreadSpeed> by_threads{};  ///< those in between; none where there are none
};

/// The tables of one code: encoding, decoding, single calls and each peer. Shape: 80 columns.
std::string bench_table(const std::vector<Measurement>& of_a_code, const SystemDescription& machine,
                        const std::vector<Peer>& peers);

/// The machine, in a paragraph, and what the columns mean, in another.
std::string machine_text(const SystemDescription& machine);
std::string bench_legend(bool with_peers);

/// The machine, as JSON has it.
Json machine_json(const SystemDescription& machine, const MachineFacts& facts);

/// All of it, as the JSON form in version 2 has it.
Json bench_json(const std::vector<BenchResult>& codes, const SystemDescription& machine,
                const MachineFacts& facts, const std::vector<Peer>& peers);

}  // namespace xorloom::cli
