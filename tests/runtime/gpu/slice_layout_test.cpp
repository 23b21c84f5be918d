#include "runtime/gpu/slice_layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

struct Scene {
  Code code;
  Program program;
  SliceLayout layout;
  std::size_t rows;

  explicit Scene(const char* spec) : Scene(make_code(spec)) {}
  explicit Scene(Code made)
      : code(std::move(made)),
        program(direct_encoding(code, {}, over_of(code))),
        layout(code, program, emit_kernel(code, {"run", program})),
        rows(program.rows) {}
};

/// Copies slices of all columns from one stripe, and the written part of each into another stripe.
void check_slices(const Scene& scene, std::size_t chunk_bytes, std::size_t step) {
  CAPTURE(scene.code.spec);
  CAPTURE(chunk_bytes);
  CAPTURE(step);
  const Stripe from(scene.code.locations, chunk_bytes, 1);
  Stripe to(scene.code.locations, chunk_bytes, 2);
  Stripe expected = to;
  for (std::size_t l = 0; l < from.locations(); ++l) {
    const bool is_written =
        std::ranges::any_of(scene.program.outputs, [&](Element e) { return e / scene.rows == l; });
    if (is_written) std::ranges::copy(from.chunk(l), expected.chunk(l).begin());
  }
  const std::size_t columns = chunk_bytes / scene.rows;
  for (std::size_t begin = 0; begin < columns; begin += step) {
    const Slice slice = scene.layout.slice(begin, std::min(columns, begin + step));
    for (const std::uint64_t place : slice.places) REQUIRE(place % 256 == 0);
    std::vector<std::uint8_t> memory(slice.bytes, 0xa5);
    for (const SliceCopy& copy : scene.layout.reads(slice, from.chunks(), chunk_bytes)) {
      REQUIRE(copy.place + copy.bytes <= slice.in_bytes);
    }
    for (const SliceCopy& copy : scene.layout.writes(slice, from.chunks(), chunk_bytes)) {
      REQUIRE(copy.place >= slice.out_begin);
      REQUIRE(copy.place + copy.bytes <= slice.bytes);
      std::memcpy(&memory[copy.place], copy.host, copy.bytes);
    }
    for (const SliceCopy& copy : scene.layout.writes(slice, to.chunks(), chunk_bytes)) {
      std::memcpy(copy.host, &memory[copy.place], copy.bytes);
    }
  }
  CHECK(to == expected);
  CHECK(to.guards_intact());
}

TEST_CASE("Slices cover what is written of a stripe once, wherever they begin") {
  for (const char* spec :
       {"cauchy-good:k=3,m=2,w=3,packet_bytes=24", "rs:k=3,m=2", "clay:k=2,m=2"}) {
    const Scene scene(spec);
    const std::size_t chunk_bytes = 40 * chunk_multiple(scene.code);
    for (const std::size_t step : Sizes{8, 16, 24, 40, 1000})
      check_slices(scene, chunk_bytes, step);
  }
}

TEST_CASE("Whole super-blocks of a chunk are one copy") {
  const Scene scene("cauchy-good:k=3,m=2,w=3,packet_bytes=24");
  const std::size_t chunk_bytes = 10 * 72;
  const Stripe stripe(5, chunk_bytes, 1);
  const Slice slice = scene.layout.slice(48, 240);
  CHECK(slice.columns == 192);
  const auto reads = scene.layout.reads(slice, stripe.chunks(), chunk_bytes);
  REQUIRE(reads.size() == 3);
  CHECK(reads[0].host == stripe.chunks()[0] + 144);
  CHECK(reads[0].bytes == 576);
  const auto writes = scene.layout.writes(slice, stripe.chunks(), chunk_bytes);
  REQUIRE(writes.size() == 2);
  CHECK(writes[1].host == stripe.chunks()[4] + 144);
  CHECK(writes[1].bytes == 576);
}

TEST_CASE("Sub-chunks of words begin at multiples of 8 bytes") {
  const Scene scene("clay:k=2,m=2");
  const Slice slice = scene.layout.slice(0, 13);
  CHECK(slice.pitch == 16);
  CHECK(std::ranges::all_of(slice.places, [](std::uint64_t place) { return place % 8 == 0; }));
}

}  // namespace
}  // namespace xorloom
