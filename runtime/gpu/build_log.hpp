#pragma once

#include <string>
#include <string_view>

namespace xorloom {

/// The first line that has more than white space of what a compiler says, cut to a length for a
/// sentence.
std::string first_line(std::string_view log);

}  // namespace xorloom
