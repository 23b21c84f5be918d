#include "runtime/shards/range_reading.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::SetScene;

struct RangedKind {
  const char* spec;
  std::uint64_t block_bytes;
};

/// Without pieces, with pieces of words and of packets, data between redundancy, and both in one
/// chunk.
const std::vector<RangedKind> kRangedKinds = {{"rs:k=4,m=2", 16},
                                              {"cauchy-good:k=4,m=2,w=4,packet_bytes=8", 64},
                                              {"lrc:k=4,m=2,l=3", 16},
                                              {"clay:k=4,m=2,d=5", 128},
                                              {"rdp:k=4,p=5,packet_bytes=4096", 2 * 4 * 4096},
                                              {"cauchy:k=3,m=2,w=3,packet_bytes=4096", 3 * 4096},
                                              {"x-code:p=5,packet_bytes=4096", 2 * 5 * 4096},
                                              {"x-code:p=5,packet_bytes=8", 80}};

SetScene scene_of(const RangedKind& kind, std::uint64_t seed) {
  const Code code = make_code(kind.spec);
  return SetScene(stripe_sizes(code, kind.block_bytes, 0).stripe_bytes * 7 / 2,
                  {.spec = kind.spec, .block_bytes = kind.block_bytes}, seed);
}

}  // namespace

TEST_CASE("Any range of a file comes back, whole and with two shards lost") {
  std::mt19937_64 random(3);
  for (const RangedKind& kind : kRangedKinds) {
    const SetScene scene = scene_of(kind, random());
    const std::uint64_t n = scene.content.size();
    const std::uint64_t stripe = scene.header.stripe_bytes;
    const std::uint64_t chunk = kind.block_bytes;
    std::vector<FileRange> ranges = {{0, 1},
                                     {n - 1, n},
                                     {0, n},
                                     {0, n + 100},
                                     {stripe - 1, stripe + 1},
                                     {stripe, 2 * stripe},
                                     {stripe + chunk - 1, stripe + chunk + 1},
                                     {n, n},
                                     {n + 5, n + 9},
                                     {7, 7}};
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t a = random() % n;
      const std::uint64_t most = i % 2 == 0 ? chunk : n;
      ranges.push_back({a, std::min(n, a + 1 + random() % most)});
    }
    const auto check_ranges = [&] {
      const test::ReadableSet set = scene.set();
      for (const FileRange& range : ranges) {
        CAPTURE(kind.spec);
        CAPTURE(range.begin);
        CAPTURE(range.end);
        const auto result = set.decode(1 + random() % 2, range);
        const std::uint64_t begin = std::min(range.begin, n);
        CHECK((result.content == scene.content.substr(begin, range.end - range.begin)));
        CHECK(result.damage.lost_stripes.empty());
        Progress progress;
        CHECK(check_set(set.opened, 1, progress, range).bytes_read == result.damage.bytes_read);
      }
    };
    check_ranges();
    scene.lose(0);
    check_ranges();
    scene.lose(3);
    if (std::string(kind.spec).starts_with("lrc")) continue;  // not any two
    check_ranges();
  }
}

TEST_CASE("A range in one chunk is read from one block, in pieces from those that hold it") {
  const SetScene plain = scene_of(kRangedKinds[0], 1);
  CHECK(plain.set().decode(1, {2 * 16 + 3, 2 * 16 + 9}).damage.bytes_read == 16 + kFrameBytes);
  CHECK(plain.set().decode(1, {64 + 10, 64 + 20}).damage.bytes_read == 2 * (16 + kFrameBytes));

  const SetScene clay = scene_of(kRangedKinds[3], 1);
  const std::uint64_t frame = kFrameBytes + 8 * 8;
  CHECK(clay.set().decode(1, {128 + 16, 128 + 17}).damage.bytes_read == frame + 16);
  CHECK(clay.set().decode(1, {128 + 15, 128 + 17}).damage.bytes_read == frame + 32);
  CHECK(clay.set().decode(1, {127, 129}).damage.bytes_read == 2 * (frame + 16));

  const SetScene rdp = scene_of(kRangedKinds[4], 1);
  const std::uint64_t row = 2 * 4096;  // two super-blocks
  CHECK(rdp.set().decode(1, {4096, 4097}).damage.bytes_read == kFrameBytes + 8 * 4 + row);
}

TEST_CASE("Of a lost chunk the pieces that are asked for are rebuilt, from less") {
  const SetScene clay = scene_of(kRangedKinds[3], 1);
  const std::uint64_t all = clay.set().decode(1, {0, 128}).damage.bytes_read;
  CHECK(all == kFrameBytes + 64 + 128);
  clay.lose(0);
  const auto whole = clay.set().decode(1, {0, 128});
  const auto part = clay.set().decode(1, {0, 16});
  CHECK(whole.content == clay.content.substr(0, 128));
  CHECK(part.content == clay.content.substr(0, 16));
  CHECK(part.damage.bytes_read < whole.damage.bytes_read);
}

TEST_CASE("Damage that a range does not touch is not met, and what it touches is rebuilt") {
  const SetScene scene = scene_of(kRangedKinds[3], 1);
  scene.damage(1, {1});  // in the middle of the block
  const std::uint64_t chunk = scene.header.stripe_bytes + 128;
  const auto apart = scene.set().decode(1, {chunk, chunk + 16});
  CHECK(apart.content == scene.content.substr(chunk, 16));
  CHECK(apart.damage.bad_blocks.empty());
  const auto met = scene.set().decode(1, {chunk + 64, chunk + 80});
  CHECK(met.content == scene.content.substr(chunk + 64, 16));
  CHECK(met.damage.bad_blocks.size() == 1);
  const auto before = scene.set().decode(1, {0, scene.header.stripe_bytes});
  CHECK(before.damage.bad_blocks.empty());
}

TEST_CASE("Of stripes that cannot be given back only those of the range are named") {
  const SetScene scene = scene_of(kRangedKinds[0], 1);
  for (const std::uint32_t location : {0U, 1U, 2U}) scene.damage(location, {1});
  const std::uint64_t stripe = scene.header.stripe_bytes;
  const test::ReadableSet set = scene.set();
  CHECK(set.decode(1, {0, stripe}).damage.lost_stripes.empty());
  CHECK(set.decode(1, {stripe + 48, stripe + 64}).content == scene.content.substr(stripe + 48, 16));
  const auto lost = set.decode(1, {stripe - 1, stripe + 1});
  CHECK(lost.content == scene.content.substr(stripe - 1, 1));
  CHECK(lost.damage.lost_stripes.size() == 1);

  const SetScene cut = scene_of(kRangedKinds[0], 1);
  for (std::uint32_t i = 0; i < 6; ++i) {
    std::filesystem::resize_file(cut.path(i), block_offset(cut.header, 2));
  }
  CHECK(cut.set().decode(1, {0, 2 * stripe}).damage.lost_stripes.empty());
  const auto behind = cut.set().decode(1, {stripe, 2 * stripe + 1});
  CHECK(behind.content == cut.content.substr(stripe, stripe));
  REQUIRE(behind.damage.lost_stripes.size() == 1);
  CHECK(behind.damage.lost_stripes[0].first == 2);
  CHECK(behind.damage.lost_stripes[0].last == 2);
}

}  // namespace xorloom
