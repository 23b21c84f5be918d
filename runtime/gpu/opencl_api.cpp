#include "runtime/gpu/opencl_api.hpp"

#include <fmt/format.h>

#include "runtime/gpu/dynamic_library.hpp"

namespace xorloom {
namespace {

struct Opened {
  OpenclApi api;
  std::string why_not;

  Opened() {
    const DynamicLibrary library("libOpenCL.so.1");
    if (!library.is_open()) {
      why_not = fmt::format("OpenCL is not installed: {}", library.error());
      return;
    }
#define XORLOOM_FIND(name)                                 \
  if (why_not.empty() && !library.find(#name, api.name)) { \
    why_not = "libOpenCL.so.1 lacks the function " #name;  \
  }
    XORLOOM_OPENCL_FUNCTIONS(XORLOOM_FIND)
#undef XORLOOM_FIND
  }
};

}  // namespace

const OpenclApi* opencl_api(std::string* why) {
  static const Opened opened;
  if (opened.why_not.empty()) return &opened.api;
  if (why != nullptr) *why = opened.why_not;
  return nullptr;
}

}  // namespace xorloom
