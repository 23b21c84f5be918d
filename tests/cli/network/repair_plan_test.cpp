#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

const std::string kRacks = R"({"format": "xorloom-topology", "version": 1,
  "link": "1 Gbit/s", "uplink": "200 Mbit/s",
  "racks": [{"name": "a", "nodes": ["a0", "a1", "a2", "a3"]},
            {"name": "b", "nodes": ["b0", "b1", "b2", "b3"]}]})";

/// The topology with the first `from` replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = kRacks;
  return text.replace(text.find(from), from.size(), to);
}

Outcome plan(std::vector<std::string> arguments, const std::string& topology = kRacks) {
  arguments.insert(arguments.begin(), {"repair-plan", "--topology", "-"});
  return xorloom(arguments, {.in = topology});
}

}  // namespace

TEST_CASE("repair-plan compares routes and lists who sends what to whom in 80 columns") {
  for (const std::string spec : {"rs:k=4,m=2", "rs:k=10,m=4", "clay:k=4,m=2", "lrc:k=12,m=2,l=7",
                                 "zigzag:k=4,r=2", "cauchy-good:k=10,m=4,w=8"}) {
    CAPTURE(spec);
    const Outcome outcome = plan({spec, "--erase", "0"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(widest_line(outcome.out) <= 80);
    CHECK(has(outcome.out, "\ntree "));
    CHECK(has(outcome.out, "\nbound "));
  }
}

TEST_CASE("repair-plan's JSON is a tree to the new node, with bytes that add up") {
  const Outcome outcome = plan(
      {"rs:k=4,m=2", "--erase", "1", "--to", "b3", "--chunk-bytes", "1000000", "--format", "json"});
  REQUIRE(outcome.status == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-repair-plan");
  CHECK(json["version"] == 1);
  CHECK(json["new_node"] == "b3");
  CHECK(json["placement"].size() == 6);
  CHECK(json["survives"]["nodes"]["losses"] == 2);
  REQUIRE(json["routes"].size() == 3);
  double before = 0;
  for (const Json& route : json["routes"]) {
    CHECK(route["seconds"].get<double>() >= before / 1.01);
    before = route["seconds"].get<double>();
    CHECK(route["seconds"] >= json["least_seconds"]);
    double sent = 0;
    for (const Json& helper : route["helpers"]) sent += helper["bytes_sent"].get<double>();
    CHECK(route["bytes_sent"] == sent);
    CHECK(route["helpers"].back()["parent"] == "b3");
    CHECK(route["helpers"].size() == 4);
  }
  // A chunk through 200 Mbit/s.
  CHECK(json["least_seconds"].get<double>() == doctest::Approx(0.04));
}

TEST_CASE("repair-plan takes chunks of whole packets alone") {
  const Outcome odd = plan({"cauchy-good:k=4,m=2,w=8", "--erase", "0", "--chunk-bytes", "1000"});
  CHECK(odd.status == 2);
  CHECK(has(odd.err, "--chunk-bytes = 1000 is not a multiple of 512, which "));
  CHECK(has(odd.err, " needs; 512 is one"));
  // Without the option, chunks have the next size that the code can have.
  CHECK(plan({"rdp:k=4,p=7", "--erase", "0"}).status == 0);
}

TEST_CASE("repair-plan draws each node, with what it sends") {
  const Outcome outcome = plan({"rs:k=4,m=2", "--erase", "0", "--format", "svg"});
  CHECK(outcome.status == 0);
  CHECK(not_well_formed(outcome.out) == "");
  for (const std::string node : {"a0", "a3", "b0", "b3"}) CHECK(has(outcome.out, ">" + node + "<"));
  CHECK(has(outcome.out, ">rack b<"));
  CHECK(has(outcome.out, ">64.0 MiB sum<"));
}

TEST_CASE("repair-plan refuses what is no topology or does not fit the code, in one sentence") {
  CHECK(not_refused(plan({"rs:k=4,m=2", "--erase", "0", "--to", "c0"}),
                    "--to names 'c0', which is no node of the topology") == "");
  CHECK(
      not_refused(plan({"rs:k=4,m=2", "--erase", "0"}, "{}"),
                  "standard input: the JSON has no 'format', which is 'xorloom-topology' in such a "
                  "file") == "");
  CHECK(not_refused(plan({"rs:k=4,m=2", "--erase", "0"}, changed("200 Mbit/s", "0 Mbit/s")),
                    "standard input: the bandwidth of the uplink of rack 'a' is 0 bytes/s, not a "
                    "number above 0") == "");
  CHECK(
      not_refused(plan({"rs:k=4,m=2", "--erase", "0"}, changed("\"uplink\": \"200 Mbit/s\",", "")),
                  "standard input: rack 'a' has no uplink, so its nodes do not reach the other "
                  "racks") == "");
  CHECK(not_refused(plan({"rs:k=4,m=2", "--erase", "0"},
                         changed("\"racks\"", "\"placement\": [\"a0\"], \"racks\"")),
                    "the placement names 1 nodes, but rs:k=4,m=2,w=8 has 6 locations") == "");
  CHECK(not_refused(plan({"rs:k=4,m=2", "--erase", "6"}), "lost location 6 is not one of 0 to 5") ==
        "");
  CHECK(plan({"rs:k=4,m=2", "--erase", "0,1,2"}).status == 2);
  CHECK(not_refused(
            xorloom({"repair-plan", "rs:k=4,m=2", "--erase", "0"}),
            "--topology FILE is required: racks, nodes, bandwidths and which node holds which "
            "location, as JSON") == "");
}

}  // namespace xorloom::test
