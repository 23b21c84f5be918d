#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace xorloom::test {

TEST_CASE("A benchmark says what was measured, and both speeds") {
  const Outcome outcome = xorloom({"bench", "cauchy:k=3,m=2,w=3", "--chunk-bytes", "1920,3840",
                                   "--threads", "1", "--format", "json"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-bench");
  CHECK(json["version"] == 1);
  REQUIRE(json["results"].size() == 4);
  for (const auto& result : json["results"]) {
    CHECK(result["k"] == 3);
    CHECK(result["m"] == 2);
    CHECK(result["w"] == 3);
    CHECK(result["packet_bytes"] == 64);
    CHECK(result["threads"] == 1);
    CHECK(result["lost"] == std::vector<int>{0, 1});
    CHECK(result["encode_seconds"] > 0.0);
    CHECK(result["decode_seconds"] > 0.0);
    CHECK(result["verified_by"] == "the oracle");
    CHECK(result["data_bytes"].get<int>() == 3 * result["chunk_bytes"].get<int>());
  }
  CHECK(json["results"][0]["executor"] == "ranges");
  CHECK(json["results"][1]["executor"] == "graph");
}

TEST_CASE("The table of a benchmark fits 80 columns and says what GB/s are") {
  const Outcome outcome =
      xorloom({"bench", "rs:k=10,m=4", "cauchy:k=10,m=4,w=8,packet_bytes=8",
               "cauchy-good:k=10,m=4,w=8,packet_bytes=8", "--chunk-bytes", "640", "--executor",
               "auto", "--isa", "portable", "--threads", "1"});
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(outcome.out.find("portable kernels") != std::string::npos);
  CHECK(outcome.out.find("GB/s is data bytes") != std::string::npos);
}

}  // namespace xorloom::test
