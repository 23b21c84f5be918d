#include "equations/network/topology.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/refusal.hpp"

namespace xorloom {
namespace {

const std::string kTwoRacks = R"({
  "format": "xorloom-topology", "version": 1, "latency_seconds": 0.001,
  "link": "1 Gbit/s", "uplink": {"up": "200 Mbit/s", "down": 5e7},
  "racks": [
    {"name": "a", "nodes": ["a0", {"name": "a1", "link": "10 MB/s"}]},
    {"name": "b", "uplink": 1000, "link": "1 MiB/s", "nodes": ["b0"]}
  ],
  "placement": ["b0", "a0", "a0"]
})";

std::string refused(const std::string& from, const std::string& to) {
  return test::refusal(Status::kParse, [&] { read_topology(test::change(kTwoRacks, from, to)); });
}

}  // namespace

TEST_CASE(
    "A topology has the links of its nodes and racks, where one is not given that around it") {
  const Topology topology = read_topology(kTwoRacks);
  REQUIRE(topology.nodes.size() == 3);
  REQUIRE(topology.racks.size() == 2);
  CHECK(topology.latency_seconds == 0.001);
  CHECK(topology.nodes[0].link.up == 125e6);
  CHECK(topology.nodes[1].link.down == 10e6);
  CHECK(topology.nodes[2].link.up == 1048576);
  CHECK(topology.nodes[2].rack == 1);
  CHECK(topology.racks[0].uplink.up == 25e6);
  CHECK(topology.racks[0].uplink.down == 5e7);
  CHECK(topology.racks[1].uplink.up == 1000);
  CHECK(topology.placement == std::vector<std::size_t>{2, 0, 0});
}

TEST_CASE("A path takes the links of both nodes, and between racks their uplinks") {
  const Topology topology = read_topology(kTwoRacks);
  const auto within = links_between(topology, 0, 1);
  REQUIRE(within.size() == 2);
  CHECK(link_name(topology, within[0]) == "link of a0, sending");
  CHECK(link_name(topology, within[1]) == "link of a1, receiving");
  const auto between = links_between(topology, 2, 1);
  REQUIRE(between.size() == 4);
  CHECK(link_name(topology, between[1]) == "uplink of rack b, sending");
  CHECK(link_name(topology, between[2]) == "uplink of rack a, receiving");
  CHECK(bandwidth(topology, between[2]) == 5e7);
}

TEST_CASE("What is no topology is refused with a sentence that names the place") {
  CHECK(refused("\"uplink\": {\"up\": \"200 Mbit/s\", \"down\": 5e7},", "") ==
        "rack 'a' has no uplink, so its nodes do not reach the other racks");
  CHECK(refused("1 MiB/s", "0 MiB/s") ==
        "the bandwidth of the link of node 'b0' is 0 bytes/s, not a number above 0");
  CHECK(refused("1000", "0") ==
        "the bandwidth of the uplink of rack 'b' is 0 bytes/s, not a number above 0");
  CHECK(refused("1 MiB/s", "fast") ==
        "'fast' is not a bandwidth such as \"1 Gbit/s\" or \"125 MB/s\"");
  CHECK(refused("[\"b0\",", "[\"c0\",") == "the placement names 'c0', which is no node");
  CHECK(refused("\"name\": \"a1\"", "\"name\": \"a0\"") == "the node 'a0' is given twice");
  CHECK(refused("\"name\": \"b\"", "\"name\": \"a\"") == "the rack 'a' is given twice");
  CHECK(refused("latency_seconds", "latency") ==
        "the topology has a member 'latency', which no topology has");
  CHECK(refused("0.001", "-1") == "latency_seconds is not a number of 0 or more");
  CHECK(refused("\"version\": 1", "\"version\": 2") ==
        "version 2 is not 1, the one this program reads");
  CHECK(refused("\"nodes\": [\"b0\"]", "\"nodes\": 3") == "'nodes' is not an array");
  CHECK(test::refusal(Status::kParse, [] {
          read_topology(R"({"format": "xorloom-topology", "version": 1, "racks": []})");
        }) == "the topology has no nodes");
}

TEST_CASE("Locations are dealt to racks in turn, and to a node again when all have one") {
  Topology topology = read_topology(kTwoRacks);
  CHECK(dealt_placement(topology, 5) == std::vector<std::size_t>{0, 2, 1, 0, 2});
  topology.nodes.clear();
  CHECK(test::refusal(Status::kInvalidArgument, [&] { dealt_placement(topology, 5); }) ==
        "the topology has no nodes");
}

}  // namespace xorloom
