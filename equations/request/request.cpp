#include "equations/request/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/cost.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/passes/share_pairs.hpp"
#include "equations/search/optimize.hpp"
#include "equations/search/syndrome_programs.hpp"

namespace xorloom {
namespace {

using Rows = std::span<const std::size_t>;

/// Most direct XORs whose common pairs are shared to choose among survivors: some tenths of a
/// second.
constexpr std::size_t kMostSharedXors = 20'000;

void check_request(const Request& request) {
  if (!request.updated.empty() && !request.erased.empty()) {
    fail(Status::kInvalidArgument,
         "one set of equations cannot update locations {} while locations {} are lost",
         set_text(request.updated), set_text(request.erased));
  }
  if (!request.wanted.empty() && request.erased.empty()) {
    fail(Status::kInvalidArgument, "locations {} are wanted, but none is lost",
         set_text(request.wanted));
  }
  if ((request.reads_least || !request.read_costs.empty()) && request.erased.empty()) {
    fail(Status::kInvalidArgument,
         "what is read can only be chosen if chunks are lost, and none is");
  }
}

void check_outputs(const Code& code, const Request& request, const Program& program) {
  if (!program.outputs.empty()) return;
  const std::string what = request.updated.empty() ? "redundant element" : "element that changes";
  fail(Status::kInvalidArgument,
       request.rows.empty() ? fmt::format("{} has no {}", code.name(), what)
                            : fmt::format("rows {} hold no {}", set_text(request.rows), what));
}

/// The code whose cells are the units of reading.
Code cells_of(const Code& code, Over over) {
  return over == Over::kSymbols ? code : readable(code);
}

/// The cells (units of reading) that hold the wanted rows of the wanted locations.
std::vector<Cell> wanted_cells(const Code& code, const Request& request) {
  const std::vector<bool> is_lost = location_flags(code, request.erased, "lost");
  const std::vector<std::size_t>& locations =
      request.wanted.empty() ? request.erased : request.wanted;
  static_cast<void>(wanted_flags(code, locations, request.erased, is_lost));
  const std::size_t rows = request.over == Over::kSymbols ? code.subchunks : code.rows();
  std::vector<Element> elements;
  for (const std::size_t location : locations) {
    for (std::size_t row = 0; row < rows; ++row) {
      if (!request.rows.empty() && std::ranges::find(request.rows, row) == request.rows.end()) {
        continue;
      }
      elements.push_back(static_cast<Element>(location * rows + row));
    }
  }
  return cells_read(code, request.over, elements);
}

/// The direct equations of the map of `reads`.
Program direct_program(const Code& code, const Reads& reads, const Request& request) {
  if (request.over == Over::kSymbols) return direct_symbols(code, reads.map, request.rows);
  const bool are_bits = code.arrangement == Arrangement::kPacket;
  return direct_program(readable(code), reads.map, are_bits ? Rows{} : Rows{request.rows});
}

/// Cells (units of reading) per location.
std::size_t cells_of_location(const Code& code, Over over) {
  return over == Over::kSymbols ? code.subchunks : units_of_chunk(code);
}

void check_rows(const Code& code, const Request& request) {
  const LinearMap none;
  if (request.over == Over::kSymbols) {
    static_cast<void>(direct_symbols(code, none, request.rows));
  } else {
    static_cast<void>(direct_xors(code, none, request.rows));
  }
}

/// Direct equations from the reads of the least cost. Takes the survivors of direct_decoding
/// instead if these cost no more and take fewer XORs.
Program least_program(const Code& code, const Request& request) {
  check_rows(code, request);
  Program least = direct_program(code, reads_of(code, request), request);
  Program other = direct_decoding(code, request.erased, request.wanted, request.rows, request.over);
  check_outputs(code, request, least);
  const bool costs_no_more =
      cost_of_reads(code, request, other) <= cost_of_reads(code, request, least);
  const bool is_better = costs_no_more && xors(other) < xors(least);
  return is_better ? std::move(other) : std::move(least);
}

/// Start over symbols: the code's own sums if it has them and they take less work than rows; else
/// the cheapest of direct, transform and elimination programs.
Program searched_symbols(const Code& code, const Request& request) {
  Program direct = direct_program(code, request);
  if (!request.rows.empty()) return direct;
  const LinearMap map = request.erased.empty() ? encoding_map(code)
                                               : decoding_map(code, request.erased, request.wanted);
  if (std::optional<SparseSums> sparse = sparse_sums(code, map)) return std::move(sparse->program);
  Program best = reuse_rebuilt(code, std::move(direct));
  const auto operations = [](const Program& p) { return xors(p) + multiplications(p); };
  for (const auto& program : {transform_program(code, map), elimination_program(code, map)}) {
    if (program && operations(*program) < operations(best)) best = *program;
  }
  return best;
}

/// Equations from whole chunks: of the choices of survivors with the fewest direct XORs, the one
/// with the fewest XORs after share_pairs.
Program bits_of_survivors(const Code& code, const Request& request) {
  const std::vector<LinearMap> maps =
      best_survivors(code, request.erased, request.wanted, request.rows, kMostShared);
  const auto program_of = [&](const LinearMap& map) {
    return reuse_rebuilt(code, direct_program(code, map, request.rows));
  };
  Program best = program_of(maps.front());
  check_outputs(code, request, best);
  const std::size_t each = std::max<std::size_t>(1, direct_xors(code, maps.front(), request.rows));
  const std::size_t num_shared = std::min(maps.size(), kMostSharedXors / each);
  if (num_shared < 2) return best;
  std::size_t fewest = share_pairs(best).xors();
  for (std::size_t i = 1; i < num_shared; ++i) {
    Program program = program_of(maps[i]);
    const std::size_t xors = share_pairs(program).xors();
    if (xors >= fewest) continue;
    fewest = xors;
    best = std::move(program);
  }
  return best;
}

/// XORs after a short search: kFast, or kQuick if read_work is more than usual.
std::size_t searched_xors(const Program& program, const Request& request) {
  const bool is_fast = request.read_work <= kUsualReadWork;
  return xors(optimize(program, {.effort = is_fast ? Effort::kFast : Effort::kQuick}));
}

}  // namespace

std::uint64_t cost_of_reads(const Code& code, const Request& request, const Program& program) {
  const std::vector<Cell> cells = cells_read(code, request.over, program.inputs);
  if (request.read_costs.empty()) return cells.size();
  const std::size_t of_location = cells_of_location(code, request.over);
  std::uint64_t sum = 0;
  for (const Cell cell : cells) sum += request.read_costs[cell / of_location];
  return sum;
}

std::vector<Cell> cells_read(const Code& code, Over over, const std::vector<Element>& elements) {
  if (over == Over::kBits) return cells_holding(code, elements);
  std::vector<Cell> cells(elements.begin(), elements.end());
  std::ranges::sort(cells);
  return cells;
}

Reads reads_of(const Code& code, const Request& request) {
  return fewest_reads(cells_of(code, request.over), {.lost = request.erased,
                                                     .wanted = wanted_cells(code, request),
                                                     .costs = request.read_costs,
                                                     .work = request.read_work});
}

Program direct_program(const Code& code, const Request& request) {
  check_request(request);
  if (!request.erased.empty() && request.reads_least) return least_program(code, request);
  const std::vector<std::size_t>& erased = request.erased;
  const std::vector<std::size_t>& wanted = request.wanted;
  const std::vector<std::size_t>& updated = request.updated;
  const std::vector<std::size_t>& rows = request.rows;
  const Over over = request.over;
  Program program = !updated.empty() ? direct_update(code, updated, rows, over)
                    : erased.empty() ? direct_encoding(code, rows, over)
                                     : direct_decoding(code, erased, wanted, rows, over);
  check_outputs(code, request, program);
  return program;
}

Program searched_program(const Code& code, const Request& request) {
  check_request(request);
  if (!request.updated.empty()) return direct_program(code, request);
  if (request.reads_least) return reuse_rebuilt(code, least_program(code, request));
  if (request.over == Over::kSymbols) return searched_symbols(code, request);
  if (request.erased.empty()) return direct_program(code, request);
  Program best = bits_of_survivors(code, request);
  if (request.read_work == 0) return best;
  Program least = reuse_rebuilt(code, least_program(code, request));
  const bool is_least_better = searched_xors(least, request) < searched_xors(best, request);
  return is_least_better ? std::move(least) : std::move(best);
}

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
  std::string text = fmt::format("{} of {}, from {}: {:.2f} bytes read per byte rebuilt",
                                 reads.read, counted(reads.left, "cell"),
                                 counted(reads.locations, "location"), reads.bytes_per_byte());
  if (reads.cost || reads.least) text += '\n';
  if (reads.cost) text += fmt::format("cost {}", *reads.cost);
  if (!reads.least) return text;
  if (reads.cost) text += ": ";
  if (*reads.least >= reads.cost.value_or(reads.read)) {
    return text + fmt::format("no choice {} less", reads.cost ? "costs" : "reads");
  }
  text += "the least found";
  if (*reads.least == 0) return text + ", not proved to be the least possible";
  return text + fmt::format("; the lower bound is {}", *reads.least);
}

}  // namespace xorloom
