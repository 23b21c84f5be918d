#include "runtime/cost_model.hpp"

#include <algorithm>
#include <thread>

namespace xorloom {

const Machine& this_machine() {
  static const Machine machine{cache_sizes(),
                               std::max<std::size_t>(1, std::thread::hardware_concurrency())};
  return machine;
}

std::size_t non_temporal_bytes(const Machine& machine) {
  const CacheSizes& caches = machine.caches;
  const bool is_far = caches.l3 >= kMaxL3BytesPerCore * machine.cores;
  return is_far ? caches.l2 : std::max(caches.l2, caches.l3 / 2);
}

Stores stores_for(const Machine& machine, std::size_t stripe_bytes) {
  return stripe_bytes > non_temporal_bytes(machine) ? Stores::kNonTemporal : Stores::kOrdinary;
}

}  // namespace xorloom
