// A page for each family, with the picture that the program draws.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

const std::string kFolder = std::string(XORLOOM_DOCS) + "/families/";

struct Page {
  std::string family;
  std::string example;
};

/// Returns the text between the first `begin` and the next `end`; empty if either is not there.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) return "";
  const std::size_t from = first + begin.size();
  const std::size_t to = text.find(end, from);
  return to == std::string::npos ? "" : text.substr(from, to - from);
}

/// The families that the program knows, in its order, each with its example. The example of `file`
/// is the code that its page shows.
std::vector<Page> pages() {
  std::vector<Page> result;
  for (const std::string& example : family_examples()) {
    result.push_back({example.substr(0, example.find(':')), example});
  }
  for (Page& page : result) {
    if (page.family != "file") continue;
    page.example = "file:" + between(read_file(kFolder + "file.md"), "```json\n", "```");
  }
  return result;
}

}  // namespace

TEST_CASE("Every family has a page with its picture and example, and the index links it") {
  const std::string index = read_file(kFolder + "README.md");
  const std::vector<Page> all = pages();
  CHECK(all.size() >= 20);
  CHECK(read_file(std::string(XORLOOM_DOCS) + "/../README.md")
            .find("lists " + std::to_string(all.size()) + " [families of codes]") !=
        std::string::npos);
  for (const Page& page : all) {
    CAPTURE(page.family);
    const std::string text = read_file(kFolder + page.family + ".md");
    CHECK(text.find("](" + page.family + ".svg)") != std::string::npos);
    CHECK(index.find("| [" + page.family + "](" + page.family + ".md) |") != std::string::npos);
    if (page.family == "file") continue;  // its example is what it shows
    CHECK(text.starts_with("# " + page.family + ": "));
    CHECK(text.find("\n$ xorloom codes " + page.example + "\n") != std::string::npos);
  }
}

TEST_CASE("Every family's picture is what the program draws of its example") {
  for (const Page& page : pages()) {
    CAPTURE(page.family);
    const Outcome drawn = xorloom({"codes", page.example, "--format", "svg"});
    CHECK(drawn.status == 0);
    CHECK_MESSAGE(drawn.out == read_file(kFolder + page.family + ".svg"),
                  "make it again: xorloom codes EXAMPLE --format svg -o FILE");
  }
}

TEST_CASE("The pictures of repairs are what the program draws") {
  const std::string page = read_file(std::string(XORLOOM_DOCS) + "/repair.md");
  for (const std::string name : {"first-data-chunk", "last-chunk"}) {
    const char* const lost = name == "last-chunk" ? "5" : "0";
    CAPTURE(name);
    const Outcome drawn =
        xorloom({"codes", "rs:k=4,m=2", "lrc:k=4,m=2,l=3", "shec:k=4,m=3,c=2", "clay:k=4,m=2",
                 "zigzag:k=4,r=2", "rdp:k=4,p=5", "--erase", lost, "--format", "svg"});
    CHECK(drawn.status == 0);
    CHECK(drawn.out == read_file(std::string(XORLOOM_DOCS) + "/repair/" + name + ".svg"));
    CHECK(page.find("](repair/" + name + ".svg)") != std::string::npos);
  }
}

TEST_CASE("There is no page or picture of what is no family") {
  const std::vector<Page> all = pages();
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    if (name == "README.md") continue;
    CHECK(std::ranges::any_of(all, [&](const Page& page) {
      return name == page.family + ".md" || name == page.family + ".svg";
    }));
  }
}

}  // namespace xorloom::test
