#include "runtime/gpu/cuda_api.hpp"

#include <fmt/format.h>

#include <array>

#include "runtime/gpu/dynamic_library.hpp"

namespace xorloom {
namespace {

template <typename Api>
struct Opened {
  Api api;
  std::string why_not;
};

// The name of a function that is missing, or null.
#define XORLOOM_FIND(field, symbol, parameters) \
  if (!library.find(#symbol, api.field)) return #symbol;

const char* missing_function(const DynamicLibrary& library, CudaApi& api) {
  XORLOOM_CUDA_FUNCTIONS(XORLOOM_FIND)
  return nullptr;
}

const char* missing_function(const DynamicLibrary& library, NvrtcApi& api) {
  XORLOOM_NVRTC_FUNCTIONS(XORLOOM_FIND)
  return nullptr;
}
#undef XORLOOM_FIND

template <typename Api, std::size_t kNames>
Opened<Api> opened(const char* what, const std::array<const char*, kNames>& names) {
  Opened<Api> result;
  for (const char* const name : names) {
    const DynamicLibrary library(name);
    if (!library.is_open()) {
      if (result.why_not.empty()) {
        result.why_not = fmt::format("{} is not installed: {}", what, library.error());
      }
      continue;
    }
    const char* const missing = missing_function(library, result.api);
    if (missing == nullptr) return {result.api, {}};
    result.why_not = fmt::format("{} lacks the function {}", name, missing);
  }
  return result;
}

template <typename Api>
const Api* api_of(const Opened<Api>& opened, std::string* why) {
  if (opened.why_not.empty()) return &opened.api;
  if (why != nullptr) *why = opened.why_not;
  return nullptr;
}

}  // namespace

const CudaApi* cuda_api(std::string* why) {
  static const auto driver = opened<CudaApi>("the driver of CUDA", std::array{"libcuda.so.1"});
  return api_of(driver, why);
}

const NvrtcApi* nvrtc_api(std::string* why) {
  static const auto compiler =
      opened<NvrtcApi>("NVRTC", std::array{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"});
  return api_of(compiler, why);
}

}  // namespace xorloom
