#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

namespace xorloom::test {

/// A shared library, loaded as programs load it. It stays loaded.
class SharedLibrary {
 public:
  explicit SharedLibrary(const char* path) : handle_(::dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    REQUIRE_MESSAGE(handle_ != nullptr, ::dlerror());
  }

  bool has(const char* name) const { return ::dlsym(handle_, name) != nullptr; }

  /// A function by its name, which has to be there.
  template <typename Function>
  Function* find(const char* name) const {
    void* const found = ::dlsym(handle_, name);
    REQUIRE_MESSAGE(found != nullptr, name);
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;
};

}  // namespace xorloom::test
