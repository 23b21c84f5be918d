#include "cli/pages/route_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/tolerance.hpp"
#include "equations/network/placement_losses.hpp"
#include "gen/pictures/route_svg.hpp"

namespace xorloom::cli {
namespace {

/// Nodes with a line of their own in a table.
constexpr std::size_t kMostNodesShown = 64;

/// Nodes of a topology up to which a picture has those without chunks, too.
constexpr std::size_t kMostEmptyDrawn = 40;

/// Columns of a node's name in a table.
constexpr std::size_t kNodeColumns = 16;

std::string amount(double value, double step, const std::array<const char*, 5>& units) {
  std::size_t unit = 0;
  while (value >= step && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  return fmt::format("{} {}", short_number(value), units[unit]);
}

std::string bytes_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
  return amount(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string seconds_text(double seconds) {
  if (seconds >= 1 || seconds == 0) return short_number(seconds) + " s";
  return seconds >= 1e-3 ? short_number(seconds * 1e3) + " ms"
                         : short_number(seconds * 1e6) + " us";
}

std::string cut(const std::string& name) {
  const std::string shown = printable(name);
  return width(shown) <= kNodeColumns ? shown : shown.substr(0, kNodeColumns - 1) + "~";
}

/// Bytes that go from rack to rack.
double between_racks(const Topology& topology, const TimedRoute& route) {
  double bytes = 0;
  for (std::size_t rack = 0; rack < topology.racks.size(); ++rack) {
    bytes += route.time.link_bytes[rack_up(topology, rack)];
  }
  return bytes;
}

double sent_in_all(const TimedRoute& route) {
  return std::accumulate(route.time.bytes_sent.begin(), route.time.bytes_sent.end(), 0.0);
}

/// Nodes that take part but for the root, each before its parent, neighbours of a chain together.
std::vector<std::size_t> senders(const TimedRoute& route, std::size_t root) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> open{root};
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (node != root) order.push_back(node);
    for (std::size_t child = 0; child < route.parents.size(); ++child) {
      if (child != root && route.parents[child] == node) open.push_back(child);
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// "any 2 nodes can be lost", "not every rack can be lost".
std::string survived_text(const SurvivedLosses& survived, const char* domain) {
  if (survived.losses == 0) return fmt::format("not every {} can be lost", domain);
  return fmt::format("{}any {}{}{} can be lost", survived.is_exact ? "" : "at least ",
                     survived.losses == 1 ? "" : fmt::format("{} ", survived.losses), domain,
                     survived.losses == 1 ? "" : "s");
}

std::string reason(const Topology& topology, const RouteChoice& choice) {
  const TimedRoute& best = choice.routes.front();
  if (sent_in_all(best) == 0) return "The new node has all that it needs: nothing is sent.";
  const bool is_fastest = std::ranges::none_of(choice.routes, [&](const TimedRoute& route) {
    return route.time.seconds < best.time.seconds;
  });
  std::string text = fmt::format("The {} is {}: its slowest link, the {}, carries {}.",
                                 shape_name(best.shape), is_fastest ? "the fastest" : "planned",
                                 printable(link_name(topology, best.time.slowest)),
                                 bytes_text(best.time.link_bytes[best.time.slowest]));
  for (std::size_t i = 1; i < choice.routes.size(); ++i) {
    const TimedRoute& other = choice.routes[i];
    text += other.time.seconds <= best.time.seconds * kAboutAsFast
                ? fmt::format(" The {} takes about as long{}.", shape_name(other.shape),
                              is_fastest ? "" : ", but more nodes send to one")
                : fmt::format(" The {} takes {:.2f} times as long.", shape_name(other.shape),
                              other.time.seconds / best.time.seconds);
  }
  return text;
}

std::size_t number_of_distinct(std::vector<std::size_t> numbers) {
  std::ranges::sort(numbers);
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

std::string summary_text(const Code& code, const Topology& topology, const RouteChoice& choice) {
  std::string text = fmt::format("code     {}\n", wrapped(code.name(), 9));
  text += fmt::format(
      "lost     {}\n",
      wrapped(fmt::format("location{} {}, rebuilt on {}", choice.lost.size() == 1 ? "" : "s",
                          short_list(choice.lost), printable(topology.nodes[choice.root].name)),
              9));
  std::vector<std::size_t> holders = choice.placement;
  std::vector<std::size_t> racks;
  for (const std::size_t node : holders) racks.push_back(topology.nodes[node].rack);
  const std::size_t num_nodes = number_of_distinct(std::move(holders));
  const std::size_t num_racks = number_of_distinct(std::move(racks));
  std::string placed =
      fmt::format("{} chunks on {} node{} in {} rack{}: {}", choice.placement.size(), num_nodes,
                  num_nodes == 1 ? "" : "s", num_racks, num_racks == 1 ? "" : "s",
                  survived_text(nodes_survived(code, topology, choice.placement), "node"));
  if (topology.racks.size() > 1) {
    placed += ", " + survived_text(racks_survived(code, topology, choice.placement), "rack");
  }
  text += fmt::format("placed   {}\n", wrapped(placed, 9));
  text += fmt::format("chunk    {}, in {} slice{}\n\n",
                      bytes_text(static_cast<double>(choice.chunk_bytes)), choice.slices,
                      choice.slices == 1 ? "" : "s");
  return text;
}

std::string routes_text(const Topology& topology, const RouteChoice& choice) {
  std::string text = fmt::format("{:<7}{:>10}{:>14}{:>12}   {}\n", "route", "time", "between racks",
                                 "sent", "slowest link");
  for (const TimedRoute& route : choice.routes) {
    text += fmt::format("{:<7}{:>10}{:>14}{:>12}   {}\n", shape_name(route.shape),
                        seconds_text(route.time.seconds),
                        bytes_text(between_racks(topology, route)), bytes_text(sent_in_all(route)),
                        wrapped(printable(link_name(topology, route.time.slowest)), 46));
  }
  text += fmt::format("{:<7}{:>10}{:>29}{}\n", "bound", seconds_text(choice.least.seconds), "",
                      wrapped(printable(link_name(topology, choice.least.link)), 46));
  return text;
}

std::string nodes_text(const Topology& topology, const RouteChoice& choice) {
  const TimedRoute& best = choice.routes.front();
  const std::vector<std::size_t> order = senders(best, choice.root);
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kMostNodesShown); ++i) {
    const std::size_t node = order[i];
    const std::string what =
        best.reads->read[node].empty()
            ? ""
            : fmt::format(
                  "reads {} of {}",
                  bytes_text(static_cast<double>(best.reads->cells[node]) * best.reads->cell_bytes),
                  short_list(best.reads->read[node]));
    text += fmt::format("  {:<{}} -> {:<{}} {:>10} {:<7} {}\n", cut(topology.nodes[node].name),
                        kNodeColumns, cut(topology.nodes[best.parents[node]].name), kNodeColumns,
                        bytes_text(best.time.bytes_sent[node]),
                        best.time.sends_sums[node] ? "summed" : "as read", wrapped(what, 58));
  }
  if (order.size() > kMostNodesShown) {
    text +=
        fmt::format("  and {} more: --format json lists them\n", order.size() - kMostNodesShown);
  }
  const std::vector<std::size_t>& at_root = best.reads->read[choice.root];
  if (!at_root.empty()) {
    text += fmt::format("  {} itself reads {}\n", cut(topology.nodes[choice.root].name),
                        wrapped(short_list(at_root), 2));
  }
  return text;
}

std::string table_page(const Code& code, const Topology& topology, const RouteChoice& choice) {
  return summary_text(code, topology, choice) + routes_text(topology, choice) + "\n" +
         wrapped(reason(topology, choice), 0) + "\n\n" +
         fmt::format("the {}:\n", shape_name(choice.routes.front().shape)) +
         nodes_text(topology, choice);
}

Json json_of(const SurvivedLosses& survived) {
  return {{"losses", survived.losses}, {"is_exact", survived.is_exact}};
}

Json json_of(const Topology& topology, const RouteChoice& choice, const TimedRoute& route) {
  Json helpers = Json::array();
  for (const std::size_t node : senders(route, choice.root)) {
    helpers.push_back(
        {{"node", topology.nodes[node].name},
         {"parent", topology.nodes[route.parents[node]].name},
         {"reads", route.reads->read[node]},
         {"bytes_read", static_cast<double>(route.reads->cells[node]) * route.reads->cell_bytes},
         {"sends", route.time.sends_sums[node] ? "sums" : "reads"},
         {"bytes_sent", route.time.bytes_sent[node]}});
  }
  Json links = Json::array();
  for (LinkNumber link = 0; link < route.time.link_bytes.size(); ++link) {
    const double bytes = route.time.link_bytes[link];
    if (bytes == 0) continue;
    links.push_back({{"link", link_name(topology, link)},
                     {"bytes", bytes},
                     {"seconds", bytes / bandwidth(topology, link)}});
  }
  return {{"shape", shape_name(route.shape)},
          {"seconds", route.time.seconds},
          {"slowest_link", link_name(topology, route.time.slowest)},
          {"bytes_between_racks", between_racks(topology, route)},
          {"bytes_sent", sent_in_all(route)},
          {"new_node_reads", route.reads->read[choice.root]},
          {"helpers", std::move(helpers)},
          {"links", std::move(links)}};
}

std::string json_page(const Code& code, const Topology& topology, const RouteChoice& choice) {
  Json placement = Json::array();
  for (const std::size_t node : choice.placement) placement.push_back(topology.nodes[node].name);
  Json routes = Json::array();
  for (const TimedRoute& route : choice.routes) {
    routes.push_back(json_of(topology, choice, route));
  }
  const Json json{{"format", "xorloom-repair-plan"},
                  {"version", 1},
                  {"code", code.spec},
                  {"lost", choice.lost},
                  {"new_node", topology.nodes[choice.root].name},
                  {"placement", std::move(placement)},
                  {"survives",
                   {{"nodes", json_of(nodes_survived(code, topology, choice.placement))},
                    {"racks", json_of(racks_survived(code, topology, choice.placement))}}},
                  {"chunk_bytes", choice.chunk_bytes},
                  {"slice_bytes", choice.slice_bytes},
                  {"slices", choice.slices},
                  {"least_seconds", choice.least.seconds},
                  {"least_link", link_name(topology, choice.least.link)},
                  {"reason", reason(topology, choice)},
                  {"routes", std::move(routes)}};
  return json.dump(2) + "\n";
}

std::string svg_of(const Code& code, const Topology& topology, const RouteChoice& choice) {
  const TimedRoute& best = choice.routes.front();
  RoutePicture picture;
  picture.head = fmt::format("Repair of {} by a {}", code.name(), shape_name(best.shape));
  picture.note = fmt::format("{} predicted, {} at least", seconds_text(best.time.seconds),
                             seconds_text(choice.least.seconds));
  std::vector<std::size_t> number_of(topology.nodes.size(), kNoNode);  // in the picture
  std::vector<std::size_t> rack_of(topology.racks.size(), kNoNode);
  std::vector<std::size_t> drawn_nodes;
  const bool is_large = topology.nodes.size() > kMostEmptyDrawn;
  for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
    const bool is_empty = std::ranges::find(choice.placement, node) == choice.placement.end();
    if (is_large && is_empty && best.parents[node] == kNoNode) continue;
    number_of[node] = drawn_nodes.size();
    drawn_nodes.push_back(node);
    const std::size_t rack = topology.nodes[node].rack;
    if (rack_of[rack] != kNoNode) continue;
    rack_of[rack] = picture.racks.size();
    picture.racks.push_back(printable(topology.racks[rack].name));
  }
  if (drawn_nodes.size() < topology.nodes.size()) {
    picture.note += fmt::format("; {} nodes without chunks are left out",
                                topology.nodes.size() - drawn_nodes.size());
  }
  for (const std::size_t node : drawn_nodes) {
    RoutePicture::Node drawn{.name = printable(topology.nodes[node].name),
                             .rack = rack_of[topology.nodes[node].rack]};
    const bool sends = best.parents[node] != kNoNode && node != choice.root;
    if (sends) drawn.parent = number_of[best.parents[node]];
    drawn.is_root = node == choice.root;
    std::vector<std::size_t> held;
    std::string lost;
    for (std::size_t l = 0; l < choice.placement.size(); ++l) {
      if (choice.placement[l] != node) continue;
      if (std::ranges::binary_search(choice.lost, l)) {
        lost += fmt::format(" \u00d7{}", l);
      } else {
        held.push_back(l);
      }
    }
    drawn.content = (held.empty() ? "" : short_list(held)) + lost;
    if (sends) {
      drawn.sends = fmt::format("{} {}", bytes_text(best.time.bytes_sent[node]),
                                best.time.sends_sums[node] ? "sum" : "as read");
    } else if (drawn.is_root) {
      drawn.sends = fmt::format("rebuilds {}", short_list(choice.lost));
    }
    picture.nodes.push_back(std::move(drawn));
  }
  return svg_page(draw_route(picture));
}

}  // namespace

std::string route_page(const Code& code, const Topology& topology, const RouteChoice& choice,
                       const std::string& format) {
  if (format == "json") return json_page(code, topology, choice);
  if (format == "svg") return svg_of(code, topology, choice);
  return table_page(code, topology, choice);
}

}  // namespace xorloom::cli
