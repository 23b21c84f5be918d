// Commands that read a set while others write to it.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// A set in two directories that commands of every kind change, one after the other.
class BusySet {
 public:
  BusySet() { encode(random_bytes(30'000, 1)); }

  const std::string& content() const { return content_; }
  std::string a() const { return folder_ / "a"; }
  std::string b() const { return folder_ / "b"; }
  std::string file(const std::string& name) const { return folder_ / name; }

  void change(std::mt19937& random) {
    const auto draw = [&](std::size_t most) {
      return std::uniform_int_distribution<std::size_t>(0, most)(random);
    };
    const std::string bytes = random_bytes(1 + draw(3000), static_cast<std::uint32_t>(random()));
    write_file(file("input"), bytes);
    switch (draw(8)) {
      case 0:
        return encode(random_bytes(20'000 + draw(20'000), static_cast<std::uint32_t>(random())));
      case 1:
        must({"append", a(), b(), file("input")});
        content_ += bytes;
        return;
      case 2:
        content_.resize(content_.size() - std::min(content_.size() - 1, draw(2000)));
        return must({"truncate", a(), b(), "--length", std::to_string(content_.size())});
      case 3:
        return must({"convert", a(), b(), "--code", draw(1) == 0 ? "rs:4,3" : "rs:4,2"});
      case 4:
        return must({"repair", a(), b()});
      default: {
        const std::size_t at = draw(content_.size() - 1);
        const std::string part = bytes.substr(0, content_.size() - at);
        write_file(file("input"), part);
        must({"patch", a(), b(), "--at", std::to_string(at), file("input")});
        content_.replace(at, part.size(), part);
      }
    }
  }

 private:
  void encode(const std::string& content) {
    write_file(file("content"), content);
    must({"encode", file("content"), "-o", a(), "-o", b(), "--code", "rs:4,2", "--replace"});
    content_ = content;
  }

  static void must(const std::vector<std::string>& arguments) {
    const Outcome outcome = xorloom(arguments);
    CAPTURE(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
  }

  TemporaryFolder folder_;
  std::string content_;
};

/// Ends of readers, by what they were.
struct Ends {
  std::vector<std::string> contents;
  std::vector<std::string> parts;  ///< outputs of reads of the first bytes
  std::vector<std::string> others;
};

constexpr std::size_t kPart = 100;

/// Reads the set once, in one of six ways.
void read(const BusySet& set, std::size_t kind, Ends& ends) {
  const std::string back = set.file("back");
  std::vector<std::string> arguments;
  switch (kind % 6) {
    case 0:
      arguments = {"verify"};
      break;
    case 1:
      arguments = {"decode", "-o", back};
      break;
    case 2:
      arguments = {"decode", "-o", "-"};
      break;
    case 3:
      arguments = {"decode", "-o", "-", "--bytes", fmt::format("0-{}", kPart - 1)};
      break;
    case 4:
      arguments = {"decode", "-o", back, "--salvage"};
      break;
    default:
      arguments = {"info"};
  }
  arguments.insert(arguments.begin() + 1, {set.a(), set.b()});
  const Outcome outcome = xorloom(arguments);
  if (outcome.status == 0) {
    if (kind % 6 == 3) ends.parts.push_back(outcome.out);
    if (kind % 6 == 2) ends.contents.push_back(outcome.out);
    if (kind % 6 == 1 || kind % 6 == 4) ends.contents.push_back(read_file(back));
  } else if (outcome.status != 4 ||
             outcome.err.find("is being changed; try again") == std::string::npos) {
    ends.others.push_back(
        fmt::format("{}: {} {}{}", arguments.front(), outcome.status, outcome.out, outcome.err));
  }
}

}  // namespace

TEST_CASE("Commands that read beside commands that write give one version, or status 4") {
  const std::size_t most = sample_unless_whole(std::vector<std::size_t>(10'000), 60).size();
  BusySet set;
  std::vector<std::string> versions{set.content()};
  std::atomic<bool> is_over = false;
  Ends ends;
  std::size_t num_read = 0;
  std::thread reader([&] {
    while (!is_over) read(set, num_read++, ends);
  });
  std::mt19937 random(1);
  while (num_read < most) {
    set.change(random);
    versions.push_back(set.content());
  }
  is_over = true;
  reader.join();
  std::ranges::sort(versions);
  const auto is_version = [&](const std::string& content) {
    return std::ranges::binary_search(versions, content);
  };
  const auto begins_version = [&](const std::string& part) {
    return std::ranges::any_of(
        versions, [&](const std::string& content) { return content.substr(0, kPart) == part; });
  };
  CHECK(std::ranges::all_of(ends.contents, is_version));
  CHECK(std::ranges::all_of(ends.parts, begins_version));
  CHECK(ends.contents.size() > most / 10);
  CHECK(ends.others == std::vector<std::string>{});
}

}  // namespace xorloom::test
