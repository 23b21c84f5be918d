#include "runtime/gpu/dynamic_library.hpp"

#include <dlfcn.h>

namespace xorloom {

DynamicLibrary::DynamicLibrary(const char* name) noexcept
    : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* const why = dlerror();
  try {
    error_ = why != nullptr ? why : "it cannot be opened";
  } catch (...) {
    return;
  }
}

void* DynamicLibrary::symbol(const char* name) const noexcept {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

}  // namespace xorloom
