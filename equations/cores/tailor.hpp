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
  std::vector<std::uint32_t> steps;  ///< one per gate

  friend bool operator==(const TimedCircuit&, const TimedCircuit&) = default;
};

/// A random walk as PlateauWalk's, over circuits that are computed in a given number of steps: each
/// gate has its step, after those of what it reads, and a step has room for one gate per core.
/// Gates that find no room are its overflow; the walk never lets that grow, and among circuits
/// without any looks for few XORs.
///
/// Moves are those of PlateauWalk as far as the steps allow, and to compute a gate in another step.
/// Since the steps order the gates, no move can close a cycle.
class TimedWalk {
 public:
  /// Shape: the circuit's depth is at most num_steps.
  TimedWalk(const Circuit& circuit, std::size_t num_steps, std::size_t cores, std::uint64_t seed);

  /// Makes that many moves, or fewer if there is no overflow and there are no more XORs than
  /// `enough`. Returns the moves made.
  std::uint64_t run(std::uint64_t moves, std::size_t enough);

  std::size_t overflow() const { return overflow_; }
  std::size_t best_overflow() const { return best_overflow_; }
  std::size_t best_xors() const { return best_xors_; }

  /// The best it saw: least overflow first, then fewest XORs. Steps that compute nothing are left
  /// out.
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
  std::vector<std::size_t> num_outputs_;    ///< by node: outputs that it is
  std::vector<Step> steps_;                 ///< by node; 0 for inputs
  std::vector<std::size_t> load_;           ///< by step: gates in it
  std::size_t overflow_ = 0;

  std::size_t best_overflow_ = 0;
  std::size_t best_xors_ = 0;
  std::vector<Circuit::Gate> best_gates_;
  std::vector<Node> best_in_use_;
  std::vector<Step> best_steps_;
};

/// A program of two-operand equations and the plan it was made for. Whole equations and two-input
/// XORs are the same here, so its makespan is the atomic one, too.
struct TailoredProgram {
  Program program;
  CoreSchedule plan;
};

/// The least steps of any program with these outputs on that many cores: the XORs of lower_bound
/// must find room, and the row with the most ones must be added up two by two.
std::size_t makespan_bound(const BitMatrix& matrix, std::size_t cores);

/// A program that takes few steps on that many cores, and few XORs among programs with as few
/// steps. Proved, and its plan checked.
///
/// Errors: throws kInvalidArgument unless 1 <= cores <= kMaxCores, and as optimize.
/// Cost:   as optimize, but of normal effort where kMax is asked for, to begin with; then about as
///         much for steps, or with kMax what it is given.
TailoredProgram tailor_to_cores(const Program& program, std::size_t cores,
                                const Search& search = {});

/// The front between steps and XORs: the fewest steps first, then programs of more steps and fewer
/// XORs, down to the fewest XORs found. Proved and checked as above.
std::vector<TailoredProgram> front_on_cores(const Program& program, std::size_t cores,
                                            const Search& search = {});

}  // namespace xorloom
