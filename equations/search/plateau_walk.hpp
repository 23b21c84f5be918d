#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"
#include "equations/search/gate_pool.hpp"

namespace xorloom {

/// A random walk over the circuits of one map, by rewrites that cost nothing, and now and then one
/// that costs an XOR. Most circuits of few XORs are stuck only without sideways moves.
///
/// The moves, where GatePool tells which values are equal and ZeroSums which add up to zero:
///
///   re-associate   g = (a + b) + c becomes a + (b + c), where nothing else reads a + b: free, and
///                  one XOR less if b + c is already there
///   re-derive      g = p + q for any two values that add up to g; free, and what nothing reads any
///                  longer goes
///   climb          re-associate though a + b is read elsewhere: one XOR more, as long as that is
///                  no more than a few above the best
///   exchange       g = (a + b) + (c + d) becomes (a + c) + (b + d); what that costs is climbed
///   detour         g = p + (s + t) for any three values that add up to g; likewise
///
/// With a bounded depth no move takes a gate past it. Exchanges and detours leave trees balanced,
/// so they make most of the moves if the depth is tight.
///
/// No way to compute a value from two others is missed, so a move that saves an XOR is found soon
/// after it becomes possible. That takes most of the time of a move: O(values) where a value is
/// replaced.
///
/// Source: ours, after the equal-cost rewrites of D. Lin, Z. Xiang, X. Zeng, S. Zhang, A framework
///         to optimize implementations of matrices, CT-RSA 2021.
class PlateauWalk {
 public:
  /// Rates that measured well, of 65536. The other moves re-associate.
  struct Options {
    std::uint32_t derivations = 8192;  ///< moves that re-derive
    std::uint32_t climbs = 64;         ///< moves that may cost an XOR
    std::size_t slack = 4;             ///< how far above the best it may be
    std::size_t depth = 0;             ///< most levels of XORs; 0: any number
    std::uint32_t exchanges = 0;       ///< moves that exchange
    std::uint32_t detours = 0;         ///< moves that take a detour
  };

  /// Once stop_requested, if given, returns true during this, the walk makes no moves.
  ///
  /// Cost: O(values) looks at each value; see ZeroSums::kMostLooks.
  PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options,
              const std::function<bool()>& stop_requested = {});
  PlateauWalk(const Circuit& circuit, std::uint64_t seed) : PlateauWalk(circuit, seed, Options{}) {}

  /// Makes that many moves, or stops as soon as `enough` XORs are left. Returns the moves made.
  std::uint64_t run(std::uint64_t moves, std::size_t enough);

  std::size_t xors() const { return pool_.num_gates(); }
  std::size_t best_xors() const { return best_xors_; }

  /// The circuit it stands at, and the best it saw.
  Circuit circuit() const;
  Circuit best() const;

 private:
  using Node = GatePool::Node;
  using Level = std::uint32_t;
  static constexpr Node kNone = GatePool::kNone;

  void read(Node node, Node reader);
  void unread(Node node, Node reader);
  void remove(Node gate);
  bool depends(Node node, Node on);
  void set_operands(Node gate, Node a, Node b);
  bool try_derive(Node gate, Node a, Node b);
  void derive(std::uint64_t bits);
  void reassociate(std::uint64_t bits);
  void climb(std::uint64_t bits);
  void exchange(std::uint64_t bits, bool may_climb);
  void detour(std::uint64_t bits, bool may_climb);
  Node sum_of(Node a, Node b);
  bool has_room(std::size_t added, std::size_t dropped, bool may_climb) const;
  bool is_bounded() const { return options_.depth != 0; }
  Level level_above(Node a, Node b) const { return std::max(levels_[a], levels_[b]) + 1; }
  bool fits(Node gate, Level level) const;
  void set_level(Node gate);
  void set_height(Node node);
  void keep_best();

  Options options_;
  Random random_;
  GatePool pool_;
  ZeroSums sums_;
  std::vector<std::uint32_t> uses_;     ///< by node: gates and outputs that read it
  std::vector<Node> readers_;           ///< by node: the XOR of the numbers of those readers
  std::vector<Level> levels_;           ///< by node: XORs on the longest way from an input
  std::vector<Level> heights_;          ///< by node: XORs on the longest way to an output
  std::vector<std::uint32_t> visited_;  ///< by node: the number of the last search that saw it
  std::uint32_t num_searches_ = 0;
  std::vector<Node> pending_;

  bool is_stopped_ = false;  ///< before it could make moves
  std::size_t best_xors_;
  std::vector<Circuit::Gate> best_gates_;
};

}  // namespace xorloom
