#include "equations/repair_reads.hpp"

#include <fmt/format.h>

#include <set>

namespace xorloom {

RepairReads repair_reads(const Code& code, const Request& request, const Program& program) {
  const std::size_t rows_of_cell = code.arrangement == Arrangement::kPacket ? 1 : code.field.w();
  const std::size_t cells_of_location = code.rows() / rows_of_cell;
  std::set<std::size_t> read;
  std::set<std::size_t> locations;
  std::set<std::size_t> rebuilt;
  for (const Element input : program.inputs) read.insert(input / rows_of_cell);
  for (const Element output : program.outputs) rebuilt.insert(output / rows_of_cell);
  RepairReads reads;
  std::uint64_t cost = 0;
  for (const std::size_t cell : read) {
    const std::size_t location = cell / cells_of_location;
    locations.insert(location);
    cost += request.read_costs.empty() ? 1 : request.read_costs[location];
  }
  reads.read = read.size();
  reads.left = (code.locations - request.erased.size()) * cells_of_location;
  reads.locations = locations.size();
  reads.rebuilt = rebuilt.size();
  if (!request.read_costs.empty()) reads.cost = cost;
  if (request.reads_least) reads.least = reads_of(code, request).least;
  return reads;
}

std::string to_string(const RepairReads& reads) {
  std::string text = fmt::format("{} of {} cells, from {} location{}: {:.2f} bytes a byte rebuilt",
                                 reads.read, reads.left, reads.locations,
                                 reads.locations == 1 ? "" : "s", reads.bytes_per_byte());
  if (reads.cost || reads.least) text += '\n';
  if (reads.cost) text += fmt::format("cost {}", *reads.cost);
  if (!reads.least) return text;
  if (reads.cost) text += ": ";
  const char* const does = reads.cost ? "costs" : "reads";
  return text + (*reads.least >= reads.cost.value_or(reads.read)
                     ? fmt::format("no choice {} less", does)
                     : fmt::format("the least found; none {} less than {}", does, *reads.least));
}

}  // namespace xorloom
