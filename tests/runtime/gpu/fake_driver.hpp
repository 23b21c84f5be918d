#pragma once

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "runtime/gpu/cuda_api.hpp"
#include "tests/runtime/gpu/device_scene.hpp"
#include "tests/support/compilers.hpp"

// fake_cuda.cpp is what libcuda.so.1 and libnvrtc.so.12 are in tests: ctest says so to the loader.

namespace xorloom {

inline bool has_fake_driver() {
  own_caches();
  const CudaApi* const api = cuda_api();
  int count = 0;
  std::array<char, 64> name{};
  return api != nullptr && api->init(0) == kCudaSuccess &&
         api->device_count(&count) == kCudaSuccess && count != 0 &&
         api->device_name(name.data(), name.size(), 0) == kCudaSuccess &&
         std::string(name.data()).starts_with("fake");
}

#define SKIP_WITHOUT_FAKE_DRIVER()                                           \
  SKIP_WITHOUT_COMPILERS(compilers());                                       \
  if (!has_fake_driver()) {                                                  \
    MESSAGE("SKIPPED: the fake driver of CUDA is not on the loader's path"); \
    return;                                                                  \
  }

}  // namespace xorloom
