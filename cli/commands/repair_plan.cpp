#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/document/writers.hpp"
#include "cli/pages/route_page.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "equations/network/route_choice.hpp"
#include "equations/network/topology.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kRepairPlanAbout =
    "plan which nodes send what to whom when lost chunks are rebuilt\n"
    "Reads a topology: racks, nodes, and the bandwidth of their links. Compares three routes from "
    "the nodes that hold chunks to the new node. star: each node sends to the new node. tree: a "
    "head per rack adds up what its rack has. chain: each node adds its part and sends the sum on, "
    "slice by slice. Prints the predicted time of each, the fastest one node by node, and a lower "
    "bound: what has to cross the slowest link that the repair needs. Nothing is sent; "
    "docs/many-nodes.md has the format of the topology.";

constexpr const char* kRepairPlanExamples =
    "xorloom repair-plan rs:k=10,m=4 --topology racks.json --erase 2\n"
    "xorloom repair-plan clay:k=10,m=4 --topology racks.json --erase 2 --to b3\n"
    "xorloom repair-plan rs:k=4,m=2 --topology racks.json --erase 0 --format json\n"
    "xorloom repair-plan rs:k=4,m=2 --topology racks.json --erase 0 --format svg";

struct RepairPlanOptions {
  std::string spec;
  std::string topology;
  std::optional<std::string> to;
  std::size_t chunk_bytes = 0;  ///< 0: about the default of the request
  RouteRequest request;
  std::string format = "table";
  std::string output = "-";
  Options code;
};

void run(const RepairPlanOptions& options) {
  Output output(options.output);
  const Code code = code_of(options.spec, options.code);
  const Topology topology = parsed(options.topology, read_topology);
  RouteRequest request = options.request;
  const std::size_t multiple = chunk_multiple(code);
  if (options.chunk_bytes != 0) {
    check_chunk_bytes(code, options.chunk_bytes, multiple);
    request.chunk_bytes = options.chunk_bytes;
  } else {
    request.chunk_bytes = (request.chunk_bytes + multiple - 1) / multiple * multiple;
  }
  if (options.to) {
    request.new_node = node_named(topology, *options.to);
    if (request.new_node == kNoNode) {
      fail(Status::kInvalidArgument,
           fmt::format("--to names '{}', which is no node of the topology", excerpt(*options.to)));
    }
  }
  const RouteChoice choice = choose_routes(code, topology, request);
  const bool has_picture = options.format == "svg" || options.format == "html";
  output.finish(written(route_document(code, topology, choice, has_picture), options.format));
}

}  // namespace

Command repair_plan_command() {
  Command command{"repair-plan", kRepairPlanAbout, kRepairPlanExamples};
  const auto options = std::make_shared<RepairPlanOptions>();
  add_spec(command, options->spec);
  add_text(command, "--topology", "FILE", options->topology,
           "racks, nodes, bandwidths and which node holds which location, as JSON; - is standard "
           "input");
  option_of(command, "--topology").is_required = true;
  add_erase(command, options->request.erased, "locations that are lost, and are all rebuilt");
  option_of(command, "--erase").is_required = true;
  add_text(command, "--to", "NODE", options->to,
           "the node that rebuilds; default: one in the rack of the first lost location that holds "
           "no chunk, or else the node of that location");
  add_bytes(command, "--chunk-bytes", options->chunk_bytes, 1, kMaxChunkBytes,
            "bytes of a chunk; default: 67108864");
  add_bytes(command, "--slice-bytes", options->request.slice_bytes, 1, kMaxChunkBytes,
            "bytes of a chunk that are sent at a time; default: a 256th of the chunk, but at least "
            "32 KiB and at most 1 MiB");
  add_choice(command, "--format", options->format, {"table", "json", "svg", "html"},
             "output format; default: table");
  add_output(command, options->output);
  add_packet_bytes(command, options->code);
  add_allow_non_mds(command, options->code);
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
