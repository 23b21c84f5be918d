// Threads with little stack that make codecs and use them.

#include <doctest/doctest.h>
#include <pthread.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/support/sanitizers.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

#ifndef XORLOOM_IS_SANITIZED  // whose frames are larger

/// Runs work on a thread of its own with 64 KiB of stack, or 128 where threads have no fewer.
void run_with_little_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  const auto least = static_cast<std::size_t>(PTHREAD_STACK_MIN);
  REQUIRE(pthread_attr_setstacksize(&attributes, std::max(least, std::size_t{64} << 10)) == 0);
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_t thread{};
  REQUIRE(pthread_create(&thread, &attributes, start,
                         const_cast<void*>(static_cast<const void*>(&work))) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  REQUIRE(pthread_attr_destroy(&attributes) == 0);
}

/// True if a codec is made, and encodes, verifies, updates, and recovers what is lost.
bool does_all(const char* spec, const Options& options) {
  const Codec codec(spec, options);
  const std::size_t locations = codec.info().locations;
  const std::size_t chunk_bytes = codec.round_up(20'000);
  std::vector<std::vector<std::uint8_t>> memory(locations, std::vector<std::uint8_t>(chunk_bytes));
  std::vector<std::uint8_t*> chunks;
  for (std::vector<std::uint8_t>& chunk : memory) {
    std::iota(chunk.begin(), chunk.end(), static_cast<std::uint8_t>(3 * chunks.size()));
    chunks.push_back(chunk.data());
  }
  if (codec.encode(chunks.data(), chunk_bytes) != Status::kOk) return false;
  if (codec.verify(chunks.data(), chunk_bytes) != Status::kOk) return false;
  const std::vector<std::vector<std::uint8_t>> encoded = memory;
  const std::vector<std::size_t> lost{0, locations - 1};
  for (const std::size_t location : lost) memory[location].assign(chunk_bytes, 0);
  if (codec.decode(chunks.data(), lost, chunk_bytes) != Status::kOk || memory != encoded) {
    return false;
  }
  memory[1].assign(chunk_bytes, 0);
  const Plan repair = codec.repair({.erased = {1}});
  if (repair.run(chunks.data(), chunk_bytes) != Status::kOk || memory != encoded) return false;
  const std::vector<std::uint8_t> changed(chunk_bytes, 7);
  return codec.update(0, chunks[0], changed.data(), chunks.data(), chunk_bytes) == Status::kOk;
}

TEST_CASE("A thread with 64 KiB of stack makes codecs and uses them") {
  for (const char* const spec :
       {"cauchy-good:k=10,m=4,w=8", "cauchy:k=9,m=7,w=8", "rs:k=40,m=20,w=8", "rs:k=20,m=6,w=32",
        "rdp:k=4", "leopard:k=128,m=32", "rs-poly:k=60,m=20", "clay:k=4,m=2", "lrc:k=8,m=4,l=3"}) {
    for (const Engine engine : {Engine::kAuto, Engine::kKernels}) {
      CAPTURE(spec);
      CAPTURE(engine == Engine::kAuto);
      bool is_done = false;
      std::string why;
      run_with_little_stack([&]() noexcept {
        try {
          is_done = does_all(spec, {.engine = engine});
        } catch (const std::exception& error) {
          why = error.what();
        }
      });
      CHECK(why == "");
      CHECK(is_done);
    }
  }
}

#endif

}  // namespace
}  // namespace xorloom
