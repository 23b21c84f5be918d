#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/gpu/device_scene.hpp"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

Codec on_devices(const std::string& spec) { return Codec(spec, {.executor = Executor::kOpencl}); }

TEST_CASE("Devices compute packets of 8 to 4096 bytes") {
  SKIP_WITHOUT_OPENCL();
  for (const std::size_t packet_bytes : Sizes{8, 24, 128, 1000, 4096}) {
    const std::string spec = fmt::format("cauchy-good:k=3,m=2,w=3,packet_bytes={}", packet_bytes);
    const Code code = make_code(spec);
    const Codec codec = on_devices(spec);
    for (const std::size_t super_blocks : Sizes{1, 2, 37}) {
      check_encoding(codec, code, super_blocks * 3 * packet_bytes);
    }
  }
}

TEST_CASE("Devices compute words of 4 to 32 bits, whatever is left at the end") {
  SKIP_WITHOUT_OPENCL();
  for (const std::size_t w : Sizes{4, 8, 16, 32}) {
    const std::string spec = fmt::format("rs:k=3,m=2,w={}", w);
    const Code code = make_code(spec);
    const Codec codec = on_devices(spec);
    const std::size_t multiple = chunk_multiple(code);
    for (const std::size_t bytes : Sizes{4, 8, 12, 60, 64, 68, 1020, 4100}) {
      check_encoding(codec, code, bytes / multiple * multiple);
    }
    check_encoding(codec, code, multiple);
    check_encoding(codec, code, 257 * multiple);
  }
}

TEST_CASE("Devices compute words whose bytes lie in planes") {
  SKIP_WITHOUT_OPENCL();
  const std::string spec = "leopard:k=3,m=2,w=16";
  const Code code = make_code(spec);
  const Codec codec = on_devices(spec);
  for (const std::size_t blocks : Sizes{1, 2, 31}) {
    check_encoding(codec, code, blocks * chunk_multiple(code));
  }
}

TEST_CASE("Stripes are cut into slices, which several devices share") {
  SKIP_WITHOUT_OPENCL();
  const auto real = devices_by(*opencl_api());
  for (const auto& devices : {std::vector{real[0]}, std::vector{real[0], real[0], real[0]}}) {
    for (const std::size_t lanes : Sizes{1, 2, 4}) {
      CAPTURE(devices.size());
      CAPTURE(lanes);
      const OtherDevices few(Executor::kOpencl,
                             make_device_set(devices, "", {lanes, 1000, std::size_t{1} << 14}));
      for (const std::string spec :
           {"cauchy-good:k=3,m=2,w=3,packet_bytes=24", "rs:k=3,m=2,w=16", "clay:k=2,m=2"}) {
        const Code code = make_code(spec);
        const Codec codec = on_devices(spec);
        const std::size_t multiple = chunk_multiple(code);
        check_encoding(codec, code, 1000 / multiple * multiple);
        check_encoding(codec, code, 100'002 / multiple * multiple);
      }
    }
  }
}

TEST_CASE("Devices and threads share the slices of a stripe") {
  SKIP_WITHOUT_OPENCL();
  const auto real = devices_by(*opencl_api());
  const OtherDevices no_cuda(Executor::kCuda, make_device_set({}, "there is none"));
  for (const auto& devices : {std::vector{real[0]}, std::vector{real[0], real[0]}}) {
    const OtherDevices few(Executor::kOpencl,
                           make_device_set(devices, "", {2, 1000, std::size_t{1} << 14}));
    for (const std::string spec :
         {"cauchy-good:k=3,m=2,w=3,packet_bytes=24", "rs:k=3,m=2,w=16", "clay:k=2,m=2"}) {
      const Code code = make_code(spec);
      const std::size_t multiple = chunk_multiple(code);
      for (const int threads : {1, 5}) {
        CAPTURE(threads);
        const Codec codec(spec, {.threads = threads, .executor = Executor::kHybrid});
        CHECK(codec.info().devices != "");
        check_encoding(codec, code, multiple);
        check_encoding(codec, code, 1000 / multiple * multiple);
        check_encoding(codec, code, 100'002 / multiple * multiple);
        check_decoding(codec, code, {0, 2}, 100'002 / multiple * multiple);
      }
    }
  }
}

TEST_CASE("Threads share a codec on devices") {
  SKIP_WITHOUT_OPENCL();
  const std::string spec = "cauchy-good:k=3,m=2,w=3,packet_bytes=24";
  const Code code = make_code(spec);
  const Codec codec = on_devices(spec);
  const Stripe expected = encoded_stripe(code, 7200);
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        Stripe stripe = expected;
        for (const std::size_t location : Sizes{3, 4}) stripe.lose(location);
        const Status status = codec.encode(stripe.chunks(), 7200);
        if (status != Status::kOk || !(stripe == expected)) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}

TEST_CASE("Chunks for devices can be used as any others") {
  SKIP_WITHOUT_OPENCL();
  const Codec codec = on_devices("rs:k=3,m=2");
  const Chunks chunks(codec, 4096);
  REQUIRE(chunks.size() == 5);
  for (std::size_t l = 0; l < chunks.size(); ++l) {
    CHECK(reinterpret_cast<std::uintptr_t>(chunks.data()[l]) % 64 == 0);
    std::ranges::fill(chunks[l], static_cast<std::uint8_t>(l));
  }
  CHECK(codec.encode(chunks.data(), 4096) == Status::kOk);
  CHECK(codec.verify(chunks.data(), 4096) == Status::kOk);
}

}  // namespace
}  // namespace xorloom
