#include "runtime/shards/shard_name.hpp"

#include <doctest/doctest.h>

#include <string>

#include "runtime/files/pending_file.hpp"

namespace xorloom {
namespace {

const std::string kDigits = "00112233445566778899aabbccddeeff";

SetId id() { return set_id_of(kDigits).value(); }

std::string hidden(const std::string& name) { return "." + name + ".xorloom-0123456789abcdef"; }

}  // namespace

TEST_CASE("Shard names sort like their locations") {
  CHECK(shard_name(id(), 0, 1) == "xorloom-" + kDigits + "-0.shard");
  CHECK(shard_name(id(), 9, 10) == "xorloom-" + kDigits + "-9.shard");
  CHECK(shard_name(id(), 9, 11) == "xorloom-" + kDigits + "-09.shard");
  CHECK(shard_name(id(), 10, 11) == "xorloom-" + kDigits + "-10.shard");
  CHECK(shard_name(id(), 7, 65536) == "xorloom-" + kDigits + "-00007.shard");
  CHECK(shard_name(id(), 65535, 65536) == "xorloom-" + kDigits + "-65535.shard");
}

TEST_CASE("The name of a shard says its set") {
  for (const std::uint32_t locations : {1U, 10U, 11U, 65536U}) {
    const std::string name = shard_name(id(), locations - 1, locations);
    CAPTURE(name);
    CHECK(parse_shard_name(name) == ShardName{id(), false});
    CHECK(parse_shard_name(hidden(name)) == ShardName{id(), true});
    const std::string pending = hidden_name_beside(name).string();
    CAPTURE(pending);
    CHECK(parse_shard_name(pending) == ShardName{id(), true});
  }
}

TEST_CASE("What is not called like a shard is no shard's name") {
  const std::string name = shard_name(id(), 3, 6);
  for (const std::string& other : {std::string(),
                                   std::string("."),
                                   std::string(".."),
                                   std::string("file"),
                                   std::string("xorloom-"),
                                   std::string(".shard"),
                                   std::string("xorloom-.shard"),
                                   "x" + name,
                                   name + "x",
                                   "." + name,
                                   " " + name,
                                   name.substr(1),
                                   name.substr(0, name.size() - 1),
                                   "xorloom-" + kDigits + ".shard",
                                   "xorloom-" + kDigits + "-.shard",
                                   "xorloom-" + kDigits + "-x.shard",
                                   "xorloom-" + kDigits + "-+1.shard",
                                   "xorloom-" + kDigits + "--1.shard",
                                   "xorloom-" + kDigits + "3.shard",
                                   "xorloom-" + kDigits + "-3.SHARD",
                                   "xorloom-" + kDigits.substr(1) + "-3.shard",
                                   "xorloom-A" + kDigits.substr(1) + "-3.shard",
                                   hidden(hidden(name)),
                                   hidden("file"),
                                   hidden(name) + "0",
                                   hidden(name).substr(0, hidden(name).size() - 1),
                                   hidden(name).substr(1),
                                   "." + name + ".xorloom-0123456789ABCDEF",
                                   "." + name + ".xorl00m-0123456789abcdef"}) {
    CAPTURE(other);
    CHECK(!parse_shard_name(other));
  }
}

TEST_CASE("A pending shard is told by the last part of its path") {
  const std::string name = shard_name(id(), 3, 6);
  CHECK(is_pending_shard(hidden(name)));
  CHECK(is_pending_shard("/a/b/" + hidden(name)));
  CHECK(is_pending_shard(hidden_name_beside("a/" + name)));
  CHECK(!is_pending_shard(name));
  CHECK(!is_pending_shard(hidden(name) + "/" + name));
  CHECK(!is_pending_shard(hidden(name) + "/"));
  CHECK(!is_pending_shard(hidden("file")));
  CHECK(!is_pending_shard(""));
}

TEST_CASE("A name is that of a location with any number of leading zeros, and of no other") {
  for (const std::uint32_t locations : {8U, 11U, 300U}) {
    CHECK(is_shard_name_of(shard_name(id(), 7, locations), id(), 7));
    CHECK(is_shard_name_of(shard_name(id(), 0, locations), id(), 0));
    CHECK(!is_shard_name_of(shard_name(id(), 7, locations), id(), 0));
    CHECK(!is_shard_name_of(shard_name(id(), 0, locations), id(), 7));
    CHECK(!is_shard_name_of(shard_name(SetId{}, 7, locations), id(), 7));
    CHECK(!is_shard_name_of(hidden(shard_name(id(), 7, locations)), id(), 7));
  }
  CHECK(is_shard_name_of(shard_name(id(), 70, 300), id(), 70));
  CHECK(!is_shard_name_of(shard_name(id(), 70, 300), id(), 7));
  CHECK(!is_shard_name_of("7", id(), 7));
}

}  // namespace xorloom
