#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

Json suggestions(const std::string& k_and_m) {
  const Outcome outcome = xorloom({"codes", "--suggest", k_and_m, "--format", "json"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-suggestions");
  CHECK(json["version"] == 1);
  return json;
}

bool has_candidate(const Json& json, const std::string& begin) {
  return std::ranges::any_of(json["candidates"], [&](const Json& candidate) {
    return candidate["spec"].get<std::string>().starts_with(begin);
  });
}

}  // namespace

TEST_CASE("The table of families fits a terminal of 80 columns") {
  const Outcome codes = xorloom({"codes"});
  CHECK(codes.status == 0);
  CHECK(codes.err.empty());
  CHECK(widest_line(codes.out) <= 80);
}

TEST_CASE("Every family in the table has keys, bounds, a source and an example that works") {
  std::istringstream table(xorloom({"codes"}).out);
  std::size_t keys = 0, bounds = 0, sources = 0, examples = 0;
  for (std::string line; std::getline(table, line);) {
    keys += line.starts_with("  keys ");
    bounds += line.starts_with("  bounds ");
    sources += line.starts_with("  source ");
    if (!line.starts_with("  example ")) continue;
    ++examples;
    const std::string spec = line.substr(line.find_first_not_of(' ', 9));
    CAPTURE(spec);
    if (spec.starts_with("file:")) continue;  // there is no such file
    CHECK(xorloom({"equations", spec}).status == 0);
  }
  CHECK(examples >= 19);
  CHECK(keys == examples);
  CHECK(bounds == examples);
  CHECK(sources == examples);
}

TEST_CASE("Suggestions are all the codes that fit, the fastest first, with what they take") {
  const Json json = suggestions("10,4");
  for (const char* begin :
       {"cauchy:k=10,m=4,w=4", "cauchy-good:k=10,m=4,w=8", "rs:k=10,m=4,w=8",
        "isa-cauchy:k=10,m=4,arrangement=word", "isa-vandermonde:k=10,m=4,arrangement=packet"}) {
    CAPTURE(begin);
    CHECK(has_candidate(json, begin));
  }
  double last = 1e9;
  for (const Json& candidate : json["candidates"]) {
    CAPTURE(candidate["spec"]);
    const double speed = candidate["predicted_l2_data_gb_per_s"];
    CHECK(speed > 0);
    CHECK(speed <= last + 1);
    CHECK(speed <= candidate["predicted_l1_data_gb_per_s"].get<double>());
    CHECK(candidate["predicted_dram_data_gb_per_s"].get<double>() <= speed);
    last = speed;
    CHECK(candidate["instructions"] > 0);
    CHECK(candidate["instructions_per_data_byte"] > 0.0);
    const bool is_packets = candidate["arrangement"] == "packet";
    CHECK(candidate["direct_xors"].is_number() == is_packets);
    if (is_packets) CHECK(candidate["multiplications"] == 0);
    if (candidate["shared_xors"].is_number()) {
      CHECK(candidate["shared_xors"] <= candidate["direct_xors"]);
    }
  }
}

TEST_CASE("Dyadic blocks save multiplications where matrices of bits are multiplied by") {
  const Json json = suggestions("10,4");
  for (const Json& candidate : json["candidates"]) {
    if (candidate["family"] != "isa-cauchy" || candidate["arrangement"] != "word") continue;
    const bool has_matrices = json["isa"].get<std::string>().ends_with("gfni");
    const int expected = candidate["engine"] == "code" ? 24 : 40;
    if (has_matrices || json["isa"] == "portable") CHECK(candidate["multiplications"] == expected);
  }
}

TEST_CASE("What does not fit is left out with a reason") {
  const Json json = suggestions("14,9");
  const auto skipped = std::ranges::find_if(
      json["skipped"], [](const Json& one) { return one["spec"] == "isa-vandermonde:k=14,m=9"; });
  REQUIRE(skipped != json["skipped"].end());
  CHECK((*skipped)["why"].get<std::string>().find("sets of losses") != std::string::npos);
  CHECK_FALSE(has_candidate(json, "isa-vandermonde"));
  CHECK(has_candidate(json, "isa-cauchy"));
}

TEST_CASE("Wide codes and narrow ones are suggested, too") {
  for (const char* k_and_m : {"1,1", "2,1", "250,6", "1,255"}) {
    CAPTURE(k_and_m);
    CHECK(suggestions(k_and_m)["candidates"].size() > 1);
  }
}

TEST_CASE("The table of suggestions fits 80 columns") {
  for (const char* k_and_m : {"10,4", "200,20"}) {
    const Outcome outcome = xorloom({"codes", "--suggest", k_and_m});
    CHECK(outcome.status == 0);
    CHECK(widest_line(outcome.out) <= 80);
    CHECK(outcome.out.find("\ncauchy-good ") != std::string::npos);
  }
}

TEST_CASE("Suggestions for what no code can be are refused with the value and the bound") {
  const auto refusal = [](const std::vector<std::string>& arguments, std::string_view sentence) {
    std::vector<std::string> call{"codes"};
    call.insert(call.end(), arguments.begin(), arguments.end());
    CHECK(not_refused(xorloom(call), sentence) == "");
  };
  refusal({"--suggest", "0,4"}, "--suggest = 0 is not a whole number from 1 to 255");
  refusal({"--suggest", "10,"}, "--suggest = '' is not a whole number from 1 to 255");
  refusal({"--suggest", "10"}, "--suggest = '10' is not two numbers, as in 10,4");
  refusal({"--suggest", "10,4,2"}, "--suggest = '10,4,2' is not two numbers, as in 10,4");
  refusal({"--suggest", "300,300"}, "--suggest = 300 is not a whole number from 1 to 255");
  refusal({"--suggest", "200,57"},
          "k + m = 257 exceeds the 256 chunks that codes are suggested for");
  refusal({"--format", "json"}, "--format = json, but the families come as text");
}

}  // namespace xorloom::test
