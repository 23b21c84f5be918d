#include "gen/pictures/route_svg.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/refusal.hpp"
#include "tests/support/svg.hpp"

namespace xorloom {
namespace {

/// A chain through `racks` racks of one node each.
RoutePicture chain_of(std::size_t racks) {
  RoutePicture route;
  route.head = "a chain & its head";
  route.note = "a note";
  for (std::size_t rack = 0; rack < racks; ++rack) {
    route.racks.push_back("r" + std::to_string(rack));
    route.nodes.push_back({.name = "n" + std::to_string(rack), .rack = rack, .sends = "1 KiB"});
    if (rack + 1 < racks) route.nodes.back().parent = rack + 1;
  }
  route.nodes.back().is_root = true;
  return route;
}

}  // namespace

TEST_CASE("A picture of a route has a box per rack and node, and an arrow per node that sends") {
  for (const std::size_t racks : std::vector<std::size_t>{1, 2, 5, 6, 11, 32}) {
    CAPTURE(racks);
    const std::string svg = svg_page(draw_route(chain_of(racks)));
    CHECK(not_well_formed(svg) == "");
    CHECK(count_of(svg, "class=\"xl-between\"") == racks);
    CHECK(count_of(svg, "class=\"xl-box\"") == racks);
    CHECK(count_of(svg, "class=\"xl-fill\"") == racks - 1);
    CHECK(count_of(svg, ">1 KiB<") == racks);
  }
}

TEST_CASE("Racks stand in rows, and a picture is no wider for more than five") {
  const Picture five = draw_route(chain_of(5));
  const Picture ten = draw_route(chain_of(10));
  CHECK(ten.width == five.width);
  CHECK(ten.height > five.height);
}

TEST_CASE("Nodes that send nothing are drawn, and what is too large is refused") {
  RoutePicture route = chain_of(3);
  route.nodes.push_back({.name = "idle", .rack = 0});
  CHECK(count_of(svg_page(draw_route(route)), "class=\"xl-idle\"") == 1);
  const RoutePicture wide = chain_of(33);
  CHECK(test::refusal(Status::kInvalidArgument, [&] { draw_route(wide); }) ==
        "33 nodes in 33 racks are more than the 256 in 32 that are drawn");
}

}  // namespace xorloom
