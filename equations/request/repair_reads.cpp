#include "equations/request/repair_reads.hpp"

#include <fmt/format.h>

namespace xorloom {

RepairReads repair_reads(std::size_t left, std::size_t of_location, const std::vector<Cell>& read,
                         std::size_t rebuilt) {
  RepairReads reads;
  reads.read = read.size();
  reads.left = left * of_location;
  reads.rebuilt = rebuilt;
  std::optional<std::size_t> before;
  for (const Cell cell : read) {
    const std::size_t location = cell / of_location;
    reads.locations += location != before ? 1U : 0U;
    before = location;
  }
  return reads;
}

RepairReads repair_reads(const Code& code, const Request& request, const Program& program) {
  RepairReads reads =
      repair_reads(code.locations - request.erased.size(), cells_of_location(code, request.over),
                   cells_read(code, request.over, program.inputs),
                   cells_read(code, request.over, program.outputs).size());
  if (!request.read_costs.empty()) reads.cost = cost_of_reads(code, request, program);
  if (request.reads_least) reads.least = reads_of(code, request).least;
  return reads;
}

std::string to_string(const RepairReads& reads) {
  std::string text = fmt::format(
      "{} of {} cells, from {} location{}: {:.2f} bytes read per byte rebuilt", reads.read,
      reads.left, reads.locations, reads.locations == 1 ? "" : "s", reads.bytes_per_byte());
  if (reads.cost || reads.least) text += '\n';
  if (reads.cost) text += fmt::format("cost {}", *reads.cost);
  if (!reads.least) return text;
  if (reads.cost) text += ": ";
  if (*reads.least >= reads.cost.value_or(reads.read)) {
    return text + fmt::format("no choice {} less", reads.cost ? "costs" : "reads");
  }
  return text + fmt::format("the least found; the lower bound is {}", *reads.least);
}

}  // namespace xorloom
