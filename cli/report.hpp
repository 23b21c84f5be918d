#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "equations/cost.hpp"
#include "equations/equation_file.hpp"

namespace xorloom::cli {

/// What a set of equations costs on so many cores; docs/glossary.md defines the words. Speedups are
/// over the direct XORs of the same task on one core, efficiencies that over the cores.
struct CoresCost {
  std::size_t cores;
  std::size_t makespan;  ///< two-input XORs spread over the cores
  double speedup;
  double efficiency;
  std::size_t atomic_makespan;  ///< whole equations spread over the cores
  double atomic_speedup;
  double atomic_efficiency;
  std::size_t moves;  ///< of the two-input plan
};

/// A set of equations, a column of the report.
struct ReportSet {
  std::string source;  ///< "direct", or the name of the file it was read from
  EquationFile::CodeName code;
  std::string style;
  std::size_t equations;
  std::size_t output_bits;
  std::size_t direct_xors;  ///< of the direct equations for the same outputs
  Cost cost;
  double xors_per_bit;
  double factor;
  std::vector<CoresCost> on_cores;
};

/// Measures proved equations against the direct XORs of what they compute.
ReportSet report_set(std::string source, const EquationFile& file, std::size_t direct_xors,
                     const std::vector<std::size_t>& cores);

/// A table for people, a set a column; what is rebuilt is said if chunks are erased.
std::string report_table(const std::vector<ReportSet>& sets,
                         const std::vector<std::size_t>& erased);

/// The versioned JSON form, {"format":"xorloom-report","version":1,"erased":[…],"sets":[…]}.
std::string report_json(const std::vector<ReportSet>& sets, const std::vector<std::size_t>& erased);

}  // namespace xorloom::cli
