#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/in_place.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// A random walk over the circuits in place of one map. Its moves keep the map, and most of them
/// keep the number of lines; now and then one adds a line.
///
///   re-add    Between two reads of a wire, only the sum of what is added to the wire counts. A
///             move takes one, two or three of these lines, and adds their sum by one or two values
///             that other wires hold in that time.
///   re-order  Lines on at most four wires that can be brought together are computed anew, with the
///             fewest lines. A table has the fewest lines of every invertible 4 x 4 matrix, where
///             the order of the wires at the end is free.
///
/// Values are compared by 64 random bits, so circuits have to be proved.
///
/// Source: ours. Windows are after Z. Xiang, X. Zeng, D. Lin, Z. Bao, S. Zhang, Optimizing
///         implementations of linear layers, ToSC 2020(2).
class InPlaceWalk {
 public:
  struct Options {
    std::uint32_t orders = 13107;  ///< moves that re-order, of 65536; the others re-add
    std::uint32_t climbs = 64;     ///< moves that may add a line, of 65536
    std::size_t slack = 2;         ///< lines above the best that there may be
    std::size_t depth = 0;         ///< levels wanted; 0: any number
    std::size_t level = 0;         ///< with a depth: each level past this one counts as a line
  };

  InPlaceWalk(InPlaceCircuit circuit, std::uint64_t seed, const Options& options);

  /// Makes that many moves, or stops as soon as `enough` lines are left. Returns the moves made.
  ///
  /// Cost: O(lines + wires) a move.
  std::uint64_t run(std::uint64_t moves, std::size_t enough);

  /// The circuit it stands at, and the best it saw: of those within the depth that with the fewest
  /// lines, else the one with the fewest lines too deep.
  const InPlaceCircuit& circuit() const { return circuit_; }
  const InPlaceCircuit& best() const { return best_; }

 private:
  using Line = InPlaceCircuit::Line;
  using Wire = InPlaceCircuit::Wire;

  /// A value that a wire holds from a line on.
  struct Held {
    std::uint64_t value;
    std::uint32_t line;  ///< the first line that may read the value
    Wire wire;
  };

  /// How deep lines are, if the depth is bounded. The walk makes lines and `sum` few together.
  struct Levels {
    std::size_t sum = 0;       ///< of all lines, the levels past Options::level
    std::size_t too_many = 0;  ///< levels past the depth, of the deepest line
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
  Levels levels_;       ///< of the circuit
  Levels best_levels_;  ///< of the best

  std::vector<std::uint64_t> inputs_;  ///< by wire: the random bits of its input
  std::vector<Line> next_;             ///< the lines that a move offers
  std::vector<Wire> names_;            ///< by wire: the wire that takes its place in next_
  std::vector<std::uint64_t> values_;  ///< by wire
  std::vector<std::uint32_t> level_;   ///< by wire
  std::vector<Held> held_;
  std::vector<std::size_t> added_;          ///< lines that add to the wire
  std::vector<std::uint64_t> added_value_;  ///< what these add
  std::vector<std::uint32_t> places_;       ///< of the table of held values: number in held_ + 1
  std::vector<std::uint8_t> marks_;         ///< by wire: bits of a window
};

}  // namespace xorloom
