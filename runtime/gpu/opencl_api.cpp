#include "runtime/gpu/opencl_api.hpp"

#include "runtime/gpu/dynamic_library.hpp"

namespace xorloom {
namespace {

/// The name of a function that is missing, or null.
const char* find_functions(const DynamicLibrary& library, OpenclApi& api) {
#define XORLOOM_FIND(name) \
  if (!library.find(#name, api.name)) return #name;
  XORLOOM_OPENCL_FUNCTIONS(XORLOOM_FIND)
#undef XORLOOM_FIND
  return nullptr;
}

}  // namespace

const OpenclApi* opencl_api(std::string* why) {
  static const auto opened = opened_api<OpenclApi>("OpenCL", {"libOpenCL.so.1"}, find_functions);
  return opened.get(why);
}

}  // namespace xorloom
