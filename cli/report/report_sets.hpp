#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/level_speeds.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/report/yosys.hpp"
#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"
#include "equations/request/request.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// Cost of a set of equations on `cores` cores; docs/glossary.md defines the words. A speedup is
/// the direct XORs of the task divided by the steps, an efficiency a speedup divided by `cores`.
/// nullopt: there are no steps.
struct CoresCost {
  std::size_t cores;
  std::size_t makespan;  ///< steps if two-input XORs are spread over the cores
  std::optional<double> speedup;
  std::optional<double> efficiency;
  std::size_t atomic_makespan;  ///< steps if each equation stays on one core
  std::optional<double> atomic_speedup;
  std::optional<double> atomic_efficiency;
  std::size_t moves;                  ///< values that the two-input plan moves between cores
  std::optional<double> gigabytes{};  ///< GB/s of data, measured: the plan on `cores` threads
  std::optional<double> measured_speedup{};  ///< over the direct equations measured on one thread
};

/// A set of equations on one core of this machine, with one instruction set.
struct IsaRun {
  Isa isa;
  PlanWork work;
  std::optional<LevelSpeeds> predicted{};  ///< nullopt: this machine has no rates
  std::optional<LevelSpeeds> roof{};       ///< predicted if only moving bytes took time
  std::optional<LevelSpeeds> measured{};
  std::vector<std::optional<LevelSpeeds>>
      elsewhere{};  ///< predictions, by index in Report::machines
};

/// Speed at one chunk size, measured on one core with the best instruction set. GB/s of data.
struct SpeedAtSize {
  std::size_t chunk_bytes;
  double gigabytes;
  std::optional<double> limit{};  ///< fastest plain XOR over the chunks read and written
};

/// Size of a set of equations as an XOR engine, per lane of one bit.
struct EngineCost {
  std::size_t gate_inputs;  ///< inputs of each lookup table
  std::size_t ranks;        ///< ranks of registers
  std::size_t tables;
  std::size_t depth;        ///< levels of tables from inputs to outputs
  std::size_t stage_depth;  ///< most levels between two ranks of registers
  std::size_t registers;
  std::optional<Synthesis> yosys{};  ///< nullopt: yosys was not run, or failed
};

/// A set of equations: a column of the report.
struct ReportSet {
  std::string source;  ///< "direct", "iterative", "iterative for 6 cores", … or a file name
  EquationFile file;   ///< `code` is set; `plan` only if it was made for cores
  Request request;
  Arrangement arrangement;
  std::size_t output_bits;
  /// XORs of the direct equations for the same outputs, from the survivors that need the fewest
  /// XORs: the baseline of speedups.
  std::size_t direct_xors;
  /// Lower bound of the XORs of all equations with these inputs and outputs. nullopt over symbols.
  std::optional<std::size_t> lower_bound;
  Cost cost;
  double xors_per_bit;                 ///< over symbols: per symbol
  double factor;                       ///< F = (XORs per bit + 1) / k
  std::size_t peak_live;               ///< most values alive at once
  std::vector<CoresCost> on_cores;     ///< by --cores; empty over symbols
  std::optional<RepairReads> reads{};  ///< nullopt if the set encodes
  /// Runs by instruction set, best first. If the code lies in words, XOR equations do not run as
  /// they are: the direct ones stand for what a codec runs, and others have no runs.
  std::vector<IsaRun> runs{};
  std::vector<SpeedAtSize> speeds{};    ///< by chunk size; empty: not measured
  std::optional<double> limit_in_l2{};  ///< SpeedAtSize::limit for a stripe in L2
  Latency latency{};                    ///< single calls in L2; `calls` is 0: not measured
  std::string why_no_runs{};            ///< why machine code was refused; empty: it was not
  std::vector<EngineCost> engines{};    ///< empty until add_engines
  std::size_t gate_inputs = 0;          ///< inputs of the tables that were minimised; 0: XORs were
  bool is_direct = false;               ///< the direct equations of a SPEC, not of a file

  const EquationFile::CodeName& code() const { return *file.code; }
};

/// True if the set's equations are XORs of bits, without multiplications.
inline bool is_over_bits(const ReportSet& set) { return set.file.program.is_xor(); }

/// True if `on_cores` has an entry for two cores or more.
bool has_steps(const ReportSet& set);

/// The linear map on cells for `request`: it encodes, or rebuilds `erased` from chunks in memory.
LinearMap request_map(const Code& code, const Request& request);

/// Number of elements that `request` asks for; nullopt if they are the outputs of `program`.
std::optional<std::size_t> asked_instead(const Code& code, const Request& request,
                                         const Program& program);

/// Counts the costs of proved equations, beside the direct equations for the same request.
///
/// Precondition: `file.code` names `code`.
ReportSet report_set(std::string source, EquationFile file, const Code& code,
                     const Request& request, const std::vector<std::size_t>& cores);

/// "Yosys 0.23 (git sha1 …)"; empty if yosys counted no engine of `sets`.
std::string yosys_version(const std::vector<ReportSet>& sets);

}  // namespace xorloom::cli
