#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Throws kInvalidArgument unless a name stays good whatever it is joined with by an underscore, in
/// C and in C++: letters and digits with single underscores between them.
void check_name(const std::string& name);

/// What the names of a file begin with, or its namespace: "xl_" and the given name, or one made of
/// the code.
std::string file_prefix(const Code& code, const std::optional<std::string>& name);

/// What rebuilds lost locations, or only those that are wanted: "decode_0_3", "decode_0_3_want_0".
std::string decoding_name(const std::vector<std::size_t>& lost,
                          const std::vector<std::size_t>& wanted);

}  // namespace xorloom
