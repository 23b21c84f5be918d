#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/runtime/gpu/device_scene.hpp"

namespace xorloom {
namespace {

// ctest lets OpenCL's loader find a driver that is none: OCL_ICD_VENDORS names a file of garbage.

/// Whether a library is loaded in this process.
bool is_loaded(const char* library) {
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), {}};
  return text.find(library) != std::string::npos;
}

TEST_CASE("Executors of threads open no library of devices") {
  const bool had_opencl = is_loaded("libOpenCL");
  const bool had_cuda = is_loaded("libcuda");
  for (const Executor executor : {Executor::kAuto, Executor::kRanges, Executor::kGraph}) {
    const Codec codec("rs:k=2,m=1", {.threads = 2, .executor = executor});
    CHECK(codec.info().devices == "");
    const Chunks chunks(codec, 64);
    CHECK(codec.encode(chunks.data(), 64) == Status::kOk);
  }
  CHECK(is_loaded("libOpenCL") == had_opencl);
  CHECK(is_loaded("libcuda") == had_cuda);
}

TEST_CASE("Without a driver that works, executors of devices are refused in one sentence") {
  if (std::getenv("OCL_ICD_VENDORS") == nullptr) return;
  std::vector<std::string> reasons;
  for (const Executor executor : {Executor::kHybrid, Executor::kOpencl, Executor::kCuda}) {
    for (int i = 0; i < 2; ++i) {
      const std::string sentence = refusal_of(executor, "rs:k=2,m=1");
      const std::string begin = std::string("executor = ") + to_string(executor) + ": ";
      CAPTURE(sentence);
      CHECK(sentence.starts_with(begin));
      CHECK(sentence.find('\n') == std::string::npos);
      reasons.push_back(sentence.substr(std::min(sentence.size(), begin.size())));
    }
  }
  CHECK(reasons[0] == reasons[2]);  // without devices of CUDA, those of OpenCL are looked for
  CHECK(reasons[2] != reasons[4]);
}

}  // namespace
}  // namespace xorloom
