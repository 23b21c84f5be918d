#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runtime/gpu/cuda_api.hpp"
#include "runtime/gpu/cuda_device.hpp"
#include "tests/runtime/gpu/device_scene.hpp"
#include "tests/runtime/gpu/fake_driver.hpp"

namespace xorloom {
namespace {

constexpr const char* kCudaPackets = "cauchy-good:k=3,m=2,w=2,packet_bytes=24";
constexpr const char* kCudaWords = "rs:k=3,m=2,w=16";

std::vector<std::shared_ptr<const Device>> devices_by(const CudaApi& api,
                                                      FindNvrtc nvrtc = nvrtc_api) {
  std::string why;
  return cuda_devices(api, nvrtc, why);
}

Codec on_cuda(const std::string& spec) { return Codec(spec, {.executor = Executor::kCuda}); }

std::string cuda_refusal() { return refusal_of(Executor::kCuda, kCudaPackets); }

TEST_CASE("CUDA encodes and decodes as the oracle does") {
  SKIP_WITHOUT_FAKE_DRIVER();
  for (const char* const spec : {kCudaPackets, kCudaWords, "rs:k=3,m=2", "clay:k=2,m=2"}) {
    const Code code = make_code(spec);
    const Codec codec = on_cuda(spec);
    CHECK(codec.info().devices == "fake GPU 0");
    const std::size_t multiple = chunk_multiple(code);
    check_encoding(codec, code, multiple);
    check_encoding(codec, code, 301 * multiple);
  }
  const Code code = make_code(kCudaWords);
  check_decoding(on_cuda(kCudaWords), code, {0, 2}, 602);
}

TEST_CASE("Streams take slices in turn, from pinned memory and from any other, on every device") {
  SKIP_WITHOUT_FAKE_DRIVER();
  ::setenv("XORLOOM_FAKE_CUDA_COUNT", "3", 1);
  const auto devices = devices_by(*cuda_api());
  ::unsetenv("XORLOOM_FAKE_CUDA_COUNT");
  REQUIRE(devices.size() == 3);
  const OtherDevices other(Executor::kCuda, make_device_set(devices, "", {2, 1000, 4096}));
  const Code code = make_code(kCudaPackets);
  const Codec codec = on_cuda(kCudaPackets);
  CHECK(codec.info().devices == "fake GPU 0, fake GPU 1, fake GPU 2");
  check_encoding(codec, code, 48000);
  // Chunks are pinned: longer ones are copied without a stop in between.
  constexpr std::size_t kLong = 480'000;
  const Chunks chunks(codec, kLong);
  const Stripe expected = encoded_stripe(code, kLong);
  for (std::size_t l = 0; l < 5; ++l) std::ranges::copy(expected.chunk(l), chunks[l].begin());
  for (const std::size_t l : {std::size_t{3}, std::size_t{4}})
    std::ranges::fill(chunks[l], std::uint8_t{0xee});
  const OtherDevices large(Executor::kCuda,
                           make_device_set(devices, "", {2, 1 << 16, std::size_t{1} << 19}));
  const Codec by_large_slices = on_cuda(kCudaPackets);
  CHECK(devices[0]->copies_directly(chunks.data()[0]));
  CHECK(!devices[0]->copies_directly(expected.chunk(0).data()));
  REQUIRE(by_large_slices.encode(chunks.data(), kLong) == Status::kOk);
  for (std::size_t l = 0; l < 5; ++l) CHECK(std::ranges::equal(expected.chunk(l), chunks[l]));
}

/// Threads that have copied to a device, of chunks that are not pinned.
std::set<std::thread::id> copying;
std::mutex copying_mutex;

TEST_CASE("Several threads copy chunks that are not pinned, each to lanes of its own") {
  SKIP_WITHOUT_FAKE_DRIVER();
  static const CudaApi api = [] {
    CudaApi made = *cuda_api();
    made.copy_in = [](CudaAddress to, const void* from, std::size_t bytes, CudaStream stream) {
      {
        const std::lock_guard lock(copying_mutex);
        copying.insert(std::this_thread::get_id());
      }
      return cuda_api()->copy_in(to, from, bytes, stream);
    };
    return made;
  }();
  ::setenv("XORLOOM_FAKE_CUDA_COUNT", "2", 1);
  const auto devices = devices_by(api);
  ::unsetenv("XORLOOM_FAKE_CUDA_COUNT");
  for (const auto& some : {std::vector{devices[0]}, devices}) {
    const OtherDevices other(Executor::kCuda, make_device_set(some, "", {3, 1000, 4096}));
    for (const char* const spec : {kCudaPackets, kCudaWords}) {
      const Code code = make_code(spec);
      for (const int threads : {1, 2, 3, 5, 0}) {
        CAPTURE(threads);
        const Codec codec(spec, {.threads = threads, .executor = Executor::kCuda});
        copying.clear();
        for (const std::size_t bytes : {std::size_t{48}, std::size_t{1200}, std::size_t{48000}}) {
          check_encoding(codec, code, bytes);
        }
        if (threads == 1) CHECK(copying.size() == 1);
        const Codec hybrid(spec, {.threads = threads, .executor = Executor::kHybrid});
        for (const std::size_t bytes : {48U, 1200U, 48000U}) check_encoding(hybrid, code, bytes);
      }
    }
  }
}

TEST_CASE("A driver that does not start, as the stub of the toolkit, is one that is not there") {
  SKIP_WITHOUT_FAKE_DRIVER();
  std::string why;
  ::setenv("XORLOOM_FAKE_CUDA_INIT", "34", 1);
  CHECK(cuda_devices(*cuda_api(), nvrtc_api, why).empty());
  ::unsetenv("XORLOOM_FAKE_CUDA_INIT");
  CHECK(why == "the driver of CUDA does not start: stub library (CUDA's error 34)");
  {
    const OtherDevices none(Executor::kCuda, make_device_set({}, why));
    CHECK(cuda_refusal() == "executor = cuda: " + why);
  }
  ::setenv("XORLOOM_FAKE_CUDA_COUNT", "0", 1);
  CHECK(cuda_devices(*cuda_api(), nvrtc_api, why).empty());
  ::unsetenv("XORLOOM_FAKE_CUDA_COUNT");
  CHECK(why == "CUDA has no device on this machine");
}

/// NVRTC as it is here, but for the devices that it knows.
template <int kKnown>
const NvrtcApi* knowing(std::string* why) {
  static const NvrtcApi api = [&] {
    NvrtcApi made = *nvrtc_api(why);
    made.num_archs = [](int* count) {
      *count = 1;
      return 0;
    };
    made.archs = [](int* archs) {
      archs[0] = kKnown;
      return 0;
    };
    return made;
  }();
  return &api;
}

const NvrtcApi* no_nvrtc(std::string* why) {
  if (why != nullptr) *why = "NVRTC is not installed: there is no such file";
  return nullptr;
}

TEST_CASE("NVRTC that is missing or older is said, and PTX runs where it can") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const TemporaryFolder cache;  // no kernel is compiled yet
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  {
    const OtherDevices other(Executor::kCuda,
                             make_device_set(devices_by(*cuda_api(), no_nvrtc), ""));
    CHECK(cuda_refusal() == "executor = cuda: NVRTC is not installed: there is no such file");
  }
  {
    const OtherDevices other(Executor::kCuda,
                             make_device_set(devices_by(*cuda_api(), knowing<100>), ""));
    CHECK(cuda_refusal() ==
          "executor = cuda: this NVRTC does not know devices of compute capability 9.0");
  }
  {
    const OtherDevices other(Executor::kCuda,
                             make_device_set(devices_by(*cuda_api(), knowing<80>), ""));
    check_encoding(on_cuda(kCudaPackets), make_code(kCudaPackets), 480);
  }
  ::setenv("XDG_CACHE_HOME", own_caches().path().c_str(), 1);
}

int compilations = 0;

/// NVRTC as it is here, counted.
const NvrtcApi* counted(std::string* why) {
  static const NvrtcApi api = [&] {
    NvrtcApi made = *nvrtc_api(why);
    made.compile = [](NvrtcProgram program, int count, const char* const* options) {
      ++compilations;
      return nvrtc_api()->compile(program, count, options);
    };
    return made;
  }();
  return &api;
}

TEST_CASE("Compiled kernels are kept if the store is the user's, and damaged files are made anew") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const TemporaryFolder cache;
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const auto compilations_of_a_codec = [](const std::string& wisdom = "user") {
    compilations = 0;
    const OtherDevices other(Executor::kCuda,
                             make_device_set(devices_by(*cuda_api(), counted), ""));
    const Codec codec(kCudaPackets, {.executor = Executor::kCuda, .wisdom = wisdom});
    check_encoding(codec, make_code(kCudaPackets), 480);
    return compilations;
  };
  const auto files = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(cache.path())) {
      if (entry.path().extension() == ".kernel") found.push_back(entry.path());
    }
    return found;
  };
  CHECK(compilations_of_a_codec("") == 1);
  CHECK(std::filesystem::is_empty(cache.path()));
  CHECK(compilations_of_a_codec() == 1);
  REQUIRE(files().size() == 1);
  CHECK(compilations_of_a_codec() == 0);
  const std::size_t bytes = std::filesystem::file_size(files()[0]);
  for (const std::size_t at : {std::size_t{0}, std::size_t{30}, bytes / 2, bytes - 1}) {
    std::fstream file(files()[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(~byte));
    file.close();
    CHECK(compilations_of_a_codec() == 1);
    CHECK(compilations_of_a_codec() == 0);
  }
  std::filesystem::resize_file(files()[0], 20);
  CHECK(compilations_of_a_codec() == 1);
  // A cache directory that is a file.
  const std::string path = files()[0];
  ::setenv("XDG_CACHE_HOME", path.c_str(), 1);
  CHECK(compilations_of_a_codec() == 1);
  CHECK(compilations_of_a_codec() == 1);
  ::setenv("XDG_CACHE_HOME", own_caches().path().c_str(), 1);
}

/// Calls of functions of the driver that still succeed.
int launches_left = 0;
int allocations_left = 0;

TEST_CASE("A device of CUDA that fails in a call leaves the same bytes") {
  SKIP_WITHOUT_FAKE_DRIVER();
  static const CudaApi api = [] {
    CudaApi made = *cuda_api();
    made.launch = [](CudaFunction function, unsigned x, unsigned y, unsigned z, unsigned bx,
                     unsigned by, unsigned bz, unsigned shared, CudaStream stream, void** arguments,
                     void** extra) {
      constexpr CudaResult kLaunchFailed = 719;
      if (--launches_left < 0) return kLaunchFailed;
      return cuda_api()->launch(function, x, y, z, bx, by, bz, shared, stream, arguments, extra);
    };
    made.allocate = [](CudaAddress* address, std::size_t bytes) {
      if (--allocations_left < 0) return kCudaOutOfMemory;
      return cuda_api()->allocate(address, bytes);
    };
    return made;
  }();
  launches_left = allocations_left = 1'000'000;
  const Code code = make_code(kCudaPackets);
  const OtherDevices other(Executor::kCuda, make_device_set(devices_by(api), "", {2, 1000, 4096}));
  const Codec codec = on_cuda(kCudaPackets);
  {
    const Heard heard;
    allocations_left = 0;
    // More than the lanes of acceptance hold.
    const OtherDevices large(Executor::kCuda, make_device_set(devices_by(api), ""));
    CHECK(cuda_refusal().find("out of memory") != std::string::npos);
    allocations_left = 1'000'000;
  }
  const Heard heard;
  launches_left = 3;
  check_encoding(codec, code, 48000);
  check_encoding(codec, code, 48000);
  REQUIRE(heard.sentences.size() == 1);
  CHECK(heard.sentences[0] ==
        "the processor computes what a device was asked for: a kernel on fake GPU 0 failed: a fake "
        "error (CUDA's error 719)");
  CHECK(cuda_refusal() == "executor = cuda: fake GPU 0 has failed in this process");
}

TEST_CASE("Where a device fails while several threads copy, the bytes are the same") {
  SKIP_WITHOUT_FAKE_DRIVER();
  static std::atomic<int> copies_left;
  static const CudaApi api = [] {
    CudaApi made = *cuda_api();
    made.copy_out = [](void* to, CudaAddress from, std::size_t bytes, CudaStream stream) {
      constexpr CudaResult kFailed = 719;
      return --copies_left < 0 ? kFailed : cuda_api()->copy_out(to, from, bytes, stream);
    };
    return made;
  }();
  const Code code = make_code(kCudaPackets);
  for (const int copies : {0, 1, 5, 20}) {
    CAPTURE(copies);
    copies_left = 1'000'000;
    const OtherDevices other(Executor::kCuda,
                             make_device_set(devices_by(api), "", {3, 1000, 4096}));
    const Codec codec(kCudaPackets, {.threads = 3, .executor = Executor::kCuda});
    const Heard heard;
    copies_left = copies;
    check_encoding(codec, code, 48000);
    CHECK(heard.sentences.size() == 1);
  }
}

int modules = 0;

TEST_CASE("A module that has not the kernel in it is given back") {
  SKIP_WITHOUT_FAKE_DRIVER();
  static const CudaApi api = [] {
    CudaApi made = *cuda_api();
    made.load_module = [](CudaModule* module, const void* image) {
      ++modules;
      return cuda_api()->load_module(module, image);
    };
    made.unload_module = [](CudaModule module) {
      --modules;
      return cuda_api()->unload_module(module);
    };
    made.module_function = [](CudaFunction*, CudaModule, const char*) {
      constexpr CudaResult kNotFound = 500;
      return kNotFound;
    };
    return made;
  }();
  const OtherDevices other(Executor::kCuda, make_device_set(devices_by(api), ""));
  CHECK(cuda_refusal() ==
        "executor = cuda: fake GPU 0 does not load a kernel: a fake error (CUDA's error 500)");
  CHECK(modules == 0);
}

TEST_CASE("Chunks at addresses of CUDA are encoded there, in a stream") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const Code code = make_code(kCudaWords);
  const Codec codec = on_cuda(kCudaWords);
  constexpr std::size_t kBytes = 848;
  const Stripe expected = encoded_stripe(code, kBytes);
  const CudaApi& cuda = *cuda_api();
  std::vector<std::uint64_t> places;
  for (std::size_t l = 0; l < 5; ++l) {
    CudaAddress address = 0;
    REQUIRE(cuda.allocate(&address, kBytes) == kCudaSuccess);
    places.push_back(address);
    if (l < 3) cuda.copy_in(address, expected.chunk(l).data(), kBytes, nullptr);
  }
  REQUIRE(codec.encode_device({places}, kBytes) == Status::kOk);
  for (std::size_t l = 0; l < 5; ++l) {
    std::vector<std::uint8_t> chunk(kBytes);
    cuda.copy_out(chunk.data(), places[l], kBytes, nullptr);
    CHECK(std::ranges::equal(chunk, expected.chunk(l)));
  }
  const std::vector<std::uint64_t> of_host(
      5, reinterpret_cast<std::uintptr_t>(expected.chunk(0).data()) / 8 * 8);
  std::vector<std::uint64_t> apart = of_host;
  for (std::size_t l = 0; l < 5; ++l) apart[l] += l * kBytes;
  CHECK(codec.encode_device({apart}, kBytes) == Status::kInvalidArgument);
  CHECK(std::string(last_error()) ==
        "the chunks are in memory of a device that the codec does not use");
  for (const std::uint64_t place : places) cuda.release(place);
}

}  // namespace
}  // namespace xorloom
