#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/in_place.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// A random walk over the in-place circuits of one map. Moves keep the map, and most of them do not
/// add lines; some add one.
///
///   re-add    Between two reads of a wire, only the sum of what is added to the wire counts. A
///             move takes one, two or three of the lines that add to it. It adds their sum by one
///             or two values that other wires hold between the two reads.
///   re-order  Replaces lines on at most four wires, which can be moved together, by the fewest
///             lines that do the same. A table has the fewest lines of every invertible 4 x 4
///             matrix up to the order of its rows.
///
/// Values are compared by 64 random bits, so the result has to be proved.
///
/// Source: ours. Windows are after Z. Xiang, X. Zeng, D. Lin, Z. Bao, S. Zhang, Optimizing
///         implementations of linear layers, ToSC 2020(2).
class InPlaceWalk {
 public:
  struct Options {
    std::uint32_t orders = 13107;  ///< moves that re-order, of 65536; the others re-add
    std::uint32_t climbs = 64;     ///< moves that may add a line, of 65536
    std::size_t slack = 2;         ///< lines above the best that the circuit may have
    std::size_t depth = 0;         ///< most levels wanted; 0: any number
    std::size_t level = 0;         ///< if depth != 0: a level past this one counts as a line
  };

  InPlaceWalk(InPlaceCircuit circuit, std::uint64_t seed, const Options& options);

  /// Makes `moves` moves, or stops once the best has at most `enough` lines and is not too deep.
  /// Returns the moves made.
  ///
  /// Cost: O(lines + wires) per move.
  std::uint64_t run(std::uint64_t moves, std::size_t enough);

  /// The current circuit, and the best one seen: the fewest levels too many, then the fewest lines.
  const InPlaceCircuit& circuit() const { return circuit_; }
  const InPlaceCircuit& best() const { return best_; }

 private:
  using Line = InPlaceCircuit::Line;
  using Wire = InPlaceCircuit::Wire;

  /// A value that `wire` holds before line `line`, and until a line writes the wire.
  struct Held {
    std::uint64_t value;
    std::uint32_t line;  ///< the first line that may read the value
    Wire wire;
  };

  /// Depth of the lines; 0 if it is not bounded. The walk minimises lines + `sum`.
  struct Levels {
    std::size_t sum = 0;       ///< over all lines: levels past Options::level
    std::size_t too_many = 0;  ///< of the deepest line: levels past Options::depth
  };

  void collect(std::size_t begin, std::size_t end, Wire to);
  std::uint32_t find(std::uint64_t value) const;
  void add_anew(std::uint64_t bits);
  void order_anew(std::uint64_t bits);
  bool may_grow(std::uint64_t bits) const;
  bool offer(std::uint64_t bits);
  void keep_best();
  Levels levels_of(const std::vector<Line>& lines);

  Options options_;
  Random random_;
  InPlaceCircuit circuit_;
  InPlaceCircuit best_;
  Levels levels_;       ///< of circuit_
  Levels best_levels_;  ///< of best_

  std::vector<std::uint64_t> inputs_;  ///< by wire: the random bits of its input
  std::vector<Line> next_;             ///< the lines that a move offers
  std::vector<Wire> names_;            ///< by wire: the wire that takes its place in next_
  std::vector<std::uint64_t> values_;  ///< by wire: what it holds now
  std::vector<std::uint32_t> level_;   ///< by wire: its level so far
  std::vector<Held> held_;
  std::vector<std::size_t> added_;          ///< numbers of the lines that add to the wire
  std::vector<std::uint64_t> added_value_;  ///< by entry of added_: the value that the line adds
  std::vector<std::uint32_t> places_;       ///< hash table: index into held_ + 1; 0: free
  std::vector<std::uint8_t> marks_;         ///< by wire: marks of order_anew()
};

}  // namespace xorloom
