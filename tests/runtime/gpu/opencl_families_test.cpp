#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/runtime/gpu/device_scene.hpp"
#include "tests/runtime/small_codes.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;

/// A kernel takes PoCL a third of a second and more: all of them are for the nightly tests.
bool tries_all() { return std::getenv("XORLOOM_TEST_ALL_KERNELS") != nullptr; }

std::size_t odd_chunk_bytes(const Code& code) {
  const std::size_t multiple = chunk_multiple(code);
  return multiple >= 8 ? 5 * multiple : 301 * multiple;
}

/// Sets of locations that can be rebuilt, the largest last.
std::vector<Set> losses(const Code& code) {
  std::vector<Set> result = test::subsets(code.locations, std::max(code.m, code.promised_losses));
  std::erase_if(result,
                [&](const Set& lost) { return lost.empty() || !is_recoverable(code, lost); });
  std::ranges::stable_sort(result, {}, &Set::size);
  return result;
}

/// Decodes all sets that a code survives, or about kManySets of them at regular steps if there are
/// more. Without `all`, decodes the last set only, which is one of the largest.
void check_losses(const std::string& spec, bool all) {
  constexpr std::size_t kManySets = 60;
  const Code code = make_code(spec);
  const Codec codec(spec, {.executor = Executor::kOpencl});
  const std::vector<Set> sets = losses(code);
  if (sets.empty()) return;
  const std::size_t step = all ? 1 + sets.size() / kManySets : sets.size();
  for (std::size_t i = sets.size(); i > 0; i -= std::min(i, step)) {
    check_decoding(codec, code, sets[i - 1], odd_chunk_bytes(code));
  }
}

TEST_CASE("Devices encode every family as the oracle does") {
  SKIP_WITHOUT_OPENCL();
  for (const Family* const family : families()) {
    const std::string spec(family->example);
    if (family->name == "file") continue;  // the example names no file that is here
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Codec codec(spec, {.executor = Executor::kOpencl});
    CHECK(codec.info().devices != "");
    check_encoding(codec, code, odd_chunk_bytes(code));
  }
}

TEST_CASE("Devices give back every set of chunks of small codes of every family") {
  SKIP_WITHOUT_OPENCL();
  if (!tries_all()) return;
  for (const std::string& spec : test::small_specs()) {
    const Code code = make_code(spec);
    CAPTURE(spec);
    check_encoding(Codec(spec, {.executor = Executor::kOpencl}), code, odd_chunk_bytes(code));
    check_losses(spec, true);
  }
}

TEST_CASE("Devices give back every set of chunks of small codes on packets and on words") {
  SKIP_WITHOUT_OPENCL();
  check_losses("cauchy-good:k=2,m=2,w=3", true);
  check_losses("rs:k=2,m=2", true);
}

TEST_CASE("Devices give back as many chunks as a code survives") {
  SKIP_WITHOUT_OPENCL();
  for (const char* spec : {"cauchy-good:k=4,m=3,w=4", "rs:k=4,m=3,w=16", "clay:k=4,m=2",
                           "zigzag:k=4,r=2", "x-code:p=5", "hover:k=4,r=3,v=2,h=1"}) {
    check_losses(spec, false);
  }
}

}  // namespace
}  // namespace xorloom
