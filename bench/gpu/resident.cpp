#include "bench/gpu/resident.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/oracle.hpp"

namespace xorloom::gpu_bench {
namespace {

/// Calls `one` with the stripes in turns, then waits.
double seconds_of_stripe(DeviceWork& work, const std::function<void(std::size_t stripe)>& one,
                         const Effort& effort) {
  std::size_t next = 0;
  return seconds_of_call(
      [&] {
        one(next);
        next = (next + 1) % work.num_stripes();
      },
      [&] {
        work.flush();
        work.finish();
      },
      effort);
}

}  // namespace

double seconds_of_copy(DeviceLane& lane, const std::function<void()>& copy, const Effort& effort) {
  return seconds_of_call(
      copy, [&] { lane.finish(); }, effort);
}

void fill_and_check(DeviceWork& work, const Code& code) {
  constexpr std::size_t kChecked = 64 << 10;  // bytes of a chunk: the oracle is slow
  std::mt19937_64 random{1};
  for (std::size_t stripe = 0; stripe < work.num_stripes(); ++stripe) {
    for (const std::size_t l : work.reads()) {
      std::uint8_t* const chunk = work.host(stripe, l);
      for (std::size_t i = 0; i + 8 <= work.chunk_bytes(); i += 8) {
        const std::uint64_t word = random();
        std::memcpy(chunk + i, &word, sizeof word);
      }
    }
    work.copy_in(stripe);
    work.launch(stripe);
    work.copy_out(stripe);
    work.finish();
  }
  const std::size_t multiple = chunk_multiple(code);
  const std::size_t bytes =
      std::max(multiple, std::min(kChecked, work.chunk_bytes()) / multiple * multiple);
  std::vector<std::vector<std::uint8_t>> expected(code.locations);
  std::vector<std::uint8_t*> chunks;
  for (std::size_t l = 0; l < code.locations; ++l) {
    expected[l].assign(work.host(0, l), work.host(0, l) + bytes);
    chunks.push_back(expected[l].data());
  }
  oracle(code, encoding_map(code), chunks.data(), bytes);
  for (const std::size_t l : work.writes()) {
    if (!std::equal(expected[l].begin(), expected[l].end(), work.host(0, l))) {
      fail(Status::kInternal,
           fmt::format("{}: the kernel computes other bytes of chunk {}", code.name(), l));
    }
  }
}

double seconds_of_kernel(DeviceWork& work, const Effort& effort) {
  return seconds_of_stripe(
      work, [&](std::size_t stripe) { work.launch(stripe); }, effort);
}

double seconds_of_groups(DeviceWork& work, std::size_t groups, const Effort& effort) {
  return seconds_of_stripe(
      work, [&](std::size_t stripe) { work.launch_groups(stripe, groups); }, effort);
}

double seconds_of_transfers(DeviceWork& work, const Effort& effort) {
  return seconds_of_stripe(
      work,
      [&](std::size_t stripe) {
        work.copy_in(stripe);
        work.copy_out(stripe);
      },
      effort);
}

}  // namespace xorloom::gpu_bench
