#include "integrations/ceph/host/host.hpp"

#include <dlfcn.h>
#include <rados/librados.h>

#include <map>
#include <sstream>
#include <stdexcept>

/// The context that Ceph's own plugins ask whether to log.
class CephContext;
namespace ceph::global {
extern CephContext* g_ceph_context;
}

// The last plugin that registered itself. A daemon's registry keeps all.
namespace {
ceph::ErasureCodePlugin* registered = nullptr;
}

namespace ceph {
ErasureCodePluginRegistry ErasureCodePluginRegistry::singleton;
int ErasureCodePluginRegistry::add(const std::string& /*name*/, ErasureCodePlugin* plugin) {
  registered = plugin;
  return 0;
}
}  // namespace ceph

namespace xorloom::ceph_plugin {
namespace {

/// The library of Ceph's clients makes a context on the way to a cluster. None is connected to.
void make_context() {
  static ::rados_t cluster = nullptr;
  if (cluster != nullptr) return;
  if (::rados_create(&cluster, nullptr) != 0)
    throw std::runtime_error("Ceph's libraries do not begin");
  ceph::global::g_ceph_context = static_cast<CephContext*>(::rados_cct(cluster));
}

}  // namespace

ceph::ErasureCodeInterfaceRef loaded_code(const std::string& path, const std::string& name,
                                          ceph::ErasureCodeProfile profile, std::string& refusal) {
  static auto* const plugins = new std::map<std::string, ceph::ErasureCodePlugin*>;
  ceph::ErasureCodePlugin*& plugin = (*plugins)[path + " " + name];
  if (plugin == nullptr) {
    make_context();
    void* const library = ::dlopen(path.c_str(), RTLD_NOW);
    if (library == nullptr) throw std::runtime_error(::dlerror());
    const auto init =
        reinterpret_cast<int (*)(char*, char*)>(::dlsym(library, "__erasure_code_init"));
    if (init == nullptr) throw std::runtime_error(path + " is no plugin for erasure codes");
    std::string its_name = name;
    std::string directory = path.substr(0, path.rfind('/'));
    registered = nullptr;
    if (init(its_name.data(), directory.data()) != 0 || registered == nullptr) {
      throw std::runtime_error(path + " does not begin");
    }
    plugin = registered;
  }
  std::ostringstream error;
  ceph::ErasureCodeInterfaceRef code;
  const std::string directory = path.substr(0, path.rfind('/'));
  if (plugin->factory(directory, profile, &code, &error) != 0) code = nullptr;
  refusal = error.str();
  return code;
}

}  // namespace xorloom::ceph_plugin
