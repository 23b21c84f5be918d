#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

Json lab_model(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const Outcome outcome = xorloom_lab(arguments);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-model-" + arguments[0]);
  CHECK(json["version"] == 1);
  return json;
}

std::string refused_lab(const std::vector<std::string>& arguments, const std::string& sentence) {
  return not_refused(xorloom_lab(arguments), sentence);
}

}  // namespace

TEST_CASE("banks compares the paper's six designs with exact means") {
  const Json designs = lab_model({"banks"})["designs"];
  REQUIRE(designs.size() == 6);
  CHECK(designs[0]["paper_mean"] == 2.92);
  CHECK(designs[0]["mean_of_256_words"].get<double>() == doctest::Approx(2.9193).epsilon(1e-5));
  CHECK(designs[0]["mean_of_64_words"].get<double>() == doctest::Approx(2.4719).epsilon(1e-5));
  for (const Json& design : designs) {
    const double difference =
        design["mean_of_256_words"].get<double>() - design["paper_mean"].get<double>();
    CHECK(std::abs(difference) < 0.007);
  }
}

TEST_CASE("banks takes one access, and what is left out is the first design's") {
  const Json access = lab_model({"banks", "--threads", "2", "--banks", "2", "--words", "4"});
  CHECK(access["mean"] == 1.25);
  const Json words = lab_model({"banks", "--words", "64"});
  CHECK(words["threads"] == 16);
  CHECK(words["banks"] == 16);
  CHECK(words["mean"].get<double>() == doctest::Approx(2.4719).epsilon(1e-5));
}

TEST_CASE("zigzag-unit predicts the paper's system to be bound by its memory") {
  const Json json = lab_model({"zigzag-unit", "zigzag:k=4,r=2"});
  CHECK(json["units"] == 12);
  CHECK(json["word_bytes"] == 64);
  const Json& operations = json["operations"];
  REQUIRE(operations.size() == 7);
  // 512 slices of 32 + 16 elements of 64 words, with 66 clocks each, and 14 at the ends.
  CHECK(operations[0]["clocks"] == 512 * (48 * 64 + 66) + 8 + 4);
  CHECK(operations[0]["channels_bytes_per_second"].get<double>() == doctest::Approx(51.2e9));
  CHECK(operations[0]["predicted_bytes_per_second"] == operations[0]["channels_bytes_per_second"]);
  CHECK(operations[1]["lost"] == std::vector<std::size_t>{0});
  CHECK(operations[1]["loads"] == 20);
  // With one unit per channel, the unit's own phases are the limit.
  const Json four = lab_model({"zigzag-unit", "zigzag:k=4,r=2", "--units", "4"})["operations"];
  CHECK(four[0]["predicted_bytes_per_second"].get<double>() ==
        doctest::Approx(4 * four[0]["unit_bytes_per_second"].get<double>()));
  CHECK(four[0]["predicted_bytes_per_second"].get<double>() < 51.2e9);
  CHECK(lab_model({"zigzag-unit", "--object-bytes", "64M"})["operations"] == operations);
  const Json half =
      lab_model({"zigzag-unit", "zigzag:k=4,r=2", "--units", "4", "--clock", "150e6"});
  CHECK(half["operations"][0]["predicted_bytes_per_second"].get<double>() ==
        doctest::Approx(four[0]["predicted_bytes_per_second"].get<double>() / 2));
}

TEST_CASE("The tables of the lab's models fit a terminal of 80 columns") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"banks"},
        {"banks", "--threads", "256", "--banks", "1024", "--words", "65536"},
        {"zigzag-unit", "zigzag:k=4,r=2"},
        {"zigzag-unit", "zigzag:k=4,r=4", "--lanes", "1", "--units", "1024"}}) {
    const Outcome outcome = xorloom_lab(arguments);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(widest_line(outcome.out) <= 80);
  }
}

TEST_CASE("Without a code, a model of a Zigzag unit is of the paper's") {
  const Outcome usual = xorloom_lab({"zigzag-unit"});
  CHECK(usual.status == 0);
  CHECK(usual.out == xorloom_lab({"zigzag-unit", "zigzag:k=4,r=2"}).out);
  CHECK(usual.out != xorloom_lab({"zigzag-unit", "zigzag:k=3,r=2"}).out);
}

TEST_CASE("What the lab's models cannot compute is refused with the value and the bound") {
  CHECK(refused_lab({"banks", "rs:k=4,m=2"}, "'rs:k=4,m=2' is not expected") == "");
  CHECK(refused_lab({"banks", "--threads", "0"},
                    "--threads = 0 is not a whole number from 1 to 256") == "");
  CHECK(refused_lab({"banks", "--words", "65537"},
                    "--words = 65537 is not a whole number from 1 to 65536") == "");
  CHECK(refused_lab({"zigzag-unit", "-k", "4"}, "'-k' is not expected") == "");
  const auto refused_unit = [](const std::vector<std::string>& options,
                               const std::string& sentence) {
    std::vector<std::string> arguments{"zigzag-unit", "zigzag:k=4,r=2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return refused_lab(arguments, sentence);
  };
  CHECK(refused_unit({"--lanes", "129"}, "--lanes = 129 is not a whole number from 1 to 128") ==
        "");
  CHECK(refused_unit({"--slice-words", "3"}, "slice words = 3 is not a power of 2") == "");
  CHECK(refused_unit({"--units", "5"}, "5 units cannot share 4 channels evenly") == "");
  CHECK(refused_unit(
            {"--object-bytes", "2047"},
            "an object of 2047 bytes is smaller than a word of each element, 2048 bytes") == "");
  CHECK(refused_unit({"--object-bytes", "1"},
                     "an object of 1 byte is smaller than a word of each element, 2048 bytes") ==
        "");
  CHECK(refused_unit({"--objects", "65"},
                     "65 objects of 67108864 bytes are more than 4294967296 bytes") == "");
}

}  // namespace xorloom::test
