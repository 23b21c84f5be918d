#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom {

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
