#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "integrations/mpi/agreement.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {

/// The rank of each location of each rank's set.
class Placement {
 public:
  /// `domains` has the number of each rank's failure domain, from 0 on.
  Placement(std::vector<int> domains, std::size_t locations);

  /// The rank of a location of the set of a rank.
  ///
  /// If each rank is a domain, this is rotation: location i of rank r is at rank r + i. Otherwise
  /// locations go, one by one, to the domain with the fewest chunks of the set, and in it to the
  /// rank with the fewest; among equals to the one with the fewest chunks of all sets so far.
  int rank_of(int owner, std::size_t location) const {
    return ranks_[static_cast<std::size_t>(owner)][location];
  }
  int ranks() const { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& domains() const { return domains_; }

  /// For t = 1, 2, …: the most chunks of one set that any t ranks, or t domains, hold. Ends with
  /// the t that hold all chunks.
  std::vector<std::size_t> most_chunks_on_ranks() const;
  std::vector<std::size_t> most_chunks_in_domains() const;

 private:
  std::vector<std::size_t> most_chunks(const std::vector<int>& part_of_rank) const;
  void place_by_domain(std::size_t locations);

  std::vector<int> domains_;
  std::vector<std::vector<int>> ranks_;
};

/// The failure domain of each rank, as the options say, numbered in the order of ranks.
///
/// Errors: throws, the same on all ranks, kIo or kParse if the host file cannot be read, and
///         kInvalidArgument if it does not name a host.
std::vector<int> domains_of(const Communicator& comm, const Options& options);

/// True if a code can recover from the loss of these locations. Makes a plan.
bool can_lose(const Codec& codec, const std::vector<std::size_t>& lost);

/// Number of lost chunks that a code promises to survive, whichever they are. If the spec does not
/// state it: the number that trying finds, at most 2.
std::size_t promised_losses(const Codec& codec);

Survival survival_of(const Codec& codec, const Placement& placement);

}  // namespace xorloom::mpi
