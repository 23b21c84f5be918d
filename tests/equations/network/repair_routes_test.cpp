#include "xorloom/repair_route.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace xorloom {

TEST_CASE("repair_routes has a parent per node, the locations that are read, and the seconds") {
  const Topology topology = read_topology(R"({
    "format": "xorloom-topology", "version": 1, "link": 1000, "uplink": 100, "racks": [
      {"name": "a", "nodes": ["a0", "a1", "a2", "a3"]},
      {"name": "b", "nodes": ["b0", "b1", "b2"]}],
    "placement": ["a0", "b0", "a1", "b1", "a2", "b2"]})");
  const std::vector<RepairRoute> routes =
      repair_routes("rs:k=4,m=2", topology, {.erased = {0}, .chunk_bytes = 1000});
  REQUIRE(routes.size() == 3);
  for (const RepairRoute& route : routes) {
    CHECK(route.root == 3);
    REQUIRE(route.parents.size() == 7);
    CHECK(route.parents[3] == 3);
    CHECK(route.parents[0] == kNoNode);
    CHECK(route.read.size() == 4);
    CHECK(route.least_seconds == doctest::Approx(10));
    CHECK(route.seconds >= route.least_seconds);
    CHECK(route.slices == 1);
    // Each node that reads sends as much as its chunk has.
    for (const std::size_t location : route.read) {
      const std::size_t node = topology.placement[location];
      CHECK(route.parents[node] != kNoNode);
      CHECK(route.bytes_sent[node] == 1000);
    }
  }
}

}  // namespace xorloom
