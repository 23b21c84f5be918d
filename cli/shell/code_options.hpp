#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// The code specs a command takes, by position or by --code, and what is short for them: -k, -m, -w.
void add_spec(Command& command, std::string& spec);
void add_specs(Command& command, std::vector<std::string>& specs, bool required,
               const std::string& help = "a code, such as cauchy-good:10,4; see xorloom codes");
CommandOption& add_code(Command& command, std::optional<std::string>& spec,
                        const std::string& help);

/// --allow-non-mds and, where bytes matter, --packet-bytes: how a code spec is taken.
void add_allow_non_mds(Command& command, Options& options);
void add_packet_bytes(Command& command, Options& options);

/// The code of a spec, as the options take it.
Code code_of(const std::string& spec, const Options& options);

}  // namespace xorloom::cli
