#pragma once

#include <initializer_list>
#include <string>

namespace xorloom {

/// A function to look for in a library, and the pointer that is set to it.
struct LibraryFunction {
  const char* name;
  void* pointer;
};

/// Opens the first library of `names` that has all functions, and sets the pointers to them. The
/// library stays open for the life of the process: drivers of devices keep threads in it. The
/// loader's own rules say where a library lies.
///
/// Shape:   names such as "libcuda.so.1"; `what` is a phrase for the library.
/// Returns: a sentence that says why there is none; "" if there is one.
std::string open_library(const std::string& what, std::initializer_list<const char*> names,
                         std::initializer_list<LibraryFunction> functions);

/// `api` if `why_not` is empty. Else null, and `why`, if it is not null, becomes `why_not`.
template <typename Api>
const Api* opened(const Api& api, const std::string& why_not, std::string* why) {
  if (why_not.empty()) return &api;
  if (why != nullptr) *why = why_not;
  return nullptr;
}

}  // namespace xorloom
