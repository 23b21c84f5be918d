#pragma once

#include <string>
#include <vector>

#include "cli/measuring/measure.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

/// The tables of one code: encoding, decoding, single calls and each peer. Shape: 80 columns.
std::string bench_table(const std::vector<Measurement>& of_a_code, const SystemDescription& machine,
                        const std::vector<Peer>& peers);

/// The machine, in a paragraph, and what the columns mean, in another.
std::string machine_text(const SystemDescription& machine);
std::string bench_legend(bool with_peers);

/// The machine, as JSON has it.
Json machine_json(const SystemDescription& machine);

/// All of it, as the JSON form in version 2 has it.
Json bench_json(const std::vector<Measurement>& measurements, const SystemDescription& machine,
                const std::vector<Peer>& peers);

}  // namespace xorloom::cli
