#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/shell/shards.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom::cli {

/// Result of verifying a set of shards.
struct VerifiedSet {
  const FoundShards& found;
  const OpenedSet& set;
  const SetDamage& damage;
  std::vector<LocationState> states;
  double seconds;

  std::size_t count(LocationState::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(states, kind, &LocationState::kind));
  }
  bool is_whole() const { return are_whole(states); }
  bool is_recoverable() const {
    return damage.lost_stripes.empty() && damage.suspect_stripes.empty();
  }

  /// True if other permissions would let a shard be read: repair leaves it alone.
  bool has_forbidden() const {
    return std::ranges::any_of(states, [](const LocationState& state) {
      return state.unreadable && state.unreadable->is_forbidden();
    });
  }
};

/// Throws kDamaged or kIo if bytes are lost, RecoverableDamage if a shard is not whole.
void check_whole(const VerifiedSet& v, bool names_others = true);

/// Output of `verify` for a set, and the same as metrics.
Document set_document(const VerifiedSet& v);
std::string set_metrics(const VerifiedSet& v);

}  // namespace xorloom::cli
