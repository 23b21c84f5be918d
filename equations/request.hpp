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

/// What a search for iterative equations of a request begins with: its direct equations, but of
/// survivors that take the fewest XORs once common pairs are shared, which are others at times, and
/// with lost redundancy made of rebuilt data (reuse_rebuilt). It computes the same.
///
/// Errors: as direct_program.
/// Cost:   share_pairs for each of the kMostShared choices that have the fewest direct XORs, for
///         fewer of them where they have thousands: some tenths of a second at most.
Program searched_program(const Code& code, const Request& request);

inline constexpr std::size_t kMostShared = 16;

}  // namespace xorloom
