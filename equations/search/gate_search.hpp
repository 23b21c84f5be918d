#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "equations/ir/program.hpp"
#include "equations/passes/gate_prices.hpp"

namespace xorloom {

/// Name of the search in the messages of its errors.
inline constexpr const char* kSearchForFewGates = "a search for few gates";

/// Most XORs of a program that search_gates takes.
inline constexpr std::size_t kMostGateSearchXors = std::size_t{1} << 16;

/// Most bits of a WideSums. A search for few gates holds three, of at most 512 MiB each.
inline constexpr std::uint64_t kMostGateSearchBits = std::uint64_t{1} << 32;

/// Options of search_gates.
struct GateSearch {
  std::size_t inputs = 4;              ///< most inputs of a gate, if all gates cost the same
  std::optional<GatePrices> prices{};  ///< if gates differ in price; then `inputs` is not used
  std::size_t depth = 0;               ///< levels of gates wanted; 0: any number
  std::vector<Program> known{};        ///< other programs of the same cells to begin with
  std::uint64_t seed = 1;
  std::uint64_t moves = 0;  ///< 0: those of about a second
  bool is_endless = false;  ///< go on until stop_requested; `moves` is then not used
  std::function<bool()> stop_requested{};
};

/// Throws kUnsupported if the outputs of `program` alone take more than kMostGateSearchBits, and
/// kInvalidArgument if no circuit of gates has as few levels as `search.depth`.
void check_gate_search(const Program& program, const GateSearch& search);

/// Returns a program that takes few gates of up to `search.inputs` inputs, such as lookup tables:
/// see gates_of_sum. With `search.prices`, it is one of a low price: see GatePrices. Its rank
/// (gate_rank) is never above that of `program`, of `search.known` and, if `search.depth` is set,
/// of the direct equations.
///
/// The fewest XORs are not the fewest gates: a sum of two values that three others read takes a
/// gate, and so does a sum of four. A move writes some temporaries into their readers. Then it
/// shares anew, as long as that lowers the price: it makes a set of values that several sums have
/// in common a sum, or adds a sum to another that gets shorter. The move stays if the price did not
/// rise, or by chance, more rarely the longer the search goes on.
///
/// Shape:  an XOR program.
/// Errors: throws kUnsupported if the program has more than kMostGateSearchXors, or its sums take
///         more than kMostGateSearchBits, kInvalidArgument as check_gate_search() does, and
///         kInternal if the result does not compute what `program` does.
/// Cost:   O(equations² · values / 64) a move.
Program search_gates(const Program& program, const GateSearch& search);

}  // namespace xorloom
