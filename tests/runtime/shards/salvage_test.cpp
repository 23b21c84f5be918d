#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/shards/read_set.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using namespace test;

}  // namespace

TEST_CASE("What is left of lost stripes is salvaged, and the bytes that are lost are zeros") {
  const SetScene scene(10 * 4 * 16 - 5);
  for (const std::uint32_t i : {0U, 1U, 5U}) scene.damage(i, {3, 4});
  for (const std::uint32_t i : {3U, 4U, 5U}) scene.damage(i, {9});
  std::string expected = scene.content;
  const std::vector<FileRange> lost = {
      {3 * 64, 3 * 64 + 32}, {4 * 64, 4 * 64 + 32}, {9 * 64 + 45, 10 * 64 - 5}};
  for (const FileRange& range : lost) {
    expected.replace(range.begin, range.end - range.begin, range.end - range.begin, '\0');
  }
  const auto salvaged = [&](const FileRange& range) {
    const ReadableSet set = scene.set();
    std::string content;
    Progress progress;
    const SetDamage damage = decode_set(
        set.opened, 2,
        [&](std::span<const std::uint8_t> bytes) { content.append(bytes.begin(), bytes.end()); },
        progress, range, Lost::kZeros);
    return std::pair(content, damage.lost_bytes);
  };
  CHECK(salvaged({}) == std::pair(expected, lost));
  const auto part = salvaged({200, 400});
  CHECK(part.first == expected.substr(200, 200));
  CHECK(part.second == std::vector<FileRange>{{200, 3 * 64 + 32}, {4 * 64, 4 * 64 + 32}});
  // A shard each is left of stripes 0 to 5, and nothing of those behind.
  for (std::uint32_t i = 1; i < 6; ++i) scene.lose(i);
  ShardImage image = scene.image(0);
  image.bytes.resize(image.offset(6));
  image.save();
  const auto [content, missing] = salvaged({});
  CHECK(content.size() == scene.content.size());
  CHECK(content.substr(0, 16) == scene.content.substr(0, 16));
  CHECK(missing.front() == FileRange{16, 64});
  CHECK(missing.back() == FileRange{5 * 64 + 16, 10 * 64 - 5});
}

}  // namespace xorloom
