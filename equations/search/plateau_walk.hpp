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

/// A random walk over the circuits of one map, by rewrites that cost nothing and, rarely, one XOR.
/// Without such sideways moves, most circuits of few XORs are local optima.
///
/// The moves. GatePool finds equal values, and ZeroSums values that add up to zero:
///
///   re-associate   g = (a + b) + c becomes a + (b + c), if nothing else reads a + b: costs
///                  nothing, and saves an XOR if b + c is already computed
///   re-derive      g = p + q for any two values that add up to g: costs nothing, and removes gates
///                  that nothing reads any longer
///   climb          re-associate though a + b is read elsewhere: one XOR more, up to `slack` above
///                  the best
///   exchange       g = (a + b) + (c + d) becomes (a + c) + (b + d); may cost XORs, as a climb does
///   detour         g = p + (s + t) for any three values that add up to g; may cost XORs, as a
///                  climb does
///
/// No move exceeds a bounded depth. Exchanges and detours leave trees balanced, so they make most
/// of the moves if the depth is tight.
///
/// All ways to compute a value from two others are known, so a move that saves an XOR is found soon
/// after it becomes possible. Keeping them takes most of the time: O(values) if a move replaces a
/// value.
///
/// Source: ours, after the equal-cost rewrites of D. Lin, Z. Xiang, X. Zeng, S. Zhang, A framework
///         to optimize implementations of matrices, CT-RSA 2021.
class PlateauWalk {
 public:
  /// Rates that measured well, of 65536. The other moves re-associate.
  struct Options {
    std::uint32_t derivations = 8192;  ///< moves that re-derive
    std::uint32_t climbs = 64;         ///< moves that may cost an XOR
    std::size_t slack = 4;             ///< XORs above the best that it may have
    std::size_t depth = 0;             ///< most levels of XORs; 0: any number
    std::uint32_t exchanges = 0;       ///< moves that exchange
    std::uint32_t detours = 0;         ///< moves that take a detour
  };

  /// If stop_requested returns true during construction, the walk makes no moves.
  ///
  /// Cost: O(values) looks at each value; see ZeroSums::kMostLooks.
  PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options,
              const std::function<bool()>& stop_requested = {});
  PlateauWalk(const Circuit& circuit, std::uint64_t seed) : PlateauWalk(circuit, seed, Options{}) {}

  /// Makes `moves` moves, or stops once the best has at most `enough` XORs. Returns the moves made.
  std::uint64_t run(std::uint64_t moves, std::size_t enough);

  std::size_t xors() const { return pool_.num_gates(); }
  std::size_t best_xors() const { return best_xors_; }

  /// The current circuit, and the best one seen.
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
  std::vector<Node> readers_;           ///< by node: XOR of its readers' numbers
  std::vector<Level> levels_;           ///< by node: XORs on the longest way from an input
  std::vector<Level> heights_;          ///< by node: XORs on the longest way to an output
  std::vector<std::uint32_t> visited_;  ///< by node: the number of the last search that saw it
  std::uint32_t num_searches_ = 0;
  std::vector<Node> pending_;

  bool is_stopped_ = false;  ///< stopped during construction
  std::size_t best_xors_;
  std::vector<Circuit::Gate> best_gates_;
};

}  // namespace xorloom
