#include "runtime/shards/reading_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "codes/field/field.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

/// Fraction of nonzero symbols in a code's matrix. 1 for matrices from files: only those of
/// families are known to stay as sparse while they are inverted.
double density(const Code& code) {
  const std::size_t symbols = code.parity.rows() * code.parity.columns();
  if (code.family == "file" || symbols == 0) return 1;
  std::size_t others = 0;
  for (std::size_t row = 0; row < code.parity.rows(); ++row) {
    others += static_cast<std::size_t>(
        std::ranges::count_if(code.parity.row(row), [](auto symbol) { return symbol != 0; }));
  }
  return static_cast<double>(others) / static_cast<double>(symbols);
}

[[noreturn]] void refuse(const std::string& what, double takes, const char* unit, double bound) {
  fail(Status::kUnsupported,
       fmt::format("{} takes about {:.0f} {}, more than the {:.0f} that shards may take; "
                   "option allow_large lifts this bound",
                   what, takes, unit, bound));
}

}  // namespace

ReadingBounds lifted_bounds() {
  ReadingBounds bounds;
  bounds.memory_bytes = std::numeric_limits<std::uint64_t>::max();
  bounds.operations = std::numeric_limits<std::uint64_t>::max();
  bounds.spec.symbols = kMaxSymbols;
  bounds.spec.operations = std::numeric_limits<std::uint64_t>::max();
  return bounds;
}

void check_stripe(const ReadingBounds& bounds, const Code& code, std::uint64_t block_bytes) {
  // A block of a second copy is read beside it, to be compared.
  const double bytes = static_cast<double>(StripeBuffer::memory_bytes(code, block_bytes)) +
                       static_cast<double>(block_bytes);
  const auto most = static_cast<double>(bounds.memory_bytes);
  if (bytes <= most) return;
  refuse(fmt::format("a stripe of {} blocks of {} bytes", code.locations, block_bytes), bytes,
         "bytes of memory", most);
}

void check_recovery(const ReadingBounds& bounds, const Code& code,
                    std::span<const std::size_t> lost, std::span<const std::size_t> wanted) {
  std::vector<bool> is_lost(code.locations);
  for (const std::size_t location : lost) is_lost[location] = true;
  const auto cells_of = [&](const std::vector<Cell>& cells, bool lost_ones) {
    return static_cast<double>(std::ranges::count_if(
        cells, [&](Cell cell) { return is_lost[code.location_of_cell(cell)] == lost_ones; }));
  };
  // Packets are rebuilt bit by bit, by rows.
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  const auto bits = static_cast<double>(is_packets ? code.field.w() : 1);
  const double unknown = bits * cells_of(code.data, true);
  const double equations = bits * cells_of(code.redundant, false);
  const double pivots = std::min(unknown, equations);
  const double outputs = bits * static_cast<double>(wanted.size() * code.subchunks);
  const double inputs = bits * static_cast<double>(code.data.size()) + pivots;
  const double cost = is_packets ? 1 : multiplication_cost(code.field);
  // If there are fewer equations than unknowns, that is seen at once.
  const double rows = (unknown <= equations ? equations : 0) + outputs;
  const auto cells = static_cast<double>(code.data.size());
  double operations = cost * (rows * pivots * (unknown + pivots) + outputs * pivots * inputs) +
                      acceptance_nanoseconds(code, cells, outputs / bits * cells);
  const auto most = static_cast<double>(bounds.operations);
  if (operations > most) operations *= density(code);
  const std::string what =
      fmt::format("rebuilding {} lost locations of {}", lost.size(), code.name());
  if (operations > most) refuse(what, operations, "operations", most);
  // The outputs over the data, their coefficients, and both once more without zeros.
  const double bytes = 4 * sizeof(Field::Symbol) * outputs * inputs;
  const auto memory = static_cast<double>(bounds.memory_bytes);
  if (bytes > memory) refuse(what, bytes, "bytes of memory", memory);
}

}  // namespace xorloom
