#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/families/family.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Every family, in the order of documentation.
std::span<const Family* const> families();

/// Other software whose chunks hold the same bytes as those of `code`, according to its family.
std::vector<OtherSoftware> software_of(const Code& code);

struct CodeOptions {
  std::size_t packet_bytes = 0;  ///< 0: that of the spec
  bool allow_non_mds = false;    ///< take a code whose promise is refuted or not decided
  SpecLimits limits{};           ///< limits of the spec
};

/// Makes the code of a spec. The code is accepted only if its promise is proved, unless
/// options.allow_non_mds.
///
/// Errors: throws kParse or kInvalidArgument with the value and the bound: an unknown family or
///         key, a value out of range, a packet_bytes option that contradicts the spec, a code that
///         is not proved to survive what it promises.
Code make_code(std::string_view spec, const CodeOptions& options = {});

}  // namespace xorloom
