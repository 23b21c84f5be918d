#pragma once

#include <string_view>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Reads a user's own code from the JSON of docs/families/file.md: its layout, and its redundancy
/// as equations, as a 0/1 matrix or as a matrix over a field.
///
/// `packet_bytes`: used if the JSON gives none; 0: the default.
///
/// Errors: throws kParse or kInvalidArgument with the cell, the key or the bound if the JSON is not
///         such a code or contradicts itself or `packet_bytes`; kUnsupported if the code on packets
///         takes more than kMaxDirectXors.
Code read_code(std::string_view json, std::size_t packet_bytes, const SpecLimits& limits = {});

/// Most bytes of a code file.
inline constexpr std::size_t kMaxCodeFileBytes = std::size_t{16} << 20;

}  // namespace xorloom
