// The pictures of the documents are what the commands above them draw.

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

struct Drawn {
  std::string file;
  std::vector<std::string> arguments;  ///< without -o FILE
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<Drawn> pictures_of(const std::string& page) {
  std::vector<Drawn> result;
  for (const std::string& line : all_between(page, "\n$ xorloom", "\n")) {
    std::vector<std::string> words = words_of("xorloom" + line);
    if (words.size() < 2 || !words.back().ends_with(".svg")) continue;
    const std::string file = words.back();
    words.resize(words.size() - 2);
    for (std::string& word : words) {
      if (word.starts_with("examples/")) word = XORLOOM_EXAMPLES + word.substr(8);
    }
    result.push_back({file, words});
  }
  return result;
}

/// Runs a command line, whose first word is the program.
Outcome run(std::vector<std::string> words) {
  const bool is_lab = words.front() == "xorloom-lab";
  words.erase(words.begin());
  return is_lab ? xorloom_lab(words) : xorloom(words);
}

Outcome drawn(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "svg"});
  return xorloom(arguments);
}

}  // namespace

TEST_CASE("The pictures of pages are what the commands above them draw, and there is no other") {
  const std::string docs = XORLOOM_DOCS;
  std::set<std::string> drawn_files;
  for (const char* name : {"equations.md", "coprocessor.md"}) {
    const std::string page = read_file(docs + "/" + name);
    for (const Drawn& picture : pictures_of(page)) {
      CAPTURE(picture.file);
      const Outcome outcome = run(picture.arguments);
      CHECK(outcome.status == 0);
      CHECK(not_well_formed(outcome.out) == "");
      CHECK_MESSAGE(outcome.out == read_file(docs + "/pictures/" + picture.file),
                    "make it again in docs/pictures: the command of docs/" << name);
      CHECK(page.find("](pictures/" + picture.file + ")") != std::string::npos);
      drawn_files.insert(picture.file);
    }
  }
  CHECK(drawn_files.size() >= 4);
  for (const auto& entry : std::filesystem::directory_iterator(docs + "/pictures")) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    CHECK(drawn_files.contains(name));
  }
}

TEST_CASE("A picture of equations has their plan below it where cores are given") {
  const std::string graph = drawn({"equations", kWorkedExample}).out;
  CHECK(not_well_formed(graph) == "");
  CHECK(count_of(graph, "<title>15 = XOR(2,3,4,5,7,9,11,12)</title>") == 1);
  CHECK(count_of(graph, ">Plan on ") == 0);
  const std::string both = drawn({"equations", kWorkedExample, "--cores", "6"}).out;
  CHECK(not_well_formed(both) == "");
  CHECK(count_of(both, "<title>15 = XOR(2,3,4,5,7,9,11,12)</title>") == 1);
  CHECK(count_of(both, ">Plan on 6 cores: 8 steps, 45 XORs, 94 % busy, 0 moves</text>") == 1);
  CHECK(count_of(both,
                 ">Data paths on 6 cores: 51 elements read, 0 moved between cores, 6 written") ==
        1);
  const std::string many = drawn({"equations", kWorkedExample, "--cores", "100"}).out;
  CHECK(count_of(many, ">Plan on 100 cores: ") == 1);
  CHECK(count_of(many, ">Data paths on ") == 0);
}

TEST_CASE("A front is drawn as its steps and XORs, the same as in its table") {
  const std::vector<std::string> front{"equations", kWorkedExample, "--style",
                                       "iterative", "--cores",      "6",
                                       "--front",   "--effort",     "fast"};
  const std::string chart = drawn(front).out;
  CHECK(not_well_formed(chart) == "");
  const std::string text = xorloom(front).out;
  const std::size_t table = text.find("# steps  XORs\n");
  REQUIRE(table != std::string::npos);
  std::istringstream lines(text.substr(table));
  std::string line;
  std::getline(lines, line);
  std::size_t sets = 0;
  while (std::getline(lines, line) && line.starts_with("#")) {
    const std::vector<std::string> words = words_of(line);
    REQUIRE(words.size() == 3);
    CHECK(count_of(chart, ">" + words[1] + " steps, " + words[2] + " XORs</text>") == 1);
    ++sets;
  }
  CHECK(sets == count_of(chart, "<path class=\"xl-fill\""));
}

TEST_CASE("Any 0/1 matrix is drawn, and what is too large says so") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, "2 3\n110\n111\n");
  const Outcome outcome = drawn({"optimize", path});
  CHECK(outcome.status == 0);
  CHECK(count_of(outcome.out, "<title>3 = XOR(0,1)</title>") == 1);
  CHECK(not_well_formed(outcome.out) == "");
  CHECK(not_refused(drawn({"equations", "rs:k=30,m=10"}),
                    "8911 operands are more than the 8192 that a picture has") == "");
  CHECK(not_refused(drawn({"equations", "rdp:k=4,p=5", "--cores", "300"}),
                    "--cores = 300 is more than the 256 that --format svg shows") == "");
}

}  // namespace xorloom::test
