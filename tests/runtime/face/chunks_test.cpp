#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "xorloom/xorloom.h"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

std::uintptr_t address(const std::uint8_t* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

TEST_CASE("Chunks are lines apart in a page, aligned, and do not overlap") {
  const Codec codec("cauchy-good:k=10,m=4,w=8");
  for (const std::size_t chunk_bytes : {0U, 512U, 4096U, 32768U, 33280U, 1048576U}) {
    CAPTURE(chunk_bytes);
    const Chunks chunks(codec, chunk_bytes);
    REQUIRE(chunks.size() == 14);
    std::set<std::uintptr_t> places;
    for (std::size_t l = 0; l < chunks.size(); ++l) {
      CHECK(address(chunks.data()[l]) % 64 == 0);
      CHECK(chunks[l].size() == chunk_bytes);
      places.insert(address(chunks.data()[l]) % 4096);
      if (l > 0) CHECK(chunks.data()[l - 1] + chunk_bytes <= chunks.data()[l]);
      std::memset(chunks[l].data(), static_cast<int>(l), chunk_bytes);
    }
    if (chunk_bytes >= 4096) CHECK(places.size() == 14);
    CHECK(codec.encode(chunks.data(), chunk_bytes) == Status::kOk);
  }
}

TEST_CASE("Chunks that are moved keep their memory") {
  const Codec codec("cauchy:k=5,m=2,w=3");
  Chunks first(codec, 192);
  std::uint8_t* const place = first.data()[0];
  Chunks second(std::move(first));
  CHECK(second.data()[0] == place);
  Chunks third(codec, 384);
  third = std::move(second);
  CHECK(third.data()[0] == place);
  CHECK(third[6].size() == 192);
}

TEST_CASE("Sizes that cannot be are said with their bounds") {
  const Codec codec("cauchy:k=5,m=2,w=3");
  try {
    const Chunks chunks(codec, 100);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kInvalidArgument);
    CHECK(std::string(error.what()) == "chunk_bytes = 100 is not a multiple of 192");
  }
  try {
    const Chunks chunks(codec, std::size_t{192} << 54);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kUnsupported);
  }
}

TEST_CASE("C callers get chunks and the counts of plans") {
  xl_codec* codec = nullptr;
  REQUIRE(xl_codec_create("cauchy:k=5,m=2,w=3", nullptr, &codec) == XL_OK);
  uint8_t** chunks = nullptr;
  REQUIRE(xl_alloc_chunks(codec, 384, &chunks) == XL_OK);
  for (int l = 0; l < 7; ++l) std::memset(chunks[l], l, 384);
  CHECK(xl_encode(codec, chunks, 384) == XL_OK);
  const std::vector<std::uint8_t> before(chunks[1], chunks[1] + 384);
  std::memset(chunks[1], 0, 384);
  const int lost[] = {1};
  CHECK(xl_decode(codec, chunks, lost, 1, 384) == XL_OK);
  CHECK(xl_decode(codec, chunks, lost, 1, 384) == XL_OK);
  CHECK(std::equal(before.begin(), before.end(), chunks[1]));
  xl_free_chunks(chunks);
  xl_free_chunks(nullptr);

  xl_plan_counts counts{};
  counts.size = sizeof counts;
  REQUIRE(xl_codec_plan_counts(codec, &counts) == XL_OK);
  CHECK(counts.hits == 1);
  CHECK(counts.misses == 1);
  CHECK(counts.plans == 1);
  CHECK(counts.bytes > 0);
  CHECK(xl_alloc_chunks(codec, 100, &chunks) == XL_INVALID_ARGUMENT);
  CHECK(chunks == nullptr);
  CHECK(xl_alloc_chunks(nullptr, 384, &chunks) == XL_INVALID_ARGUMENT);
  CHECK(xl_codec_plan_counts(codec, nullptr) == XL_INVALID_ARGUMENT);
  xl_codec_destroy(codec);

  xl_options options{};
  options.size = sizeof options;
  options.threads = 1;
  options.plan_cache_bytes = SIZE_MAX;
  options.engine = "kernels";
  options.effort = "fast";
  REQUIRE(xl_codec_create("cauchy:k=5,m=2,w=3", &options, &codec) == XL_OK);
  xl_plan* plan = nullptr;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(xl_plan_create(codec, lost, 1, nullptr, 0, &plan) == XL_OK);
    xl_plan_destroy(plan);
  }
  REQUIRE(xl_codec_plan_counts(codec, &counts) == XL_OK);
  CHECK(counts.misses == 2);
  xl_codec_destroy(codec);
}

}  // namespace
}  // namespace xorloom
