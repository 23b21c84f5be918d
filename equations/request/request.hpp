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

/// What equations of a code must compute. Default: the redundancy from the data.
struct Request {
  std::vector<std::size_t> erased{};   ///< rebuild these lost locations
  std::vector<std::size_t> wanted{};   ///< of the lost ones only these; default: all
  std::vector<std::size_t> updated{};  ///< carry a change of the data of these locations over
  std::vector<std::size_t> rows{};     ///< compute only these rows; default: all
  Over over = Over::kBits;             ///< symbols: a row is a sub-chunk
  /// Read the survivors that cost the least, and of these the ones that take the fewest XORs. If
  /// false, read the whole chunks that take the fewest XORs. searched_program of bits then reads
  /// the cells that cost the least if these take fewer; not if read_work is 0.
  bool reads_least = false;
  std::vector<std::uint64_t> read_costs{};   ///< see ReadRequest::costs
  std::uint64_t read_work = kUsualReadWork;  ///< see ReadSearch::work

  friend bool operator==(const Request&, const Request&) = default;
};

/// The direct equations of a request: direct_encoding, direct_decoding or direct_update of
/// equations/build/direct.hpp, which say what their inputs and outputs are.
///
/// Errors: throws kInvalidArgument for locations, rows or costs that are out of range, named twice
///         or do not go together, and where no element is left to compute; kDamaged if the wanted
///         cells cannot be rebuilt, kUnsupported for more than kMaxDirectXors.
Program direct_program(const Code& code, const Request& request);

/// The start of a search for iterative equations of a request. It computes the same as the direct
/// equations. It reads the survivors that take the fewest XORs once common pairs are shared, which
/// may be others, or over bits those that cost the least if a short search finds fewer XORs for
/// these. It makes lost redundancy of rebuilt data (reuse_rebuilt).
///
/// Errors: as direct_program.
/// Cost:   share_pairs for each of the kMostShared choices that have the fewest direct XORs, for
///         fewer of them where they have thousands: some tenths of a second at most. Then reads_of,
///         and a search of effort kFast, or kQuick if read_work is more than usual, for each of
///         the two choices.
Program searched_program(const Code& code, const Request& request);

inline constexpr std::size_t kMostShared = 16;

/// The reads of a request that erases and reads the least.
///
/// Shape:  over symbols cells of the code, else of readable(code): bits where it lies in packets.
/// Errors: as fewest_reads, and for rows out of range or named twice.
Reads reads_of(const Code& code, const Request& request);

/// The cells of such reads that hold any of some elements of a request's program, ascending.
std::vector<Cell> cells_read(const Code& code, Over over, const std::vector<Element>& elements);

/// The cost of the reads of a program of a request.
std::uint64_t cost_of_reads(const Code& code, const Request& request, const Program& program);

/// What equations that rebuild read, in cells that can be read apart: packets' rows, words'
/// sub-chunks.
struct RepairReads {
  std::size_t read = 0;
  std::size_t left = 0;       ///< that there are to read
  std::size_t locations = 0;  ///< they are read of
  std::size_t rebuilt = 0;
  std::optional<std::uint64_t> cost;   ///< of reading them, where the request gives costs
  std::optional<std::uint64_t> least;  ///< no reads cost less, where the request asks for those

  friend bool operator==(const RepairReads&, const RepairReads&) = default;

  double bytes_per_byte() const { return static_cast<double>(read) / static_cast<double>(rebuilt); }
};

/// The counts alone, of that many locations left, each of that many cells that can be read apart.
///
/// Shape: read are such cells, ascending.
RepairReads repair_reads(std::size_t left, std::size_t of_location, const std::vector<Cell>& read,
                         std::size_t rebuilt);

/// Shape: the program is one of the request, which erases.
RepairReads repair_reads(const Code& code, const Request& request, const Program& program);

/// "12 of 20 cells, from 5 locations: 3.00 bytes read per byte rebuilt\nno choice reads less": one
/// line or two, without an end of the last.
std::string to_string(const RepairReads& reads);

}  // namespace xorloom
