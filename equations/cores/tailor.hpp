#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/circuit.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"
#include "equations/search/gate_pool.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {

/// A circuit with the step in which each gate is computed, counted from 1.
struct TimedCircuit {
  Circuit circuit;
  std::vector<std::uint32_t> steps;  ///< by gate

  friend bool operator==(const TimedCircuit&, const TimedCircuit&) = default;
};

/// A random walk like PlateauWalk over circuits that are computed in a given number of steps. Each
/// gate has a step after those of its operands, and a step has room for one gate per core. Gates
/// without room are the overflow. The walk minimises the overflow, then the XORs.
///
/// Moves re-derive, re-associate and climb as PlateauWalk does, as far as the steps allow, or
/// compute a gate in another step. Steps order the gates, so no move can close a cycle.
class TimedWalk {
 public:
  /// Shape: the circuit's depth is at most num_steps.
  TimedWalk(const Circuit& circuit, std::size_t num_steps, std::size_t cores, std::uint64_t seed);

  /// Makes `moves` moves, or stops once the best has no overflow and at most `enough` XORs. Returns
  /// the moves made.
  std::uint64_t run(std::uint64_t moves, std::size_t enough);

  std::size_t overflow() const { return overflow_; }
  std::size_t best_overflow() const { return best_overflow_; }
  std::size_t best_xors() const { return best_xors_; }

  /// The best circuit seen: the least overflow, then the fewest XORs. Steps that compute nothing
  /// are left out.
  TimedCircuit best() const;

 private:
  using Node = GatePool::Node;
  using Step = std::uint32_t;
  static constexpr Node kNone = GatePool::kNone;

  Step first_step(Node gate) const;
  Step last_step(Node gate) const;
  void enter(Node gate, Step step);
  void release(Node gate);
  void unread(Node reader, Node node);
  void set_operands(Node gate, Node a, Node b);
  bool is_unread(Node node) const { return readers_[node].empty() && num_outputs_[node] == 0; }
  bool has_room(Step step) const { return load_[step] < cores_; }
  void occupy(Step step);
  void vacate(Step step);
  void set_step(Node node, Step step);
  void derive(std::uint64_t bits);
  void retime(std::uint64_t bits, bool may_crowd);
  void reassociate(std::uint64_t bits, bool may_climb);
  void keep_best();

  Step num_steps_;
  std::size_t cores_;
  Random random_;
  GatePool pool_;
  std::vector<std::vector<Node>> readers_;  ///< by node: the gates that read it
  std::vector<std::size_t> num_outputs_;    ///< by node: number of outputs that equal it
  std::vector<Step> steps_;                 ///< by node; 0 for inputs
  std::vector<std::size_t> load_;           ///< by step: gates in it
  std::size_t overflow_ = 0;

  std::size_t best_overflow_ = 0;
  std::size_t best_xors_ = 0;
  std::vector<Circuit::Gate> best_gates_;
  std::vector<Node> best_in_use_;
  std::vector<Step> best_steps_;
};

/// A program of two-operand equations and its plan. Each equation is one XOR, so the makespan is
/// also the atomic one.
struct TailoredProgram {
  Program program;
  CoreSchedule plan;
};

/// Lower bound of the steps of any program of `matrix` on `cores` cores: lower_bound(matrix) XORs
/// need room, and the row with the most ones takes least_depth(matrix) levels.
std::size_t makespan_bound(const BitMatrix& matrix, std::size_t cores);

/// Returns a program that takes few steps on `cores` cores, and few XORs for its steps. It is
/// proved, and its plan is checked.
///
/// Errors: throws kInvalidArgument unless 1 <= cores <= kMaxCores, and as optimize.
/// Cost:   first that of optimize (with kMax, of normal effort); then about as much again for
///         steps, or with kMax the given steps or time.
TailoredProgram tailor_to_cores(const Program& program, std::size_t cores,
                                const Search& search = {});

/// Returns the Pareto front of steps and XORs: the fewest steps first, then programs of more steps
/// and fewer XORs. Programs are proved, and their plans checked.
std::vector<TailoredProgram> front_on_cores(const Program& program, std::size_t cores,
                                            const Search& search = {});

}  // namespace xorloom
