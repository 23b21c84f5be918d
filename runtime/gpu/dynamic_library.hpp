#pragma once

#include <initializer_list>
#include <string>

namespace xorloom {

/// A function that is looked for in a library, and the pointer to set to it.
struct LibraryFunction {
  const char* name;
  void* pointer;
};

/// Opens the first of some libraries that has all functions, and sets the pointers to them. The
/// library stays open for the life of the process: drivers of devices keep threads in it. The
/// loader's own rules say where a library lies.
///
/// Shape:   names such as "libcuda.so.1"; `what` they are, as a phrase.
/// Returns: why there is none, in a sentence; "" if there is one.
std::string open_library(const std::string& what, std::initializer_list<const char*> names,
                         std::initializer_list<LibraryFunction> functions);

/// The functions of a library, or null. Then `why` says why, if it is given.
template <typename Api>
const Api* opened(const Api& api, const std::string& why_not, std::string* why) {
  if (why_not.empty()) return &api;
  if (why != nullptr) *why = why_not;
  return nullptr;
}

}  // namespace xorloom
