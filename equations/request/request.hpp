#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/reads/fewest_reads.hpp"

namespace xorloom {

/// Request for equations of a code. Default: the redundancy from the data.
struct Request {
  std::vector<std::size_t> erased{};   ///< rebuild these lost locations
  std::vector<std::size_t> wanted{};   ///< rebuild only these of `erased`; empty: all
  std::vector<std::size_t> updated{};  ///< update the redundancy after changes of these locations
  std::vector<std::size_t> rows{};     ///< compute only these rows; empty: all
  Over over = Over::kBits;             ///< symbols: a row is a sub-chunk
  /// If true, read the survivors of the least cost; of equal cost, those with the fewest XORs. If
  /// false, read the whole chunks with the fewest XORs; but searched_program of bits reads the
  /// cells of the least cost if they take fewer XORs and read_work is not 0.
  bool reads_least = false;
  std::vector<std::uint64_t> read_costs{};   ///< see ReadRequest::costs
  std::uint64_t read_work = kUsualReadWork;  ///< see ReadSearch::work

  friend bool operator==(const Request&, const Request&) = default;
};

/// Returns the direct equations of a request; for inputs and outputs see direct_encoding,
/// direct_decoding and direct_update of equations/build/direct.hpp.
///
/// Errors: throws kInvalidArgument for locations, rows or costs that are out of range, named twice
///         or do not go together, and if no element is left to compute; kDamaged if the wanted
///         cells cannot be rebuilt, kUnsupported for more than kMaxDirectXors.
Program direct_program(const Code& code, const Request& request);

/// Returns the start of a search for iterative equations of a request. It computes the outputs of
/// the direct equations, maybe from other survivors: those with the fewest XORs after share_pairs,
/// or over bits those of the least cost if a short search finds fewer XORs for them. Lost
/// redundancy is computed from rebuilt data (reuse_rebuilt).
///
/// Errors: as direct_program.
/// Cost:   share_pairs for each of the kMostShared choices with the fewest direct XORs, or for
///         fewer choices if they have thousands: some tenths of a second at most. Then reads_of,
///         and a search of effort kFast (kQuick if read_work is more than usual) for each of the
///         two choices.
Program searched_program(const Code& code, const Request& request);

inline constexpr std::size_t kMostShared = 16;

/// The reads of the least cost for a request with lost locations.
///
/// Shape:  over symbols, cells are those of the code; else those of readable(code), which are bits
///         if the code is in packets.
/// Errors: as fewest_reads, and for rows out of range or named twice.
Reads reads_of(const Code& code, const Request& request);

/// The cells, as in reads_of, that hold any of `elements` of a request's program; ascending.
std::vector<Cell> cells_read(const Code& code, Over over, const std::vector<Element>& elements);

/// The cost of the reads of a program of a request.
std::uint64_t cost_of_reads(const Code& code, const Request& request, const Program& program);

/// Statistics of the reads of a repair, in cells: rows of packets or sub-chunks of words.
struct RepairReads {
  std::size_t read = 0;
  std::size_t left = 0;       ///< cells that survive
  std::size_t locations = 0;  ///< locations that are read
  std::size_t rebuilt = 0;
  std::optional<std::uint64_t> cost;   ///< cost of the reads; set if the request gives costs
  std::optional<std::uint64_t> least;  ///< proven lower bound of `cost`, if reads are minimised

  friend bool operator==(const RepairReads&, const RepairReads&) = default;

  double bytes_per_byte() const { return static_cast<double>(read) / static_cast<double>(rebuilt); }
};

/// The counts alone, for `left` surviving locations of `of_location` cells each.
///
/// Shape: `read` are cells, ascending.
RepairReads repair_reads(std::size_t left, std::size_t of_location, const std::vector<Cell>& read,
                         std::size_t rebuilt);

/// Shape: the program is one of the request, which has lost locations.
RepairReads repair_reads(const Code& code, const Request& request, const Program& program);

/// "12 of 20 cells, from 5 locations: 3.00 bytes read per byte rebuilt\nno choice reads less": one
/// line or two, without a final newline.
std::string to_string(const RepairReads& reads);

}  // namespace xorloom
