#pragma once

#include <cstddef>

#include "runtime/cache_sizes.hpp"
#include "runtime/stores.hpp"

namespace xorloom {

/// What choices depend on. A value, so that any machine can be asked about.
struct Machine {
  CacheSizes caches;
  std::size_t cores;
};

/// This one.
const Machine& this_machine();

/// Bytes of a stripe, all that is read and written, from which on stores past the caches are faster:
/// half of what one core can use of L3, since what is written does not stay there until it is read.
/// Where L3 is the part of a large, far one that a virtual machine is told of, what leaves L2 gains
/// nothing from it, and it is L2.
std::size_t non_temporal_bytes(const Machine& machine);

Stores stores_for(const Machine& machine, std::size_t stripe_bytes);

}  // namespace xorloom
