#include "gen/text/wrap.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace xorloom {

TEST_CASE("words are put in lines of 80 columns, and those after the first are indented") {
  const std::string word(30, 'x');
  CHECK(wrap_text("// ", word + " " + word + " a", "//   ") == "// " + word + " " + word + " a");
  CHECK(wrap_text("// ", word + " " + word + " " + word, "//   ") ==
        "// " + word + " " + word + "\n//   " + word);
  const std::string exact(76, 'x');
  CHECK(wrap("1 ", {exact, "y"}, "") == "1 " + exact + " y");
  CHECK(wrap("12 ", {exact, "y"}, "") == "12 " + exact + "\ny");
}

TEST_CASE("a word that is too long stands in a line of its own") {
  const std::string word(90, 'x');
  CHECK(wrap_text("", "a " + word + " b", "  ") == "a\n  " + word + "\n  b");
  CHECK(wrap_text("head ", word, "  ") == "head " + word);
}

TEST_CASE("no words leave the head alone") {
  CHECK(wrap_text("head", "", "  ") == "head");
  CHECK(wrap("head", {}, "  ") == "head");
}

TEST_CASE("items of a list end with what stands between them, and the last one with its own") {
  CHECK(list_words({"a", "b", "c"}, ",", ");") == std::vector<std::string>{"a,", "b,", "c);"});
  CHECK(list_words({"a"}, " ^", ";") == std::vector<std::string>{"a;"});
  CHECK(list_words({}, ",", ";").empty());
}

}  // namespace xorloom
