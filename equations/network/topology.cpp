#include "equations/network/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "codes/text/json.hpp"

namespace xorloom {
namespace {

namespace reading = json_reading;

constexpr std::size_t kMostNodes = 100'000;

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 10> kUnits = {{{"bit/s", 0.125},
                                          {"kbit/s", 0.125e3},
                                          {"Mbit/s", 0.125e6},
                                          {"Gbit/s", 0.125e9},
                                          {"B/s", 1},
                                          {"kB/s", 1e3},
                                          {"MB/s", 1e6},
                                          {"GB/s", 1e9},
                                          {"MiB/s", 1024.0 * 1024},
                                          {"GiB/s", 1024.0 * 1024 * 1024}}};

void check_keys(const Json& object, const std::string& what,
                std::initializer_list<std::string_view> known) {
  if (!object.is_object()) reading::bad("{} is not a JSON object", what);
  for (const Json::Member& member : object.items()) {
    if (std::ranges::find(known, member.key) == known.end()) {
      reading::bad("{} has a member '{}', which no topology has", what, excerpt(member.key));
    }
  }
}

double checked(double bytes, const std::string& what) {
  // Written so that NaN is refused, too.
  if (bytes > 0 && std::isfinite(bytes)) return bytes;
  reading::bad("the bandwidth of {} is {:g} bytes/s, not a number above 0", what, bytes);
}

double bandwidth_in(const Json& value, const std::string& what) {
  if (value.is_string()) return checked(bandwidth_of(value.text()), what);
  if (!value.is_number()) {
    reading::bad("the bandwidth of {} is neither a number nor a text", what);
  }
  return checked(value.real(), what);
}

/// A bandwidth for both directions, or {"up": …, "down": …}.
Topology::Link link_in(const Json& value, const std::string& what) {
  if (!value.is_object()) {
    const double both = bandwidth_in(value, what);
    return {both, both};
  }
  check_keys(value, what, {"up", "down"});
  return {bandwidth_in(reading::member(value, "up"), what),
          bandwidth_in(reading::member(value, "down"), what)};
}

std::string name_in(const Json& object, const char* kind, std::set<std::string>& names) {
  std::string name = reading::text(reading::member(object, "name"), "name");
  if (name.empty()) reading::bad("the name of a {} is empty", kind);
  if (!names.insert(name).second) {
    reading::bad("the {} '{}' is given twice", kind, excerpt(name));
  }
  return name;
}

class Reader {
 public:
  Topology read(std::string_view source) {
    const Json json = reading::parse(source, "xorloom-topology", 1);
    check_keys(json, "the topology",
               {"format", "version", "latency_seconds", "link", "uplink", "racks", "placement"});
    if (const Json* latency = json.find("latency_seconds")) {
      if (!latency->is_number() || !(latency->real() >= 0) || !std::isfinite(latency->real())) {
        reading::bad("latency_seconds is not a number of 0 or more");
      }
      topology_.latency_seconds = latency->real();
    }
    for (const Json& rack : reading::array(reading::member(json, "racks"), "racks")) {
      add_rack(rack, json);
    }
    if (topology_.nodes.empty()) reading::bad("the topology has no nodes");
    check_uplinks();
    if (const Json* placement = json.find("placement")) add_placement(*placement);
    return std::move(topology_);
  }

 private:
  void add_rack(const Json& rack, const Json& defaults) {
    check_keys(rack, "a rack", {"name", "uplink", "link", "nodes"});
    Topology::Rack added{name_in(rack, "rack", rack_names_), {}};
    const auto own_or_default = [&](const char* key) {
      const Json* own = rack.find(key);
      return own != nullptr ? own : defaults.find(key);
    };
    if (const Json* uplink = own_or_default("uplink")) {
      added.uplink = link_in(*uplink, fmt::format("the uplink of rack '{}'", excerpt(added.name)));
    }
    for (const Json& node : reading::array(reading::member(rack, "nodes"), "nodes")) {
      add_node(node, own_or_default("link"));
    }
    topology_.racks.push_back(std::move(added));
  }

  /// Adds a node, given as an object or as its name.
  void add_node(const Json& node, const Json* link) {
    std::string name;
    if (node.is_string()) {
      name = name_in(Json{{"name", node.text()}}, "node", node_names_);
    } else {
      check_keys(node, "a node", {"name", "link"});
      name = name_in(node, "node", node_names_);
      if (const Json* own = node.find("link")) link = own;
    }
    const std::string what = fmt::format("the link of node '{}'", excerpt(name));
    if (link == nullptr) reading::bad("{} has no bandwidth", what);
    const Topology::Link read = link_in(*link, what);
    topology_.nodes.push_back({std::move(name), topology_.racks.size(), read});
    if (topology_.nodes.size() > kMostNodes) {
      reading::bad("the topology has more than {} nodes", kMostNodes);
    }
  }

  void check_uplinks() const {
    if (topology_.racks.size() < 2) return;
    for (const Topology::Rack& rack : topology_.racks) {
      if (rack.uplink.up > 0) continue;
      reading::bad("rack '{}' has no uplink, so its nodes do not reach the other racks",
                   excerpt(rack.name));
    }
  }

  void add_placement(const Json& placement) {
    for (const Json& item : reading::array(placement, "placement")) {
      const std::string name = reading::text(item, "placement");
      const std::size_t node = node_named(topology_, name);
      if (node == kNoNode) {
        reading::bad("the placement names '{}', which is no node", excerpt(name));
      }
      topology_.placement.push_back(node);
    }
  }

  Topology topology_;
  std::set<std::string> rack_names_;
  std::set<std::string> node_names_;
};

}  // namespace

double bandwidth_of(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const auto* const found = std::ranges::find(kUnits, unit, &Unit::name);
  if (error != std::errc() || found == kUnits.end()) {
    reading::bad("'{}' is not a bandwidth such as \"1 Gbit/s\" or \"125 MB/s\"", excerpt(text));
  }
  return number * found->bytes;
}

std::size_t node_named(const Topology& topology, std::string_view name) {
  const auto found = std::ranges::find(topology.nodes, name, &Topology::Node::name);
  return found == topology.nodes.end() ? kNoNode
                                       : static_cast<std::size_t>(found - topology.nodes.begin());
}

double bandwidth(const Topology& topology, LinkNumber link) {
  const std::size_t owner = link / 2;
  const std::size_t nodes = topology.nodes.size();
  const Topology::Link& pair =
      owner < nodes ? topology.nodes[owner].link : topology.racks[owner - nodes].uplink;
  return link % 2 == 0 ? pair.up : pair.down;
}

std::string link_name(const Topology& topology, LinkNumber link) {
  const std::size_t owner = link / 2;
  const std::size_t nodes = topology.nodes.size();
  const char* const way = link % 2 == 0 ? "sending" : "receiving";
  return owner < nodes
             ? fmt::format("link of {}, {}", topology.nodes[owner].name, way)
             : fmt::format("uplink of rack {}, {}", topology.racks[owner - nodes].name, way);
}

std::vector<LinkNumber> links_between(const Topology& topology, std::size_t from, std::size_t to) {
  const std::size_t rack = topology.nodes[from].rack;
  const std::size_t other = topology.nodes[to].rack;
  if (rack == other) return {node_up(from), node_down(to)};
  return {node_up(from), rack_up(topology, rack), rack_down(topology, other), node_down(to)};
}

void check_topology(const Topology& topology) {
  if (topology.nodes.empty()) fail(Status::kInvalidArgument, "the topology has no nodes");
  for (const Topology::Node& node : topology.nodes) {
    if (node.rack >= topology.racks.size()) {
      fail(Status::kInvalidArgument, "node '{}' is in rack {} of {} racks", excerpt(node.name),
           node.rack, topology.racks.size());
    }
  }
  for (LinkNumber link = 0; link < num_links(topology); ++link) {
    const bool is_unused = link / 2 >= topology.nodes.size() && topology.racks.size() < 2;
    if (is_unused || bandwidth(topology, link) > 0) continue;
    fail(Status::kInvalidArgument, "the {} has no bandwidth above 0", link_name(topology, link));
  }
}

Topology read_topology(std::string_view json) { return Reader().read(json); }

std::vector<std::size_t> dealt_placement(const Topology& topology, std::size_t locations) {
  if (topology.nodes.empty()) fail(Status::kInvalidArgument, "the topology has no nodes");
  std::vector<std::vector<std::size_t>> nodes_of(topology.racks.size());
  for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
    nodes_of.at(topology.nodes[node].rack).push_back(node);
  }
  // The order in which nodes get their first location: a node of each rack in turn.
  std::vector<std::size_t> order;
  for (std::size_t round = 0; order.size() < topology.nodes.size(); ++round) {
    for (const std::vector<std::size_t>& nodes : nodes_of) {
      if (round < nodes.size()) order.push_back(nodes[round]);
    }
  }
  std::vector<std::size_t> placement;
  for (std::size_t location = 0; location < locations; ++location) {
    placement.push_back(order[location % order.size()]);
  }
  return placement;
}

}  // namespace xorloom
