#include <utility>

#include "codes/families/families.hpp"
#include "equations/network/route_choice.hpp"
#include "xorloom/repair_route.hpp"

namespace xorloom {

std::vector<RepairRoute> repair_routes(std::string_view spec, const Topology& topology,
                                       const RouteRequest& request) {
  const RouteChoice choice = choose_routes(make_code(spec), topology, request);
  std::vector<RepairRoute> routes;
  for (const TimedRoute& timed : choice.routes) {
    RepairRoute route;
    route.shape = timed.shape;
    route.root = choice.root;
    route.parents = timed.parents;
    for (std::size_t location = 0; location < choice.placement.size(); ++location) {
      const std::vector<std::size_t>& read = timed.reads->read[choice.placement[location]];
      for (const std::size_t other : read) {
        if (other == location) route.read.push_back(location);
      }
    }
    route.bytes_sent = timed.time.bytes_sent;
    route.sends_sums = timed.time.sends_sums;
    route.slices = choice.slices;
    route.seconds = timed.time.seconds;
    route.least_seconds = choice.least.seconds;
    route.slowest_link = link_name(topology, timed.time.slowest);
    routes.push_back(std::move(route));
  }
  return routes;
}

}  // namespace xorloom
