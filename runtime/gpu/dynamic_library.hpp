#pragma once

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

}  // namespace xorloom
