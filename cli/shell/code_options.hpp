#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Add a code spec, by position (SPEC) or by --code, and its short form -k, -m, -w.
void add_spec(Command& command, std::string& spec);
void add_specs(Command& command, std::vector<std::string>& specs, bool required,
               const std::string& help = "a code, such as cauchy-good:10,4; see xorloom codes");
CommandOption& add_code(Command& command, std::optional<std::string>& spec,
                        const std::string& help);

/// Add options that change how a code spec is read: --allow-non-mds, and --packet-bytes for
/// commands that touch bytes.
void add_allow_non_mds(Command& command, Options& options);
void add_packet_bytes(Command& command, Options& options);

/// Says in the help that all options of the code go with --raw alone.
void group_with_raw(Command& command);

/// Makes the code of `spec` with --packet-bytes and --allow-non-mds applied.
Code code_of(const std::string& spec, const Options& options);

}  // namespace xorloom::cli
