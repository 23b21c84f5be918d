// The two functions that Ceph's daemons look for in a plugin.

#include <cerrno>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "integrations/ceph/erasure_code.hpp"
#include "xorloom/xorloom.hpp"

#define XORLOOM_CEPH extern "C" __attribute__((visibility("default")))

namespace xorloom::ceph_plugin {
namespace {

class Plugin final : public ceph::ErasureCodePlugin {
 public:
  explicit Plugin(std::string name) : name_(std::move(name)) {}

  int factory(const std::string& /*directory*/, ceph::ErasureCodeProfile& profile,
              ceph::ErasureCodeInterfaceRef* erasure_code, std::ostream* error) override {
    auto code = new_code(name_);
    const int status = code->init(profile, error);
    if (status == 0) *erasure_code = std::move(code);
    return status;
  }

 private:
  std::string name_;
};

/// A daemon's log has what goes to its standard error.
void log(const char* sentence, void* /*context*/) { std::cerr << "xorloom: " << sentence << '\n'; }

}  // namespace
}  // namespace xorloom::ceph_plugin

/// The release that this was built for. A daemon of another one refuses the plugin.
XORLOOM_CEPH const char* __erasure_code_version() { return XORLOOM_CEPH_VERSION; }

XORLOOM_CEPH int __erasure_code_init(char* name, char* /*directory*/) try {
  xorloom::set_log(xorloom::ceph_plugin::log, nullptr);
  auto plugin = std::make_unique<xorloom::ceph_plugin::Plugin>(name);
  const int status = ceph::ErasureCodePluginRegistry::singleton.add(name, plugin.get());
  if (status == 0) plugin.release();  // the registry owns it now
  return status;
} catch (...) {
  return -ENOMEM;
}
