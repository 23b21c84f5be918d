#pragma once

#include <iosfwd>
#include <string>

#include "integrations/ceph/releases/16.2/erasure_code.hpp"

// Ceph 18.2 has the interface of 16.2. Its rules no longer bound how many chunks a pool may have.

namespace xorloom::ceph_plugin {

/// Adds a rule for pools of a profile.
///
/// Answer: the number of the rule, or an error of errno.h, negative.
inline int add_rule(CrushWrapper& crush, const std::string& name,
                    const ceph::ErasureCodeProfile& profile, unsigned int /*chunks*/,
                    std::ostream* error) {
  constexpr int kErasureRule = 3;  ///< the type of a rule for erasure-coded pools
  return crush.add_simple_rule(name, profile.at("crush-root"), profile.at("crush-failure-domain"),
                               profile.at("crush-device-class"), "indep", kErasureRule, error);
}

}  // namespace xorloom::ceph_plugin
