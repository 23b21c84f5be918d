#include "runtime/gpu/dynamic_library.hpp"

#include <dlfcn.h>

#include <cstring>

namespace xorloom {

std::string open_library(const std::string& what, std::initializer_list<const char*> names,
                         std::initializer_list<LibraryFunction> functions) {
  std::string why_not;
  for (const char* const name : names) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const error = dlerror();
      if (!why_not.empty()) continue;
      why_not = what + " is not installed: " + (error != nullptr ? error : "it cannot be opened");
      continue;
    }
    const char* missing = nullptr;
    for (const LibraryFunction& function : functions) {
      void* const found = dlsym(library, function.name);
      if (found == nullptr && missing == nullptr) missing = function.name;
      std::memcpy(function.pointer, &found, sizeof found);
    }
    if (missing == nullptr) return "";
    why_not = std::string(name) + " lacks the function " + missing;
  }
  return why_not;
}

}  // namespace xorloom
