#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Prices are whole numbers of 1/kPricesOfUnit of a unit.
inline constexpr std::uint64_t kPricesOfUnit = 1000;

/// Prices of XOR gates by number of inputs, and the cheapest gates of a sum.
///
/// A gate may have unused inputs. A sum of n operands takes gates with sum(inputs - 1) >= n - 1.
class GatePrices {
 public:
  /// A kind of gate. Units: price in 1/kPricesOfUnit of a unit, such as the area of a two-input
  /// XOR.
  struct Gate {
    std::size_t inputs;
    std::uint64_t price;
  };

  static constexpr std::size_t kMostInputs = 64;
  static constexpr std::uint64_t kMostPrice = std::uint64_t{1} << 32;

  /// Errors: throws kInvalidArgument if there is no gate, two have equally many inputs, one has
  ///         fewer than 2 inputs or more than kMostInputs, or a price is 0 or above kMostPrice.
  explicit GatePrices(const std::vector<Gate>& gates);

  /// Prices of gates of up to `inputs` inputs that all cost the same, such as lookup tables.
  static GatePrices uniform(std::size_t inputs);

  bool is_uniform() const { return prices_.size() == 3 || prices_[2] == prices_.back(); }
  std::size_t most_inputs() const { return prices_.size() - 1; }
  std::uint64_t lowest() const { return prices_[2]; }

  /// The price of the cheapest gate with room for `inputs`; 0 for fewer than 2.
  /// Shape: inputs <= most_inputs().
  std::uint64_t of_gate(std::size_t inputs) const { return prices_[inputs]; }

  /// By number of operands, up to `most`: the lowest price of a sum.
  std::vector<std::uint64_t> of_sums(std::size_t most) const;

  /// By number of operands, up to `most`: the inputs of the widest gate of a cheapest sum; 0: fewer
  /// than 2 operands. The other gates are those of the sum of (operands - inputs + 1) operands.
  ///
  /// `least`: least inputs of a gate, unless the sum has fewer operands left.
  std::vector<std::size_t> widest_gates(std::size_t most, std::size_t least = 2) const;

 private:
  std::vector<std::uint64_t> prices_;  ///< by inputs: price of the cheapest gate with room for them
};

/// The inputs of the gates of a sum, ascending. Shape: widest is GatePrices::widest_gates().
std::vector<std::size_t> gates_of_sum(std::size_t operands, const std::vector<std::size_t>& widest);

/// Gates of sums whose operands have known levels: the cheapest gates or, if these are deeper than
/// wanted, the cheapest of some wider ones.
class SumGates {
 public:
  struct Tree {
    std::vector<std::size_t> gates{};  ///< their inputs, in the order in which they take operands
    std::uint64_t price = 0;
    std::size_t level = 0;  ///< level of the sum
  };

  /// `most`: most operands of a sum. `levels`: wanted levels; 0: any number.
  SumGates(const GatePrices& prices, std::size_t most, std::size_t levels);

  /// Gates of a sum with at[l] operands of each level l. The narrowest gates come first, and a gate
  /// takes the operands of the lowest level.
  Tree of(const std::vector<std::size_t>& at) const;

 private:
  GatePrices prices_;
  std::size_t levels_;
  std::vector<std::vector<std::size_t>> widest_;  ///< widest_gates() of rising `least`
};

/// Makes each equation a tree of gates (SumGates). In the result each equation of two operands or
/// more is one gate, and inner gates of trees are temporaries. `levels`: wanted; 0: any number.
Program gate_trees(const Program& program, const GatePrices& prices, std::size_t levels = 0);

/// The gates of a program whose equations of two operands or more are gates.
struct GateCount {
  std::vector<std::size_t> by_inputs;  ///< by number of inputs
  std::uint64_t price = 0;
  std::size_t depth = 0;

  friend bool operator==(const GateCount&, const GateCount&) = default;
};

/// Shape: no equation has more operands than prices.most_inputs().
GateCount count_gates(const Program& program, const GatePrices& prices);

/// Rank of a program as gates; a lower rank is better.
struct GateRank {
  std::size_t excess = 0;   ///< levels of gates beyond the wanted ones
  std::uint64_t price = 0;  ///< price of all gates

  friend auto operator<=>(const GateRank&, const GateRank&) = default;
};

/// The rank of a program as trees of gates (gate_trees). `depth`: wanted levels; 0: any number.
GateRank gate_rank(const Program& program, const GatePrices& prices, std::size_t depth);

}  // namespace xorloom
