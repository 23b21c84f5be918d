#include "runtime/shards/set_id.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace xorloom {

TEST_CASE("Set ids that are drawn differ") {
  std::set<SetId> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(draw_set_id());
  CHECK(ids.size() == 1000);
}

TEST_CASE("A set id is 32 hexadecimal digits, the first byte first") {
  SetId id;
  for (std::size_t i = 0; i < SetId::kBytes; ++i) id.bytes[i] = static_cast<std::uint8_t>(17 * i);
  CHECK(to_string(id) == "00112233445566778899aabbccddeeff");
  CHECK(to_string(SetId{}) == std::string(32, '0'));
}

TEST_CASE("Digits give the set id back") {
  for (int i = 0; i < 100; ++i) {
    const SetId id = draw_set_id();
    CAPTURE(to_string(id));
    CHECK(set_id_of(to_string(id)) == id);
  }
}

TEST_CASE("What is not 32 small hexadecimal digits is no set id") {
  const std::string digits = "00112233445566778899aabbccddeeff";
  REQUIRE(set_id_of(digits));
  CHECK(!set_id_of(""));
  CHECK(!set_id_of(digits.substr(1)));
  CHECK(!set_id_of(digits.substr(2)));
  CHECK(!set_id_of(digits + "0"));
  CHECK(!set_id_of(digits + "00"));
  for (const char* const pair : {"AA", "aA", "g0", "0g", "+1", "-1", " 1", "1 ", "0x", "x0"}) {
    for (const std::size_t at : {0U, 14U, 30U}) {
      std::string wrong = digits;
      wrong.replace(at, 2, pair);
      CAPTURE(wrong);
      CHECK(!set_id_of(wrong));
    }
  }
  CHECK(!set_id_of(std::string(32, '\0')));
}

}  // namespace xorloom
