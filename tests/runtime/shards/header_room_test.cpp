#include <doctest/doctest.h>

#include <cstddef>

#include "runtime/shards/shard_header.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {

TEST_CASE("A header is padded with zeros that readers pass over, and never cut") {
  ShardHeader header = test::small_header();
  header.extra = {1, 2, 3, 4, 5, 6, 7, 8};
  const ShardHeader before = header;
  const std::size_t bytes = header_bytes(header);
  CHECK(!pad_header(header, bytes - 8));
  CHECK(!pad_header(header, bytes + kMaxShardExtraBytes));
  CHECK(header == before);
  CHECK(pad_header(header, bytes));
  CHECK(header == before);
  REQUIRE(pad_header(header, bytes + kMaxShardExtraBytes - 8));
  CHECK(header_bytes(header) == bytes + kMaxShardExtraBytes - 8);
  const HeaderReading reading = read_header(header_text(header));
  CHECK(reading.kind == HeaderReading::Kind::kWhole);
  CHECK(reading.header == header);
  header.extra.resize(8);
  CHECK(header == before);
}

}  // namespace xorloom
