#include <memory>
#include <string>
#include <utility>

#include "integrations/ceph/erasure_code.hpp"

namespace xorloom::ceph_plugin {

int add_rule(CrushWrapper& crush, const std::string& name, const ceph::ErasureCodeProfile& profile,
             unsigned int /*chunks*/, std::ostream* error) {
  constexpr int kErasureRule = 3;  ///< the type of a rule for erasure-coded pools
  return crush.add_simple_rule(name, profile.at("crush-root"), profile.at("crush-failure-domain"),
                               profile.at("crush-device-class"), "indep", kErasureRule, error);
}

std::shared_ptr<PoolCode> new_code(std::string plugin) {
  return std::make_shared<PoolCode>(std::move(plugin));
}

}  // namespace xorloom::ceph_plugin
