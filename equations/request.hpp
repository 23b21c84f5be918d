#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "equations/program.hpp"

namespace xorloom {

/// What equations of a code are asked to compute: with nothing set, the redundancy from the data.
struct Request {
  std::vector<std::size_t> erased{};   ///< rebuild these lost locations
  std::vector<std::size_t> wanted{};   ///< of the lost ones these alone; none named is all
  std::vector<std::size_t> updated{};  ///< carry a change of the data of these locations over
  std::vector<std::size_t> rows{};     ///< compute these rows of what is asked; none named is all

  friend bool operator==(const Request&, const Request&) = default;
};

/// The direct equations of a request: direct_encoding, direct_decoding or direct_update of
/// equations/direct.hpp, which say what their inputs and outputs are.
///
/// Errors: throws kInvalidArgument for locations or rows that are out of range, named twice or do
/// not go together, and where no element is left to compute; kDamaged if what is wanted cannot be
/// rebuilt, kUnsupported for more than kMaxDirectXors.
Program direct_program(const Code& code, const Request& request);

}  // namespace xorloom
