#pragma once

#include <string>
#include <string_view>

#include "codes/code.hpp"

namespace xorloom {

/// A code of the user's own, as the JSON of docs/families/file.md: its layout, and its redundancy as
/// equations, as a 0/1 matrix or as a matrix over a field.
///
/// A packet_bytes that is not 0 stands in for one that the JSON does not give.
///
/// Errors: throws kParse or kInvalidArgument with the cell, the key or the bound where the JSON is not
///         such a code or contradicts itself.
Code read_code(std::string_view json, std::size_t packet_bytes);

/// The text of a file of at most 16 MiB.
///
/// Errors: throws kIo if there is none that can be read, kInvalidArgument if it is longer.
std::string read_code_file(const std::string& path);

}  // namespace xorloom
