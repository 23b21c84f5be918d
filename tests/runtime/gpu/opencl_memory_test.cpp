#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/runtime/gpu/device_scene.hpp"
#include "xorloom/xorloom.h"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

/// A program of a user's: a context, a queue and a buffer of his own.
class User {
 public:
  explicit User(std::size_t bytes) {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    REQUIRE(cl_.clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS);
    REQUIRE(cl_.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS);
    cl_int result = CL_SUCCESS;
    context_ = cl_.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
    REQUIRE(result == CL_SUCCESS);
    queue_ = cl_.clCreateCommandQueue(context_, device, 0, &result);
    REQUIRE(result == CL_SUCCESS);
    memory_ = cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &result);
    REQUIRE(result == CL_SUCCESS);
  }
  User(const User&) = delete;
  User& operator=(const User&) = delete;
  ~User() {
    cl_.clReleaseMemObject(memory_);
    cl_.clReleaseCommandQueue(queue_);
    cl_.clReleaseContext(context_);
  }

  void* memory() { return memory_; }
  void* queue() { return queue_; }

  void put(const Stripe& stripe, const std::vector<std::uint64_t>& places) {
    for (std::size_t l = 0; l < stripe.locations(); ++l) {
      REQUIRE(cl_.clEnqueueWriteBuffer(queue_, memory_, CL_TRUE, places[l], stripe.chunk_bytes(),
                                       stripe.chunk(l).data(), 0, nullptr, nullptr) == CL_SUCCESS);
    }
  }

  void get(Stripe& stripe, const std::vector<std::uint64_t>& places) {
    for (std::size_t l = 0; l < stripe.locations(); ++l) {
      REQUIRE(cl_.clEnqueueReadBuffer(queue_, memory_, CL_TRUE, places[l], stripe.chunk_bytes(),
                                      stripe.chunk(l).data(), 0, nullptr, nullptr) == CL_SUCCESS);
    }
  }

 private:
  const OpenclApi& cl_ = *opencl_api();
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_mem memory_ = nullptr;
};

/// Places with gaps, not in the order of the locations.
std::vector<std::uint64_t> places_of(std::size_t locations, std::size_t chunk_bytes) {
  std::vector<std::uint64_t> places(locations);
  for (std::size_t l = 0; l < locations; ++l) {
    places[l] = ((l * 3 + 1) % locations) * (chunk_bytes + 24) / 8 * 8 + 8;
  }
  return places;
}

TEST_CASE("Chunks in memory of a device are encoded and decoded there") {
  SKIP_WITHOUT_OPENCL();
  for (const std::string spec :
       {"cauchy-good:k=3,m=2,w=3,packet_bytes=24", "rs:k=3,m=2,w=16", "clay:k=2,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Codec codec(spec, {.executor = Executor::kOpencl});
    const std::size_t chunk_bytes = codec.round_up(2880);
    const Stripe expected = encoded_stripe(code, chunk_bytes);
    const std::vector<std::uint64_t> places = places_of(code.locations, chunk_bytes);
    User user(code.locations * (chunk_bytes + 24) + 64);
    Stripe stripe = expected;
    const Plan encoding = codec.encoding();
    for (const std::size_t location : encoding.writes()) stripe.lose(location);
    user.put(stripe, places);
    const DeviceChunks chunks{places, user.memory(), user.queue()};
    REQUIRE(codec.encode_device(chunks, chunk_bytes) == Status::kOk);
    user.get(stripe, places);
    CHECK(stripe == expected);
    const std::vector<std::size_t> lost = {0, code.locations - 1};
    for (const std::size_t location : lost) stripe.lose(location);
    user.put(stripe, places);
    REQUIRE(codec.decode_device(chunks, lost, chunk_bytes) == Status::kOk);
    user.get(stripe, places);
    CHECK(stripe == expected);
  }
}

TEST_CASE("What cannot be done on a device is said, and nothing is put in the queue") {
  SKIP_WITHOUT_OPENCL();
  const std::string spec = "rs:k=3,m=2";
  const Codec codec(spec, {.executor = Executor::kOpencl});
  User user(5 * 64);
  std::vector<std::uint64_t> places = {0, 64, 128, 192, 256};
  const auto encode = [&](std::size_t chunk_bytes) {
    const Status status = codec.encode_device({places, user.memory(), user.queue()}, chunk_bytes);
    return status == Status::kOk ? std::string() : std::string(last_error());
  };
  CHECK(encode(64) == "");
  CHECK(encode(0) == "");
  CHECK(encode(60) ==
        "sub-chunks of 60 bytes are no multiple of 8, as on a device they have to be");
  places[1] = 68;
  CHECK(encode(56) == "chunk 1 begins at 0x44, which is no multiple of 8");
  places[1] = 64;
  places[3] = 72;
  CHECK(encode(64) == "chunk 3, which is written, overlaps chunk 1 within 64 bytes");
  places.pop_back();
  CHECK(encode(64) == "4 places are not one for each of 5 locations");
  const Codec on_threads(spec);
  CHECK(on_threads.encode_device({places, user.memory(), user.queue()}, 64) ==
        Status::kUnsupported);
  CHECK(std::string(last_error()) ==
        "the plan does not run on a device: its executor is one of threads");
}

TEST_CASE("C programs use devices, too") {
  SKIP_WITHOUT_OPENCL();
  const Code code = make_code("rs:k=3,m=2");
  xl_options options{};
  options.size = sizeof options;
  options.threads = 1;
  options.executor = "opencl";
  xl_codec* codec = nullptr;
  REQUIRE(xl_codec_create("rs:k=3,m=2", &options, &codec) == XL_OK);
  xl_info info{};
  info.size = sizeof info;
  CHECK(xl_codec_info(codec, &info) == XL_OK);
  CHECK(std::string(info.executor) == "opencl");
  CHECK(std::string(info.devices) != "");
  const Stripe expected = encoded_stripe(code, 800);
  const std::vector<std::uint64_t> places = places_of(5, 800);
  User user(5 * 1000);
  Stripe stripe = expected;
  for (const std::size_t location : Sizes{3, 4}) stripe.lose(location);
  user.put(stripe, places);
  CHECK(xl_encode_device(codec, user.memory(), places.data(), user.queue(), 800) == XL_OK);
  user.get(stripe, places);
  CHECK(stripe == expected);
  const int lost[] = {1, 3};
  for (const int location : lost) stripe.lose(static_cast<std::size_t>(location));
  user.put(stripe, places);
  CHECK(xl_decode_device(codec, user.memory(), places.data(), lost, 2, user.queue(), 800) == XL_OK);
  user.get(stripe, places);
  CHECK(stripe == expected);
  xl_plan* plan = nullptr;
  REQUIRE(xl_plan_create(codec, lost, 2, nullptr, 0, &plan) == XL_OK);
  for (const int location : lost) stripe.lose(static_cast<std::size_t>(location));
  user.put(stripe, places);
  CHECK(xl_plan_run_device(plan, user.memory(), places.data(), user.queue(), 800) == XL_OK);
  user.get(stripe, places);
  CHECK(stripe == expected);
  CHECK(xl_encode_device(codec, user.memory(), nullptr, user.queue(), 800) == XL_INVALID_ARGUMENT);
  CHECK(xl_encode_device(nullptr, user.memory(), places.data(), user.queue(), 800) ==
        XL_INVALID_ARGUMENT);
  CHECK(xl_plan_run_device(nullptr, user.memory(), places.data(), user.queue(), 800) ==
        XL_INVALID_ARGUMENT);
  xl_plan_destroy(plan);
  xl_codec_destroy(codec);
}

}  // namespace
}  // namespace xorloom
