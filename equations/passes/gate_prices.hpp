#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Prices are whole numbers of this part of a unit.
inline constexpr std::uint64_t kPricesOfUnit = 1000;

/// What XOR gates cost, by their inputs, and which gates a sum takes at the lowest price.
///
/// A gate may have free inputs. A sum of n operands takes gates whose inputs, less one each, add up
/// to at least n - 1.
class GatePrices {
 public:
  /// A kind of gate. Units: thousandths of any, such as the area of a two-input XOR; kPricesOfUnit.
  struct Gate {
    std::size_t inputs;
    std::uint64_t price;
  };

  static constexpr std::size_t kMostInputs = 64;
  static constexpr std::uint64_t kMostPrice = std::uint64_t{1} << 32;

  /// Errors: throws kInvalidArgument if there is no gate, two have as many inputs, one has fewer
  ///         than 2 inputs or more than kMostInputs, or a price is 0 or above kMostPrice.
  explicit GatePrices(const std::vector<Gate>& gates);

  /// Gates of up to `inputs` inputs at one price, such as lookup tables.
  static GatePrices uniform(std::size_t inputs);

  bool is_uniform() const { return prices_.size() == 3 || prices_[2] == prices_.back(); }
  std::size_t most_inputs() const { return prices_.size() - 1; }
  std::uint64_t lowest() const { return prices_[2]; }

  /// The price of the cheapest gate with room for `inputs`; 0 for fewer than 2.
  /// Shape: inputs <= most_inputs().
  std::uint64_t of_gate(std::size_t inputs) const { return prices_[inputs]; }

  /// By number of operands, up to `most`: the lowest price of a sum.
  std::vector<std::uint64_t> of_sums(std::size_t most) const;

  /// By number of operands, up to `most`: the inputs of the widest gate of a cheapest sum, 0 for
  /// fewer than 2 operands. The other gates are those of a sum of inputs - 1 operands less.
  ///
  /// `least`: inputs that a gate has at least, unless the sum has fewer operands left.
  std::vector<std::size_t> widest_gates(std::size_t most, std::size_t least = 2) const;

 private:
  std::vector<std::uint64_t> prices_;  ///< by inputs: of the cheapest gate with room for them
};

/// The inputs of the gates of a sum, ascending, as `widest` of GatePrices::widest_gates() says.
std::vector<std::size_t> gates_of_sum(std::size_t operands, const std::vector<std::size_t>& widest);

/// The gates of sums whose operands are there at some levels: those of the lowest price or, if they
/// are deeper than wanted, the cheapest of some wider ones.
class SumGates {
 public:
  struct Tree {
    std::vector<std::size_t> gates{};  ///< their inputs, in the order in which they take operands
    std::uint64_t price = 0;
    std::size_t level = 0;  ///< of the sum
  };

  /// most    operands of a sum at most
  /// levels  wanted; 0: any number
  SumGates(const GatePrices& prices, std::size_t most, std::size_t levels);

  /// `at`: the operands of a sum, counted by level. The narrowest gates take what is there first.
  Tree of(const std::vector<std::size_t>& at) const;

 private:
  GatePrices prices_;
  std::size_t levels_;
  std::vector<std::vector<std::size_t>> widest_;  ///< widest_gates() of rising `least`
};

/// The program with each equation as a tree of gates (SumGates), each of which is an equation. A
/// gate within a tree becomes a temporary. `levels`: wanted; 0: any number.
Program gate_trees(const Program& program, const GatePrices& prices, std::size_t levels = 0);

/// The gates of a program in which each equation of two operands or more is one.
struct GateCount {
  std::vector<std::size_t> by_inputs;  ///< by number of inputs
  std::uint64_t price = 0;
  std::size_t depth = 0;

  friend bool operator==(const GateCount&, const GateCount&) = default;
};

/// Shape: no equation has more operands than prices.most_inputs().
GateCount count_gates(const Program& program, const GatePrices& prices);

/// How good a program is as gates: the lower is the better.
struct GateRank {
  std::size_t excess = 0;   ///< levels of gates beyond those that are wanted
  std::uint64_t price = 0;  ///< of all gates

  friend auto operator<=>(const GateRank&, const GateRank&) = default;
};

/// The rank of a program as trees of gates (gate_trees). `depth`: wanted levels of gates; 0: any.
GateRank gate_rank(const Program& program, const GatePrices& prices, std::size_t depth);

}  // namespace xorloom
