#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/families/family.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Every family, in the order people should read them.
std::span<const Family* const> families();

/// The other software whose chunks hold the same bytes as those of a code, as its family says.
std::vector<OtherSoftware> software_of(const Code& code);

struct CodeOptions {
  std::size_t packet_bytes = 0;  ///< 0: what the spec says
  bool allow_non_mds = false;    ///< take a code whose promise is refuted or not decided
  SpecLimits limits{};           ///< what the spec may ask for
};

/// The code of a spec. Codes are accepted only if their promise is proved, unless the options say
/// otherwise.
///
/// Errors: throws kParse or kInvalidArgument with the value and the bound: an unknown family or
///         key, a value out of range, a packet_bytes option that contradicts the spec, a code that
///         is not proved to survive what it promises.
Code make_code(std::string_view spec, const CodeOptions& options = {});

}  // namespace xorloom
