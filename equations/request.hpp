#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "equations/fewest_reads.hpp"
#include "equations/program.hpp"

namespace xorloom {

/// What equations of a code are asked to compute: with nothing set, the redundancy from the data.
struct Request {
  std::vector<std::size_t> erased{};   ///< rebuild these lost locations
  std::vector<std::size_t> wanted{};   ///< of the lost ones these alone; none named is all
  std::vector<std::size_t> updated{};  ///< carry a change of the data of these locations over
  std::vector<std::size_t> rows{};     ///< compute these rows of what is asked; none named is all
  /// Of what is left read what costs the least, and of such that which takes the fewest XORs; else what
  /// takes the fewest XORs.
  bool reads_least = false;
  std::vector<std::uint64_t> read_costs{};   ///< see ReadRequest::costs
  std::uint64_t read_work = kUsualReadWork;  ///< see ReadSearch::work

  friend bool operator==(const Request&, const Request&) = default;
};

/// The direct equations of a request: direct_encoding, direct_decoding or direct_update of
/// equations/direct.hpp, which say what their inputs and outputs are.
///
/// Errors: throws kInvalidArgument for locations, rows or costs that are out of range, named twice or do
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

/// The reads of a request that erases and reads the least.
///
/// Shape:  cells of readable(code): bits where the code lies in packets.
/// Errors: as fewest_reads, and for rows out of range or named twice.
Reads reads_of(const Code& code, const Request& request);

/// What the reads of a program of a request cost.
std::uint64_t cost_of_reads(const Code& code, const Request& request, const Program& program);

}  // namespace xorloom
