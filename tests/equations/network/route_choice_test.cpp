#include "equations/network/route_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/tolerance.hpp"
#include "equations/network/placement_losses.hpp"
#include "tests/support/refusal.hpp"

namespace xorloom {
namespace {

using Shape = RepairRoute::Shape;

/// Racks of `nodes` nodes each, with links that are alike.
Topology racks_of(std::size_t racks, std::size_t nodes, double link, double uplink) {
  Topology topology;
  for (std::size_t r = 0; r < racks; ++r) {
    topology.racks.push_back({"r" + std::to_string(r), {uplink, uplink}});
    for (std::size_t n = 0; n < nodes; ++n) {
      topology.nodes.push_back({"n" + std::to_string(r) + std::to_string(n), r, {link, link}});
    }
  }
  return topology;
}

Topology random_topology(std::mt19937& random) {
  const auto below = [&](std::size_t most) { return std::size_t{random()} % most; };
  Topology topology = racks_of(1 + below(4), 1 + below(4), 1, 1);
  if (topology.nodes.size() < 2) topology.nodes.push_back({"more", 0, {}});
  for (auto& node : topology.nodes) {
    node.link = {1e6 * static_cast<double>(1 + below(10)),
                 1e6 * static_cast<double>(1 + below(10))};
  }
  for (auto& rack : topology.racks) {
    rack.uplink = {1e6 * static_cast<double>(1 + below(10)),
                   1e6 * static_cast<double>(1 + below(10))};
  }
  topology.latency_seconds = 1e-4 * static_cast<double>(below(3));
  return topology;
}

const TimedRoute& route_of(const RouteChoice& choice, Shape shape) {
  return *std::ranges::find(choice.routes, shape, &TimedRoute::shape);
}

/// Values that a node holds, each a combination of the cells read: what it sends is the fewer of
/// these and the sums.
using Values = std::vector<std::vector<Field::Symbol>>;

/// Runs a route on values, and returns what the root then has, checking how much each node sends.
Values run_route(const RouteChoice& choice, const TimedRoute& route) {
  const LinearMap& map = route.reads->map;
  const std::size_t nodes = route.parents.size();
  // Each value is a vector over the inputs; sums are those of the outputs from what a node knows.
  std::vector<std::vector<bool>> known(nodes, std::vector<bool>(map.inputs.size(), false));
  std::vector<std::size_t> held(nodes, 0);
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    const std::size_t node = choice.placement[choice.cells.location_of_cell(map.inputs[i])];
    known[node][i] = true;
    ++held[node];
  }
  std::vector<bool> is_done(nodes, false);
  const auto is_ready = [&](std::size_t node) {
    for (std::size_t child = 0; child < nodes; ++child) {
      if (child != node && route.parents[child] == node && !is_done[child]) return false;
    }
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t node = 0; node < nodes; ++node) {
      if (is_done[node] || route.parents[node] == kNoNode || !is_ready(node)) continue;
      is_done[node] = moved = true;
      if (node == choice.root) continue;
      std::size_t sums = 0;
      for (std::size_t o = 0; o < map.outputs.size(); ++o) {
        bool has_part = false;
        for (std::size_t i = 0; i < map.inputs.size(); ++i) {
          has_part |= known[node][i] && map.coefficients(o, i) != 0;
        }
        if (has_part) ++sums;
      }
      const std::size_t sent = std::min(sums, held[node]);
      CHECK(route.time.bytes_sent[node] ==
            doctest::Approx(static_cast<double>(sent) * route.reads->cell_bytes));
      held[route.parents[node]] += sent;
      for (std::size_t i = 0; i < map.inputs.size(); ++i) {
        if (!known[node][i]) continue;
        CHECK_FALSE(known[route.parents[node]][i]);  // no part is added twice
        known[route.parents[node]][i] = true;
      }
    }
  }
  Values rebuilt;
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    auto& row = rebuilt.emplace_back(map.inputs.size(), 0);
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      if (known[choice.root][i]) row[i] = map.coefficients(o, i);
    }
  }
  return rebuilt;
}

}  // namespace

TEST_CASE("The times of a star, a tree and a chain are those counted by hand") {
  // Two racks of three; 100 bytes per second inside, 20 between; chunks of 1000 bytes.
  Topology topology = racks_of(2, 3, 100, 20);
  topology.latency_seconds = 0.5;
  topology.placement = {0, 1, 3, 4, 5};  // location 0 is lost; node 2 is spare
  const RouteChoice choice = choose_routes(
      make_code("rs:k=4,m=1"), topology, {.erased = {0}, .chunk_bytes = 1000, .slice_bytes = 100});
  CHECK(choice.root == 2);
  CHECK(choice.slices == 10);
  REQUIRE(choice.routes.size() == 3);
  // Three chunks through the uplink: 150 s in ten slices, the last of which arrives 0.5 s later.
  const TimedRoute& star = route_of(choice, Shape::kStar);
  CHECK(star.time.seconds == doctest::Approx(150.5));
  CHECK(link_name(topology, star.time.slowest) == "uplink of rack r0, receiving");
  // One chunk through the uplink takes 50 s. Before it comes one hop of two chunks, 2 s a slice
  // (tree), or two hops (chain).
  const TimedRoute& tree = route_of(choice, Shape::kTree);
  CHECK(tree.time.seconds == doctest::Approx(45 + 2 * 0.5 + 2 + 5));
  const TimedRoute& chain = route_of(choice, Shape::kChain);
  CHECK(chain.time.seconds == doctest::Approx(45 + 4 * 0.5 + 3 * 1 + 5));
  CHECK(choice.least.seconds == doctest::Approx(50.5));
  CHECK(choice.routes.front().shape == Shape::kTree);
}

TEST_CASE("Chains join racks one after the other, and end in that of the new node") {
  Topology topology = racks_of(3, 4, 100, 20);
  const RouteChoice choice =
      choose_routes(make_code("rs:k=10,m=2"), topology, {.erased = {4}, .chunk_bytes = 1000});
  const TimedRoute& chain = route_of(choice, Shape::kChain);
  std::size_t crossings = 0;
  for (std::size_t node = 0; node < chain.parents.size(); ++node) {
    if (chain.parents[node] == kNoNode) continue;
    if (topology.nodes[node].rack != topology.nodes[chain.parents[node]].rack) ++crossings;
  }
  CHECK(crossings == 2);
}

TEST_CASE("Of routes that are about as fast, the one where the fewest nodes send to one is first") {
  // With many slices, a tree over two racks and a chain take about one chunk over the uplink.
  const RouteChoice choice =
      choose_routes(make_code("rs:k=6,m=2"), racks_of(2, 4, 125e6, 25e6), {.erased = {0}});
  CHECK(choice.routes[0].shape == Shape::kChain);
  CHECK(choice.routes[1].shape == Shape::kTree);
  CHECK(choice.routes[1].time.seconds <= choice.routes[0].time.seconds);
  CHECK(choice.routes[2].shape == Shape::kStar);
}

TEST_CASE("Slow nodes and racks are left out where the code does not need them") {
  Topology topology = racks_of(3, 4, 100, 100);
  topology.nodes[5].link = {1, 1};
  topology.racks[2].uplink = {2, 2};
  topology.placement = {0, 1, 2, 4, 5, 6, 8, 9};
  const RouteChoice choice =
      choose_routes(make_code("rs:k=4,m=4"), topology, {.erased = {0}, .chunk_bytes = 1000});
  for (const TimedRoute& route : choice.routes) {
    CHECK(route.parents[5] == kNoNode);
    CHECK(route.parents[8] == kNoNode);
    CHECK(route.parents[9] == kNoNode);
  }
}

TEST_CASE("A node sends what it read where its sums would be more, as for one node of Clay") {
  const RouteChoice choice = choose_routes(make_code("clay:k=4,m=2"), racks_of(1, 6, 100, 0),
                                           {.erased = {0}, .chunk_bytes = 800});
  const TimedRoute& star = route_of(choice, Shape::kStar);
  for (std::size_t node = 1; node < 6; ++node) {
    CHECK(star.time.bytes_sent[node] == 400);
    CHECK_FALSE(star.time.sends_sums[node]);
  }
  // Along a chain it is half a chunk, and from then on the sum.
  const TimedRoute& chain = route_of(choice, Shape::kChain);
  CHECK(chain.time.bytes_sent[1] == 400);
  CHECK(chain.time.bytes_sent[2] == 800);
  CHECK(chain.time.bytes_sent[5] == 800);
  CHECK(chain.time.sends_sums[5]);
}

TEST_CASE("Every route of random topologies rebuilds, and none beats the lower bound") {
  std::mt19937 random(7);
  const std::vector<const char*> specs{"rs:k=4,m=2",     "lrc:k=4,m=2,l=3", "clay:k=4,m=2",
                                       "zigzag:k=4,r=2", "rdp:k=4,p=5",     "shec:k=4,m=3,c=2",
                                       "parity:k=3",     "leopard:k=5,m=3"};
  for (int round = 0; round < 200; ++round) {
    const char* const spec = specs[random() % specs.size()];
    CAPTURE(spec);
    CAPTURE(round);
    const Code code = make_code(spec);
    const Topology topology = random_topology(random);
    RouteRequest request{.erased = {random() % code.locations},
                         .chunk_bytes = 1 + random() % 100'000};
    if (random() % 3 == 0 && code.promised_losses > 1) {
      const std::size_t other = random() % code.locations;
      if (other != request.erased[0]) request.erased.push_back(other);
    }
    const RouteChoice choice = choose_routes(code, topology, request);
    REQUIRE(choice.routes.size() == 3);
    for (const TimedRoute& route : choice.routes) {
      CHECK(route.time.seconds >= choice.least.seconds * (1 - 1e-9));
      CHECK(route.time.seconds * kAboutAsFast >= choice.routes.front().time.seconds);
      const Values rebuilt = run_route(choice, route);
      for (std::size_t o = 0; o < rebuilt.size(); ++o) {
        const auto row = route.reads->map.coefficients.row(o);
        CHECK(std::ranges::equal(rebuilt[o], row));
      }
    }
  }
}

TEST_CASE("The cells that known chunks leave open are those of a count, MDS or not") {
  const Code rs = make_code("rs:k=4,m=2");
  const std::vector<std::size_t> lost{0};
  CHECK(cells_left_open(rs, lost, std::vector<std::size_t>{1, 2, 3}) == 1);
  CHECK(cells_left_open(rs, lost, std::vector<std::size_t>{1, 2, 3, 5}) == 0);
  const Code lrc = make_code("lrc:k=4,m=2,l=3");  // groups 0-3 and 4-7
  CHECK(cells_left_open(lrc, lost, std::vector<std::size_t>{1, 2, 3}) == 0);
  CHECK(cells_left_open(lrc, lost, std::vector<std::size_t>{1, 2, 4}) == 1);
}

TEST_CASE("A placement survives as many nodes and racks as its fullest ones allow") {
  const Code rs = make_code("rs:k=4,m=2");
  Topology topology = racks_of(3, 1, 100, 100);
  CHECK(nodes_survived(rs, topology, dealt_placement(topology, 6)).losses == 1);
  CHECK(racks_survived(rs, topology, dealt_placement(topology, 6)).losses == 1);
  topology = racks_of(2, 3, 100, 100);
  CHECK(nodes_survived(rs, topology, dealt_placement(topology, 6)).losses == 2);
  CHECK(racks_survived(rs, topology, dealt_placement(topology, 6)).losses == 0);
  const Code lrc = make_code("lrc:k=4,m=2,l=3");
  topology = racks_of(8, 1, 100, 100);
  CHECK(nodes_survived(lrc, topology, dealt_placement(topology, 8)).losses == losses_survived(lrc));
}

TEST_CASE("Parents that are no tree are refused") {
  const Topology topology = racks_of(1, 4, 100, 0);
  const Code code = make_code("rs:k=2,m=1");
  const RouteChoice choice = choose_routes(code, topology, {.erased = {0}, .chunk_bytes = 100});
  const NodeReads& reads = *choice.routes.front().reads;
  const auto refused = [&](std::vector<std::size_t> parents) {
    return test::refusal(Status::kInvalidArgument,
                         [&] { route_time(topology, reads, parents, 3, 1); });
  };
  CHECK(refused({kNoNode, 2, 1, 3}) == "the parents of a route form a circle");
  CHECK(refused({kNoNode, 0, 3, 3}) == "the parent of node 1 takes no part in the route");
  CHECK(refused({3, 3, 3}) == "the parents are not one per node with the new node as root");
}

TEST_CASE("What has no route is refused") {
  const Topology topology = racks_of(2, 2, 100, 100);
  const Code code = make_code("rs:k=4,m=2");
  const auto refused = [&](const Topology& given, const RouteRequest& request,
                           Status kind = Status::kInvalidArgument) {
    return test::refusal(kind, [&] { choose_routes(code, given, request); });
  };
  CHECK(refused(topology, {.erased = {}}) == "nothing is lost");
  CHECK(refused(topology, {.erased = {6}}).find('6') != std::string::npos);
  CHECK(refused(topology, {.erased = {0}, .new_node = 9}) == "the new node 9 is not one of 0 to 3");
  CHECK(refused(racks_of(1, 1, 100, 0), {.erased = {0}}) ==
        "the topology has 1 node, and a route needs 2");
  Topology short_of = topology;
  short_of.placement = {0, 1, 2};
  CHECK(refused(short_of, {.erased = {0}}) ==
        "the placement names 3 nodes, but rs:k=4,m=2,w=8 has 6 locations");
  Topology slow = topology;
  slow.racks[1].uplink.down = 0;
  CHECK(refused(slow, {.erased = {0}}) ==
        "the uplink of rack r1, receiving has no bandwidth above 0");
  CHECK(refused(topology, {.erased = {0, 1, 2}}, Status::kDamaged) != "");
}

}  // namespace xorloom
