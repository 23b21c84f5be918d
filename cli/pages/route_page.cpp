#include "cli/pages/route_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/document/figures.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/tolerance.hpp"
#include "equations/network/placement_losses.hpp"
#include "gen/pictures/route_svg.hpp"

namespace xorloom::cli {
namespace {

/// The most helpers in a table.
constexpr std::size_t kMostNodesShown = 64;

/// In a topology of more nodes, the picture leaves out nodes without chunks.
constexpr std::size_t kMostEmptyDrawn = 40;

std::string amount(double value, double step, const std::array<const char*, 5>& units) {
  std::size_t unit = 0;
  while (value >= step && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  return fmt::format("{} {}", short_number(value), units[unit]);
}

std::string rough_bytes_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
  return amount(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string seconds_text(double seconds) {
  if (seconds >= 1 || seconds == 0) return short_number(seconds) + " s";
  return seconds >= 1e-3 ? short_number(seconds * 1e3) + " ms"
                         : short_number(seconds * 1e6) + " us";
}

/// Bytes sent from one rack to another.
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

/// Helper nodes without `root`, each before its parent. Neighbours in a chain are adjacent.
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

/// `domain` is "node" or "rack": "any 2 nodes can be lost", "not every rack can be lost".
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
                                 rough_bytes_text(best.time.link_bytes[best.time.slowest]));
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

Facts facts(const Code& code, const Topology& topology, const RouteChoice& choice) {
  std::vector<std::size_t> holders = choice.placement;
  std::vector<std::size_t> racks;
  for (const std::size_t node : holders) racks.push_back(topology.nodes[node].rack);
  const std::size_t num_nodes = number_of_distinct(std::move(holders));
  const std::size_t num_racks = number_of_distinct(std::move(racks));
  std::string placed =
      fmt::format("{} on {} in {}: {}", counted(choice.placement.size(), "chunk"),
                  counted(num_nodes, "node"), counted(num_racks, "rack"),
                  survived_text(nodes_survived(code, topology, choice.placement), "node"));
  if (topology.racks.size() > 1) {
    placed += ", " + survived_text(racks_survived(code, topology, choice.placement), "rack");
  }
  return {
      {{"code", code.name()},
       {"lost", fmt::format("location{} {}, rebuilt on {}", choice.lost.size() == 1 ? "" : "s",
                            short_list(choice.lost), printable(topology.nodes[choice.root].name))},
       {"placed", placed},
       {"chunk", fmt::format("{}, in {}", rough_bytes_text(static_cast<double>(choice.chunk_bytes)),
                             counted(choice.slices, "slice"))}}};
}

std::string in_bytes(const Json& bytes) { return rough_bytes_text(bytes.real()); }
std::string in_time(const Json& seconds) { return seconds_text(seconds.real()); }
std::string printed(const Json& name) { return printable(name.text()); }

/// A row per route, the planned one first, and a row for the lower bound of the time.
Table routes_table(const Json& data) {
  const std::vector<FigureGroup> columns{{"",
                                          {{"time", "seconds", in_time},
                                           {"between racks", "bytes_between_racks", in_bytes},
                                           {"sent", "bytes_sent", in_bytes}}},
                                         {"", {{"slowest link", "slowest_link", printed}}, true}};
  Table table = record_table(data["routes"], {"route", "shape"}, columns);
  const Json bound{{"seconds", data["least_seconds"]}, {"slowest_link", data["least_link"]}};
  table.blocks.back().rows.push_back(record_row(bound, "bound", columns));
  return table;
}

/// The bytes that each helper reads and sends on `route`.
Table nodes_table(const Json& route) {
  const Show sends = [](const Json& word) {
    return std::string(word.text() == "sums" ? "summed" : "as read");
  };
  const std::vector<FigureGroup> columns{{"", {{"to", "parent", printed}}, true},
                                         {"", {{"sends", "bytes_sent", in_bytes}}},
                                         {"", {{"", "sends", sends}}, true},
                                         {"", {{"reads", "bytes_read", in_bytes}}},
                                         {"", {{"of locations", "reads", in_runs}}, true}};
  Table table{column_groups(columns), {{"", {}}}, "node"};
  for (const Json& helper : route["helpers"]) {
    std::vector<TableRow>& rows = table.blocks.back().rows;
    if (rows.size() == kMostNodesShown) break;
    rows.push_back(record_row(helper, printed(helper["node"]), columns));
  }
  return table;
}

/// Helpers missing in nodes_table(), and the cells that the new node reads itself; may be empty.
std::string more_of(const Json& data) {
  const Json& route = data["routes"][0];
  std::string text;
  if (const std::size_t nodes = route["helpers"].size(); nodes > kMostNodesShown) {
    text = fmt::format("And {} more: --format json lists them.", nodes - kMostNodesShown);
  }
  if (route["new_node_reads"].size() != 0) {
    text += fmt::format("{}{} itself reads {}.", text.empty() ? "" : " ", printed(data["new_node"]),
                        in_runs(route["new_node_reads"]));
  }
  return text;
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

Json data_of(const Code& code, const Topology& topology, const RouteChoice& choice) {
  Json placement = Json::array();
  for (const std::size_t node : choice.placement) placement.push_back(topology.nodes[node].name);
  Json routes = Json::array();
  for (const TimedRoute& route : choice.routes) {
    routes.push_back(json_of(topology, choice, route));
  }
  return {{"format", "xorloom-repair-plan"},
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
}

Picture picture_of(const Code& code, const Topology& topology, const RouteChoice& choice) {
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
    picture.note +=
        fmt::format("; {} left out", counted(topology.nodes.size() - drawn_nodes.size(),
                                             "node without chunks is", "nodes without chunks are"));
  }
  picture.note += ".";
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
      drawn.sends = fmt::format("{} {}", rough_bytes_text(best.time.bytes_sent[node]),
                                best.time.sends_sums[node] ? "sum" : "as read");
    } else if (drawn.is_root) {
      drawn.sends = fmt::format("rebuilds {}", short_list(choice.lost));
    }
    picture.nodes.push_back(std::move(drawn));
  }
  return draw_route(picture);
}

}  // namespace

Document route_document(const Code& code, const Topology& topology, const RouteChoice& choice,
                        bool has_picture) {
  Document document{fmt::format("Repair of {}", code.name()), data_of(code, topology, choice)};
  const Json& data = document.data;
  document.add(facts(code, topology, choice));
  document.add(routes_table(data));
  document.add(Paragraph{reason(topology, choice)});
  if (has_picture) document.add(Pictures{{picture_of(code, topology, choice)}, {}, {}, true});
  document.add(Heading{fmt::format("the {}", shape_name(choice.routes.front().shape))});
  document.add(nodes_table(data["routes"][0]));
  document.add(Paragraph{more_of(data)});
  return document;
}

}  // namespace xorloom::cli
