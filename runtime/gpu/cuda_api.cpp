#include "runtime/gpu/cuda_api.hpp"

#include "runtime/gpu/dynamic_library.hpp"

namespace xorloom {

#define XORLOOM_FIND(field, symbol, parameters) LibraryFunction{#symbol, &api.field},

const CudaApi* cuda_api(std::string* why) {
  static CudaApi api;
  static const std::string why_not =
      open_library("the driver of CUDA", {"libcuda.so.1"}, {XORLOOM_CUDA_FUNCTIONS(XORLOOM_FIND)});
  return opened(api, why_not, why);
}

const NvrtcApi* nvrtc_api(std::string* why) {
  static NvrtcApi api;
  static const std::string why_not =
      open_library("NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"},
                   {XORLOOM_NVRTC_FUNCTIONS(XORLOOM_FIND)});
  return opened(api, why_not, why);
}
#undef XORLOOM_FIND

}  // namespace xorloom
