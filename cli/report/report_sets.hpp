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

/// What a set of equations costs on that many cores; docs/glossary.md defines the words. Speedups
/// are over the direct XORs of the same task on one core, efficiencies that over the cores.
struct CoresCost {
  std::size_t cores;
  std::size_t makespan;  ///< two-input XORs spread over the cores
  double speedup;
  double efficiency;
  std::size_t atomic_makespan;  ///< whole equations spread over the cores
  double atomic_speedup;
  double atomic_efficiency;
  std::size_t moves;                  ///< of the two-input plan
  std::optional<double> gigabytes{};  ///< of data a second, measured: the plan on that many threads
  std::optional<double> measured_speedup{};  ///< over the direct equations measured on one thread
};

/// How an instruction set of this machine runs a set of equations, on one core.
struct IsaRun {
  Isa isa;
  TileWork work;
  std::optional<LevelSpeeds> predicted{};  ///< where this machine was measured
  std::optional<LevelSpeeds> roof{};       ///< what moving the bytes alone would allow
  std::optional<LevelSpeeds> measured{};
  std::vector<std::optional<LevelSpeeds>>
      elsewhere{};  ///< predicted, of each machine of the report
};

/// GB/s of data, measured on one core by the best instruction set.
struct SpeedAtSize {
  std::size_t chunk_bytes;
  double gigabytes;
  std::optional<double> limit{};  ///< of the fastest plain XOR that reads and writes as many chunks
};

/// A set of equations as an XOR engine with lookup tables of so many inputs and so many ranks of
/// registers, all per lane of one bit.
struct EngineCost {
  std::size_t gate_inputs;
  std::size_t ranks;
  std::size_t tables;
  std::size_t depth;        ///< in levels of tables
  std::size_t stage_depth;  ///< the same between registers, at most
  std::size_t registers;
  std::optional<Synthesis> yosys{};
};

/// A set of equations, a column of the report.
struct ReportSet {
  std::string source;  ///< "direct", "iterative", or the name of the file it was read from
  EquationFile file;   ///< with its code, and with a plan where it was made for one
  Request request;
  Arrangement arrangement;
  std::size_t output_bits;
  /// Of the direct equations for the same outputs, which read what takes the fewest XORs: the
  /// baseline of speedups.
  std::size_t direct_xors;
  /// No XOR equations with the same inputs and outputs have fewer XORs. None over symbols.
  std::optional<std::size_t> lower_bound;
  Cost cost;
  double xors_per_bit;
  double factor;
  std::size_t peak_live;
  std::vector<CoresCost> on_cores;     ///< none over symbols
  std::optional<RepairReads> reads{};  ///< where it rebuilds
  /// Best first. Where the code lies in words, equations over symbols run, and the direct equations
  /// over bits stand for what a codec runs.
  std::vector<IsaRun> runs{};
  std::vector<SpeedAtSize> speeds{};    ///< where it was measured
  std::optional<double> limit_in_l2{};  ///< the limit where a stripe lies in L2
  Latency latency{};                    ///< of calls on chunks in L2, where it was measured
  std::string why_no_runs{};            ///< a sentence, where its machine code was refused
  std::vector<EngineCost> engines{};    ///< where hardware is asked for
  std::size_t gate_inputs = 0;          ///< of the tables that were to be few; 0: XORs were
  bool is_direct = false;               ///< the direct equations of the code, not those of a file

  const EquationFile::CodeName& code() const { return *file.code; }
};

/// True if the set's equations are XORs of bits, without multiplications.
inline bool is_over_bits(const ReportSet& set) { return set.file.program.is_xor(); }

/// Whether its steps on several cores are counted.
bool has_steps(const ReportSet& set);

/// The map of cells that a request for whole chunks comes to, where the code lies in words.
LinearMap request_map(const Code& code, const Request& request);

/// How many elements a request asks for, if the program computes others; none if it computes these.
std::optional<std::size_t> asked_instead(const Code& code, const Request& request,
                                         const Program& program);

/// Measures proved equations against the direct ones of what they compute.
///
/// Shape: the file names its code, which is the one given.
ReportSet report_set(std::string source, EquationFile file, const Code& code,
                     const Request& request, const std::vector<std::size_t>& cores);

/// "Yosys 0.23 (git sha1 …)", empty if it counted no engine of the sets.
std::string yosys_version(const std::vector<ReportSet>& sets);

}  // namespace xorloom::cli
