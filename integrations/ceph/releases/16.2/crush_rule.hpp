#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "integrations/ceph/releases/16.2/erasure_code.hpp"

namespace xorloom::ceph_plugin {

/// Sets how many chunks a pool may have that a rule serves. add_simple_rule() leaves 20, and Ceph
/// has no function outside its header that changes it. So this writes to where release 16.2 has it;
/// a daemon of another release refuses the plugin before.
inline void set_most_chunks(CrushWrapper& crush, int rule, unsigned int chunks) {
  constexpr std::size_t kMapOfWrapper = 0x180;  ///< a pointer
  struct Rule {
    std::uint32_t length;
    std::uint8_t set, type, fewest, most;
  };
  struct Map {
    void** buckets;
    Rule** rules;
    std::int32_t max_buckets;
    std::uint32_t max_rules;
  };
  Map* map = nullptr;
  std::memcpy(&map, reinterpret_cast<const char*>(&crush) + kMapOfWrapper, sizeof map);
  if (map == nullptr || static_cast<std::uint32_t>(rule) >= map->max_rules) return;
  Rule* const found = map->rules[rule];
  if (found != nullptr && found->type == 3 && found->most == 20) {
    found->most = static_cast<std::uint8_t>(chunks < 255 ? chunks : 255);
  }
}

}  // namespace xorloom::ceph_plugin
