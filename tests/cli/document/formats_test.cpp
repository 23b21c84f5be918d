// Every format of a command holds the same facts: what text says in numbers, the page says, and
// JSON has the value.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using nlohmann::json;

/// The numbers that stand in a text as words: "24", "1.50", "3.9e-16".
std::set<std::string> numbers_of(const std::string& text) {
  static const std::regex number(R"((^|[\s(>])([0-9]+(\.[0-9]+)?(e[-+][0-9]+)?)(?=[\s)%<,;:]|$))");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    found.insert((*at)[2]);
  }
  return found;
}

/// The page without its styles, tags and pictures.
std::string words_of(std::string page) {
  for (const char* element : {"style", "svg"}) {
    for (std::size_t from; (from = page.find(std::string("<") + element)) != std::string::npos;) {
      const std::string end = std::string("</") + element + ">";
      page.erase(from, page.find(end, from) + end.size() - from);
    }
  }
  return std::regex_replace(page, std::regex("<[^>]*>|\u00a0"), " ");
}

void collect(const json& value, std::vector<double>& numbers, std::string& texts) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  if (value.is_string()) texts += value.get<std::string>() + "\n";
  for (const json& item : value.is_structured() ? value : json::array()) {
    collect(item, numbers, texts);
  }
}

/// True if `number` equals one of `data`, in some unit, to the digits that `number` has.
bool is_known(const std::string& number, const std::vector<double>& data) {
  const double shown = std::stod(number);
  const std::size_t point = number.find('.');
  const std::size_t power = std::min(number.find('e'), number.size());
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(power - point - 1);
  const double scale =
      power == number.size() ? 1 : std::pow(10, std::stoi(number.substr(power + 1)));
  const double half = 0.5001 * std::pow(10, -decimals) * scale;
  for (const double value : data) {
    for (const double unit : {1.0, 100.0, 1e6, 1e-9, 1e-12 * 86400, 1.0 / 1024, 1.0 / (1 << 20)}) {
      if (std::abs(value * unit - shown) <= half) return true;
    }
  }
  return false;
}

/// The first number of the text that the page or the data lack; empty if they have all.
std::string missing(const std::vector<std::string>& call, const std::string& text_format,
                    const std::set<std::string>& derived) {
  const auto in = [&](const std::string& format) {
    std::vector<std::string> words = call;
    words.insert(words.end(), {"--format", format});
    Outcome outcome = xorloom(words);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  const std::string text = in(text_format);
  const std::set<std::string> on_page = numbers_of(words_of(in("html")));
  std::vector<double> data;
  std::string sentences;
  collect(json::parse(in("json")), data, sentences);
  const std::set<std::string> said = numbers_of(sentences);
  for (const std::string& number : numbers_of(text)) {
    if (!on_page.contains(number)) return number + " is not on the page";
    if (derived.contains(number) || said.contains(number)) continue;
    if (!is_known(number, data)) return number + " is not in the data";
  }
  return "";
}

}  // namespace

TEST_CASE("Text, page and data of a report hold the same numbers") {
  // k - 1, and kibibytes of chunks, which follow from what the data have.
  const json data = json::parse(xorloom({"report", kWorkedExample, "--format", "json"}).out);
  std::set<std::string> derived{"4"};
  for (const char* level : {"l2", "l3"}) {
    derived.insert(fmt::format("{}", data["caches"][level].get<std::size_t>() / 7 / 1024));
  }
  for (const json& set : data["sets"]) {
    for (const json& run : set["runs"]) {
      derived.insert(fmt::format(
          "{:.1f}", run["tile"]["bytes"].get<double>() * 100 / data["caches"]["l1"].get<double>()));
    }
  }
  const std::string example = kWorkedExample;
  CHECK(missing({"report", example, "--cores", "1,2,6"}, "table", derived) == "");
  CHECK(missing({"report", example, "--erase", "0,5", "--cores", "1"}, "table", derived) == "");
}

TEST_CASE("Text, page and data of other documents hold the same numbers") {
  const TemporaryFolder folder;
  folder.write("file", std::string(100'000, 'x'));
  const std::string shards = folder / "shards";
  REQUIRE(xorloom({"encode", folder / "file", "-o", shards, "-k", "4", "-m", "2"}).status == 0);
  const std::string racks = std::string(XORLOOM_EXAMPLES) + "/racks.json";
  CHECK(missing({"codes", "--suggest", "4,2"}, "table", {"0.95", "8192", "4096", "12", "12.0"}) ==
        "");
  CHECK(missing({"model", "durability", "raid6:k=14"}, "table", {}) == "");
  CHECK(missing({"model", "cluster", "rs:k=4,m=2", "--samples", "1000", "--failures", "100"},
                "table", {"100", "1e+08", "95", "99"}) == "");
  CHECK(missing({"repair-plan", "rs:k=10,m=4", "--topology", racks, "--erase", "2"}, "table",
                {"14", "5", "4"}) == "");
  CHECK(missing({"info", shards}, "text", {"6"}) == "");
  const std::string protection = folder / "p.xorloom";
  const std::string atlas = folder / "a";
  REQUIRE(xorloom({"protect", folder / "file", "-o", protection}).status == 0);
  REQUIRE(xorloom({"atlas", "clay:k=4,m=2", "-o", atlas}).status == 0);
  std::vector<std::string> disks;
  std::vector<std::string> encode{"encode", folder / "file", "-k", "4", "-m", "2"};
  for (const char* disk : {"1", "2", "3"}) {
    disks.push_back(folder / disk);
    encode.insert(encode.end(), {"-o", disks.back()});
  }
  REQUIRE(xorloom(encode).status == 0);
  for (const char* command : {"info", "verify"}) {
    std::vector<std::string> call = disks;
    call.insert(call.begin(), command);
    const bool is_timed = call.front() == "verify";  // its times differ from call to call
    if (!is_timed) CHECK(missing(call, "text", {"6", "0"}) == "");
    call.insert(call.end(), {"--format", "json"});
    const json data = json::parse(xorloom(call).out);
    const json& set = data.contains("sets") ? data["sets"][0] : data;
    CHECK(set["directories"] == json({{"directories", 3}, {"may_be_lost", 1}}));
  }
  CHECK(missing({"info", shards, protection, atlas}, "text", {"6"}) == "");
}

}  // namespace xorloom::test
