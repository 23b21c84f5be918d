#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"
#include "equations/search/gate_pool.hpp"

namespace xorloom {

/// A random walk over the circuits of one map, by rewrites that cost nothing, and now and then one
/// that costs an XOR. Most circuits of few XORs are stuck only without sideways moves.
///
/// The moves, where GatePool tells which values are equal:
///
///   re-associate   g = (a + b) + c becomes a + (b + c): free if nothing else reads a + b, or if
///                  b + c is already there; where both are so, one XOR less
///   re-derive      g = p + q for any two values that add up to g; free, and what nothing reads any
///                  longer goes
///   climb          re-associate though a + b is read elsewhere: one XOR more, as long as that is
///                  no more than a few above the best
///
/// Source: ours, after the equal-cost rewrites of D. Lin, Z. Xiang, X. Zeng, S. Zhang, A framework
///         to optimize implementations of matrices, CT-RSA 2021.
class PlateauWalk {
 public:
  /// Rates that measured well, of 65536.
  struct Options {
    std::uint32_t probes = 32'768;  ///< moves that look for another pair for a value
    std::uint32_t climbs = 64;      ///< of the others: those that may cost an XOR
    std::size_t slack = 4;          ///< how far above the best it may be
  };

  PlateauWalk(const Circuit& circuit, std::uint64_t seed, const Options& options);
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
  static constexpr Node kNone = GatePool::kNone;

  void add_uses(Node gate);
  void drop_uses(const Circuit::Gate& operands);
  bool depends(Node node, Node on);
  void set_operands(Node gate, Node a, Node b);
  bool try_derive(Node gate, Node a, Node b);
  void probe(std::uint64_t bits);
  void reassociate(std::uint64_t bits, bool may_climb);
  void keep_best();

  Options options_;
  Random random_;
  GatePool pool_;
  std::vector<std::uint32_t> uses_;     ///< by node: gates and outputs that read it
  std::vector<std::uint32_t> visited_;  ///< by node: the number of the last search that saw it
  std::uint32_t num_searches_ = 0;
  std::vector<Node> pending_;

  std::size_t best_xors_;
  std::vector<Circuit::Gate> best_gates_;
};

}  // namespace xorloom
