#include "codes/text/json.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The reader and writer that ours are compared with.
using Library = nlohmann::ordered_json;

/// The error of parsing `text`; empty if it parses.
std::string json_refusal(const std::string& text) {
  try {
    static_cast<void>(Json::parse(text));
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kParse);
    return error.what();
  }
  return "";
}

/// True if the library refuses it, too.
bool library_refuses(const std::string& text) { return !Library::accept(text); }

std::string nested(std::size_t depth, const char* open, const char* close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

/// A value of any type, the same in both.
struct Both {
  Json ours;
  Library theirs;
};

Both random_value(std::mt19937_64& random, int depth) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto both = [](const auto& value) { return Both{value, value}; };
  switch (below(depth == 0 ? 6 : 8)) {
    case 0:
      return both(nullptr);
    case 1:
      return both(below(2) == 0);
    case 2:
      return both(static_cast<std::int64_t>(random() >> below(64)));
    case 3:
      return both(random() >> below(64));
    case 4:
      return both(std::ldexp(static_cast<double>(random()), static_cast<int>(below(200)) - 100));
    case 5: {
      std::string text;
      for (std::uint64_t i = below(6); i > 0; --i) {
        constexpr std::array kPieces = {"a", "\"", "\\", "\n", "\x01", "/", "é", "\x7f", "𝄞", "\b"};
        text += kPieces[below(kPieces.size())];
      }
      return both(text);
    }
    case 6: {
      Both array{Json::array(), Library::array()};
      for (std::uint64_t i = below(5); i > 0; --i) {
        const Both item = random_value(random, depth - 1);
        array.ours.push_back(item.ours);
        array.theirs.push_back(item.theirs);
      }
      return array;
    }
    default: {
      Both object{std::initializer_list<Json::Given>{}, Library::object()};
      for (std::uint64_t i = below(5); i > 0; --i) {
        const Both value = random_value(random, depth - 1);
        const std::string key(1, static_cast<char>('a' + below(4)));
        object.ours[key] = value.ours;
        object.theirs[key] = value.theirs;
      }
      return object;
    }
  }
}

TEST_CASE("a value is written as the library writes its own") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const Both value = random_value(random, 4);
    for (const int indent : {-1, 0, 1, 2}) {
      REQUIRE(value.ours.dump(indent) == value.theirs.dump(indent));
      REQUIRE(value.ours.dump(indent, Json::Strings::kAscii) ==
              value.theirs.dump(indent, ' ', true));
    }
    const std::string text = value.theirs.dump(2);
    REQUIRE(Json::parse(text).dump(2) == Library::parse(text).dump(2));
  }
}

TEST_CASE("braces make objects whose members keep their order") {
  const std::vector<std::uint32_t> lost = {3, 1};
  Json json{{"spec", "rs:k=3,m=2"},
            {"empty", {}},
            {"lost", lost},
            {"pair", std::array{1, 2}},
            {"cost", {{"xors", 7}, {"factor", 0.5}}},
            {"pairs", Json::array({Json::array({"a", "b"}), Json::array({"c", "d"})})}};
  json["lost"].push_back({{"first", 1}});
  json["name"] = std::string("n");
  json["cost"] = nullptr;
  CHECK(json.dump() == R"({"spec":"rs:k=3,m=2","empty":null,"lost":[3,1,{"first":1}],)"
                       R"("pair":[1,2],"cost":null,"pairs":[["a","b"],["c","d"]],"name":"n"})");
  CHECK(Json{{"a", 1}, {"b", 2}, {"a", 3}}.dump() == R"({"a":3,"b":2})");
  CHECK(Json(std::vector<bool>{true, false}).dump() == "[true,false]");
  CHECK(Json(std::vector<std::string>{"x"}).dump() == R"(["x"])");
}

TEST_CASE("an update replaces members in place and adds the others") {
  Json json{{"a", 1}, {"b", 2}};
  json.update({{"c", 3}, {"a", 4}});
  CHECK(json.dump() == R"({"a":4,"b":2,"c":3})");
}

TEST_CASE("a copy is a value of its own, and what is moved from is null") {
  Json first{{"list", Json::array({1, "two", {{"three", 3.5}}})}};
  Json second = first;
  second["list"].push_back(4);
  CHECK(first.dump() == R"({"list":[1,"two",{"three":3.5}]})");
  CHECK(second.dump() == R"({"list":[1,"two",{"three":3.5},4]})");
  const Json third = std::move(second);
  CHECK(third["list"].size() == 4);
  first = first["list"];
  CHECK(first.dump() == R"([1,"two",{"three":3.5}])");
}

TEST_CASE("numbers that are none are written as null") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(Json::array({std::nan(""), infinite, -infinite}).dump() == "[null,null,null]");
}

TEST_CASE("bytes that are not UTF-8 are refused unless they are to be replaced") {
  const Json json{{"path", "a\xff"}};
  CHECK(json.dump(-1, Json::Strings::kReplaced) == "{\"path\":\"a\xef\xbf\xbd\"}");
  CHECK_THROWS_WITH_AS(static_cast<void>(json.dump()),
                       "no JSON can say this: invalid UTF-8 byte at index 1: 0xFF", Error);
  CHECK_THROWS_AS(static_cast<void>(json.dump(-1, Json::Strings::kAscii)), Error);
}

TEST_CASE("what is read tells its type and value") {
  const Json json = Json::parse(R"({"no": null, "yes": true, "n": 18446744073709551615, "below": -3,
                      "real": 1.5, "text": "\u00e9", "list": [1, 2], "of": {"a": 0}})");
  CHECK(json.is_object());
  CHECK(json.size() == 8);
  CHECK(json["no"].is_null());
  CHECK(json["yes"].type_name() == std::string("boolean"));
  CHECK(json["n"].whole() == 18446744073709551615U);
  CHECK_FALSE(json["below"].is_number_unsigned());
  CHECK(json["below"].real() == -3);
  CHECK(json["real"].real() == 1.5);
  CHECK(json["text"].text() == "é");
  CHECK(json["list"][1].whole() == 2);
  CHECK(json.find("none") == nullptr);
  CHECK_FALSE(json.contains("none"));
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += key + " ";
  CHECK(keys == "no yes n below real text list of ");
  std::uint64_t sum = 0;
  for (const Json& item : json["list"]) sum += item.whole();
  CHECK(sum == 3);
  CHECK(json["text"].begin() == json["text"].end());
}

TEST_CASE("a value that is taken for another type is refused") {
  Json json = Json::parse(R"({"list": [], "text": "t"})");
  const Json& read = json;
  CHECK_THROWS_WITH_AS(static_cast<void>(read["x"]), "the JSON has no 'x'", Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(read["list"][0]), "the JSON array has 0 items, no item 0",
                       Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(read["text"].whole()),
                       "JSON of type string is not a whole number", Error);
  CHECK_THROWS_AS(static_cast<void>(read["text"].real()), Error);
  CHECK_THROWS_AS(static_cast<void>(read["list"].text()), Error);
  CHECK_THROWS_AS(static_cast<void>(read["text"][0]), Error);
  CHECK_THROWS_AS(json["text"].push_back(1), Error);
  CHECK_THROWS_AS(json["list"]["key"] = 1, Error);
  CHECK_THROWS_AS(json.update(1), Error);
}

TEST_CASE("of a key that comes twice the first place and the last value count") {
  for (const std::string text :
       {R"({"a":1,"a":2})", R"({"b":1,"a":2,"b":[3],"c":4,"a":{"x":5,"x":6},"b":7})"}) {
    CHECK(Json::parse(text).dump() == Library::parse(text).dump());
  }
  std::string many = "{";
  for (int i = 0; i < 200000; ++i) many += fmt::format("\"{}\":1,", i);
  CHECK(Json::parse(many + R"("7":2})").size() == 200000);
}

TEST_CASE("text that is not JSON is refused with its line, its column and what stands there") {
  for (const std::string text : {"",
                                 " ",
                                 "{",
                                 "[1,",
                                 "[1,]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{a:1}",
                                 "nul",
                                 "01",
                                 "1.",
                                 "-",
                                 "1e999",
                                 "\"",
                                 "\"\\x\"",
                                 "\"\\ud800\"",
                                 "\"\x01\"",
                                 "\"\xff\"",
                                 "[] []",
                                 "{} // comment",
                                 "NaN",
                                 "'a'",
                                 "\xef\xbb",
                                 "\xef\xbb\xbf[",
                                 "[1 2]",
                                 "{\"a\":1 \"b\":2}"}) {
    CAPTURE(text);
    CHECK(json_refusal(text).starts_with("not JSON: "));
    CHECK((library_refuses(text) || text == "1e999"));
  }
  CHECK(json_refusal(" \n") == "not JSON: the text is empty");
  CHECK(json_refusal("{") == "not JSON: the text ends at line 1, column 2, before the JSON does");
  CHECK(json_refusal("{\"a\": 1,\n \"b") ==
        "not JSON: the text ends at line 2, column 4, before the JSON does");
  CHECK(json_refusal("{\n  \"a\": x}") == "not JSON: line 2, column 8: 'x' cannot stand here");
  CHECK(json_refusal("0110\n1111\n") == "not JSON: line 1, column 2: '110' cannot stand here");
}

TEST_CASE("text that is nested too deeply is refused however long it is") {
  CHECK(json_refusal(nested(Json::kMaxDepth, "[", "]")) == "");
  const std::string sentence = "JSON is nested deeper than 100 levels";
  CHECK(json_refusal(nested(Json::kMaxDepth + 1, "[", "]")) == sentence);
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  CHECK(json_refusal(nested(kMegabyte, "[", "")) == sentence);
  CHECK(json_refusal(nested(kMegabyte, "[", "]")) == sentence);
  CHECK(json_refusal(nested(kMegabyte, "{\"a\":", "}")) == sentence);
  CHECK(json_refusal(nested(kMegabyte, "[{\"a\":", "}]")) == sentence);
}

}  // namespace
}  // namespace xorloom
