#pragma once

#include <string>
#include <string_view>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// A code of the user's own, as the JSON of docs/families/file.md: its layout, and its redundancy
/// as equations, as a 0/1 matrix or as a matrix over a field.
///
/// A packet_bytes that is not 0 stands in for one that the JSON does not give.
///
/// Errors: throws kParse or kInvalidArgument with the cell, the key or the bound where the JSON is
///         not such a code or contradicts itself.
Code read_code(std::string_view json, std::size_t packet_bytes, const SpecLimits& limits = {});

/// What a code file may have: more is not read.
inline constexpr std::size_t kMaxCodeFileBytes = std::size_t{16} << 20;

}  // namespace xorloom
