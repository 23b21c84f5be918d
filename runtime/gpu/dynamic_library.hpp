#pragma once

#include <initializer_list>
#include <string>

namespace xorloom {

/// A library that is opened at run time, if the machine has it. It stays open for the life of the
/// process: drivers of devices keep threads in it.
class DynamicLibrary {
 public:
  /// Opens a library by its name, such as "libcuda.so.1". The loader's own rules say where it lies.
  explicit DynamicLibrary(const char* name) noexcept;

  bool is_open() const noexcept { return handle_ != nullptr; }

  /// Why it is not open: what the loader says. Empty where it is.
  const std::string& error() const noexcept { return error_; }

  /// Sets a pointer to the function of that name, or to null.
  template <typename Function>
  bool find(const char* name, Function*& function) const noexcept {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }

 private:
  void* symbol(const char* name) const noexcept;

  void* handle_ = nullptr;
  std::string error_;
};

/// The functions of a library, if the machine has it.
template <typename Api>
struct OpenedApi {
  Api api{};
  std::string why_not{};  ///< a sentence; empty if it is there

  /// The functions, or null. Then `why` says why, if it is given.
  const Api* get(std::string* why) const {
    if (why_not.empty()) return &api;
    if (why != nullptr) *why = why_not;
    return nullptr;
  }
};

/// Opens the first of some libraries that has all functions. `find` sets them, and gives the name
/// of one that is missing, or null. What the libraries are, as a phrase, is `what`.
template <typename Api>
OpenedApi<Api> opened_api(const std::string& what, std::initializer_list<const char*> names,
                          const char* (*find)(const DynamicLibrary& library, Api& api)) {
  OpenedApi<Api> result;
  for (const char* const name : names) {
    const DynamicLibrary library(name);
    if (!library.is_open()) {
      if (result.why_not.empty()) {
        result.why_not = what + " is not installed: " + library.error();
      }
      continue;
    }
    const char* const missing = find(library, result.api);
    if (missing == nullptr) return {result.api, {}};
    result.why_not = std::string(name) + " lacks the function " + missing;
  }
  return result;
}

}  // namespace xorloom
