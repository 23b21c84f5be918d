#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "integrations/ceph/erasure_code.hpp"

namespace xorloom::ceph_plugin {
namespace {

constexpr int kErasureRule = 3;  ///< the type of a rule for erasure-coded pools

/// Sets how many chunks a pool may have that a rule serves. add_simple_rule() leaves 20, and Ceph
/// has no function outside its header that changes it. So this writes to where release 16.2 has it;
/// a daemon of another release refuses the plugin before.
void set_most_chunks(CrushWrapper& crush, int rule, unsigned int chunks) {
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
  if (found != nullptr && found->type == kErasureRule && found->most == 20) {
    found->most = static_cast<std::uint8_t>(chunks < 255 ? chunks : 255);
  }
}

}  // namespace

int add_rule(CrushWrapper& crush, const std::string& name, const ceph::ErasureCodeProfile& profile,
             unsigned int chunks, std::ostream* error) {
  const int rule =
      crush.add_simple_rule(name, profile.at("crush-root"), profile.at("crush-failure-domain"),
                            profile.at("crush-device-class"), "indep", kErasureRule, error);
  if (rule >= 0) set_most_chunks(crush, rule, chunks);
  return rule;
}

std::shared_ptr<PoolCode> new_code(std::string plugin) {
  return std::make_shared<PoolCode>(std::move(plugin));
}

}  // namespace xorloom::ceph_plugin
