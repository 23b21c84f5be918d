#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "equations/ir/program.hpp"
#include "equations/passes/gate_prices.hpp"

namespace xorloom {

/// What such a search says it is, where it refuses a program.
inline constexpr const char* kSearchForFewGates = "a search for few gates";

/// XORs that a program may have of which few gates are to be made.
inline constexpr std::size_t kMostGateSearchXors = std::size_t{1} << 16;

/// Bits of the sums that such a search holds, three times: 512 MiB each.
inline constexpr std::uint64_t kMostGateSearchBits = std::uint64_t{1} << 32;

/// What looks for few wide gates.
struct GateSearch {
  std::size_t inputs = 4;  ///< values that a gate adds up at most, if all gates cost the same
  std::optional<GatePrices> prices{};  ///< of gates that differ; `inputs` is then not used
  std::size_t depth = 0;               ///< levels of gates that should do; 0: any
  std::vector<Program> known{};        ///< other programs of the same cells to begin with
  std::uint64_t seed = 1;
  std::uint64_t moves = 0;  ///< 0: those of a second or so
  bool is_endless = false;  ///< go on until it is told to stop, however many moves that takes
  std::function<bool()> stop_requested{};
};

/// Throws kUnsupported if a search for few gates has no room for the outputs of a program, whatever
/// equations they get, and kInvalidArgument if no gates have so few levels as it asks for.
void check_gate_search(const Program& program, const GateSearch& search);

/// A program that takes few gates of that many inputs, such as lookup tables: see gates_of_sum. If
/// gates have prices, it is one of a low price: see GatePrices. Its rank (gate_rank) is never above
/// that of `program`, of `known` and, if `depth` is set, of the direct equations.
///
/// Fewest XORs are not fewest gates: a sum of two values that three others read takes a gate as a
/// sum of four does. So sums are opened and made anew. A move writes some temporaries into their
/// readers, then takes, as long as that is better, a set of values that several sums have in common
/// out of them, or adds one sum to another that then gets shorter. It stays if that took no more
/// gates, or by chance, more rarely the longer the search goes on.
///
/// Shape:  an XOR program.
/// Errors: throws kUnsupported if the program has more than kMostGateSearchXors, or its sums take
///         more than kMostGateSearchBits, kInvalidArgument as check_gate_search() does, and
///         kInternal if the result does not compute the same.
/// Cost:   O(equations² · values / 64) a move.
Program search_gates(const Program& program, const GateSearch& search);

}  // namespace xorloom
