#include "runtime/gpu/cuda_api.hpp"

#include "runtime/gpu/dynamic_library.hpp"

namespace xorloom {
namespace {

// The name of a function that is missing, or null.
#define XORLOOM_FIND(field, symbol, parameters) \
  if (!library.find(#symbol, api.field)) return #symbol;

const char* find_driver(const DynamicLibrary& library, CudaApi& api) {
  XORLOOM_CUDA_FUNCTIONS(XORLOOM_FIND)
  return nullptr;
}

const char* find_compiler(const DynamicLibrary& library, NvrtcApi& api) {
  XORLOOM_NVRTC_FUNCTIONS(XORLOOM_FIND)
  return nullptr;
}
#undef XORLOOM_FIND

}  // namespace

const CudaApi* cuda_api(std::string* why) {
  static const auto driver =
      opened_api<CudaApi>("the driver of CUDA", {"libcuda.so.1"}, find_driver);
  return driver.get(why);
}

const NvrtcApi* nvrtc_api(std::string* why) {
  static const auto compiler = opened_api<NvrtcApi>(
      "NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"}, find_compiler);
  return compiler.get(why);
}

}  // namespace xorloom
