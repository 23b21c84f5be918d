#pragma once

#include <string>

#include "integrations/ceph/release.hpp"

namespace xorloom::ceph_plugin {

// A program that loads plugins as Ceph's daemons do, to test and time them. It has the registry of
// plugins, and is linked so that plugins find it.

/// Loads libec_NAME.so, and has it make a codec.
///
/// Shape:  path is a shared library, which registers itself as `name`. It stays loaded.
/// Answer: null if it refuses the profile; then `refusal` says why.
/// Errors: throws std::runtime_error if it is no plugin.
ceph::ErasureCodeInterfaceRef loaded_code(const std::string& path, const std::string& name,
                                          ceph::ErasureCodeProfile profile, std::string& refusal);

}  // namespace xorloom::ceph_plugin
