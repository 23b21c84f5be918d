#include "gen/pictures/drawing.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/svg.hpp"

namespace xorloom {
namespace {

Picture sample() {
  Drawing drawing;
  drawing.text(20.0, 60.5, "small note", "a < b && \"c\" > d");
  return {200, 100, "<head> & \"more\"", "one\ntwo", drawing.so_far()};
}

}  // namespace

TEST_CASE("what is written in a picture is escaped, and a page of it is well-formed") {
  const std::string page = svg_page(sample());
  CHECK(not_well_formed(page) == "");
  CHECK(page.find(">a &lt; b &amp;&amp; &quot;c&quot; &gt; d</text>") != std::string::npos);
  CHECK(page.find("aria-label=\"&lt;head&gt; &amp; &quot;more&quot;\"") != std::string::npos);
  CHECK(page.find("x=\"20\" y=\"60.5\" class=\"xl-small xl-note\"") != std::string::npos);
  CHECK(count_of(page, ">one</text>") == 1);
  CHECK(count_of(page, ">two</text>") == 1);
}

TEST_CASE("a file of a picture has the rules of its own classes, and a page has all of them once") {
  const std::string page = svg_page(sample());
  CHECK(count_of(page, "<style>") == 1);
  CHECK(page.find(".xl .xl-small {") != std::string::npos);
  CHECK(page.find(".xl .xl-box {") == std::string::npos);
  CHECK(picture_style().find(".xl .xl-box {") != std::string::npos);
  CHECK(page.find("@media screen and (prefers-color-scheme: dark) {") != std::string::npos);
  const std::string part = inline_svg(sample());
  CHECK(not_well_formed(part) == "");
  CHECK(part.find("<style>") == std::string::npos);
  CHECK(part.starts_with("<svg "));
}

TEST_CASE("the style says nothing of what is in no picture") {
  const std::string style = picture_style();
  for (std::size_t at = 0; at < style.size(); at = style.find('\n', at) + 1) {
    const std::string line = style.substr(at, style.find('\n', at) - at);
    CAPTURE(line);
    const bool is_rule = line.find(".xl") == line.find_first_not_of(' ');
    const bool is_of_all = line.starts_with("@media screen") || line == "}";
    CHECK((is_rule || is_of_all));
    // Every selector of a rule is under .xl.
    const std::string selectors = line.substr(0, line.find(" {"));
    if (is_rule) CHECK(count_of(selectors, ", ") == count_of(selectors, ", .xl "));
  }
  CHECK(count_of(style, "{") == count_of(style, "}"));
  CHECK(style.find("@media screen and (prefers-color-scheme: dark)") != std::string::npos);
}

TEST_CASE("inks come in turn and have a color in the light and one in the dark") {
  CHECK(ink(0) == "xl-0");
  CHECK(ink(kInks + 3) == "xl-3");
  for (std::size_t i = 0; i < kInks; ++i) {
    CHECK(count_of(picture_style(), "." + ink(i) + " { color: #") == 2);
  }
}

TEST_CASE("pictures one below the other are as wide as the widest and keep all they say") {
  Picture second = sample();
  second.width = 300;
  second.head = "second";
  second.body += stop("stop", 0, "a part") + "</g>\n";
  const Picture both = stacked(std::vector<Picture>{sample(), second});
  CHECK(both.width == 300);
  CHECK(both.height > 200);
  CHECK(count_of(svg_page(both), "role=\"group\"") == 1);
  const std::string page = svg_page(both);
  CHECK(not_well_formed(page) == "");
  CHECK(count_of(page, ">&lt;head&gt; &amp; &quot;more&quot;</text>") == 1);
  CHECK(count_of(page, ">second</text>") == 1);
  CHECK(count_of(page, ">two</text>") == 2);
}

TEST_CASE("a page says what a picture says in words, and a file draws it") {
  Picture picture = sample();
  picture.legend = {{"a < b", ink(2), "<path class=\"xl-fill\" d=\"M0 0h9v9z\"/>"}};
  picture.hint = "Point at it.";
  const std::string file = svg_page(picture);
  CHECK(not_well_formed(file) == "");
  CHECK(count_of(file, ">a &lt; b</text>") == 1);
  CHECK(count_of(file, "Point at it.") == 0);  // an image cannot be pointed at
  const std::string part = inline_svg(picture);
  CHECK(count_of(part, "</text>") == 1);  // the one of the body
  CHECK(part.find("viewBox=\"0 40 200 ") != std::string::npos);
  const std::string sample_of_it = inline_sample(picture.legend[0]);
  CHECK(not_well_formed(sample_of_it) == "");
  CHECK(count_of(sample_of_it, "<g class=\"xl-2\">") == 1);
}

TEST_CASE("the width of a text counts letters, not bytes") {
  CHECK(text_width("abc", 7) == 21);
  CHECK(text_width("×⊕", 7) == 14);
}

}  // namespace xorloom
