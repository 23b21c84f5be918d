#include "codes/text/closest.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

namespace xorloom {

TEST_CASE("The distance of words counts letters added, taken away, replaced and exchanged") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("encode", "encode") == 0);
  CHECK(edit_distance("encod", "encode") == 1);
  CHECK(edit_distance("enncode", "encode") == 1);
  CHECK(edit_distance("encose", "encode") == 1);
  CHECK(edit_distance("encdoe", "encode") == 1);
  CHECK(edit_distance("verify", "decode") == 5);
}

TEST_CASE("The nearest word is proposed, the first of several, and none that is far") {
  constexpr std::array<std::string_view, 4> kKnown = {"encode", "decode", "verify", "info"};
  CHECK(did_you_mean("encod", kKnown) == "; did you mean 'encode'?");
  CHECK(did_you_mean("edcode", kKnown) == "; did you mean 'encode'?");
  CHECK(did_you_mean("decdoe", kKnown) == "; did you mean 'decode'?");
  CHECK(did_you_mean("inof", kKnown) == "; did you mean 'info'?");
  CHECK(did_you_mean("INFO", kKnown) == "; did you mean 'info'?");
  CHECK(did_you_mean("bench", kKnown).empty());
  CHECK(did_you_mean("", kKnown).empty());
  CHECK(did_you_mean(std::string(100, 'e'), kKnown).empty());
}

}  // namespace xorloom
