#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/report/report_codes.hpp"
#include "cli/report/report_sets.hpp"
#include "cli/shell/equation_format.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// The most direct XORs of a code whose front is searched, and of a code whose front is searched
/// with the requested effort. Between the two bounds that would take minutes: the effort is fast.
inline constexpr std::size_t kMostFrontXors = 65'536;
inline constexpr std::size_t kMostSlowFrontXors = 64;

/// The trade-off of XORs against steps of a code on `cores` cores.
struct Front {
  EquationFile::CodeName code;
  std::size_t cores;
  std::vector<FrontPoint> points;  ///< Pareto points: ascending steps, descending XORs
};

/// Another machine whose speeds are predicted, from the rates in a file.
struct OtherMachine {
  std::string name;
  MachineRates rates;  ///< only those that predictions come from
};

/// The fewest points of a front that is drawn; the table of figures shows fewer well enough.
inline constexpr std::size_t kLeastOfFront = 3;

/// A comparison of sets of equations.
struct Report {
  /// Locations that all sets rebuild, or whose changes they carry over; both empty: they encode.
  std::vector<std::size_t> erased;
  std::vector<std::size_t> updated;
  std::vector<ReportSet> sets;
  CodeNames code_names;
  std::string machine;  ///< CPU of this machine; empty if no set runs
  CacheSizes caches;
  MachineRates rates{};                  ///< rates that predictions for `machine` use
  std::vector<OtherMachine> machines{};  ///< other machines with predictions
  std::vector<Front> fronts{};           ///< only with --format html and several cores
  std::optional<SearchRecord> search{};  ///< nullopt: no SPEC, so nothing was searched
  std::vector<std::string> left_out{};   ///< sentences: what is missing, and why
  std::vector<std::size_t> cores{};      ///< as given; empty: those that a report has by itself
  Over over = Over::kBits;               ///< elements of the sets, except those of files
  bool has_engines = false;              ///< add_engines ran
  double processor_share = 1;            ///< the least that measure_sets returned; 1: not measured
};

/// The number of `set` in every format, from 1. Precondition: `set` is in `report.sets`.
inline std::size_t number_of(const Report& report, const ReportSet& set) {
  return static_cast<std::size_t>(&set - report.sets.data()) + 1;
}

/// Display name of a code: its entry in `code_names`, else its spec.
const std::string& name_of(const Report& report, const EquationFile::CodeName& code);

/// Title of a code: its entry in `code_names`, else family and size: "cauchy-good 10 + 4, w = 8".
std::string title_of(const Report& report, const EquationFile::CodeName& code);

/// The facts in JSON: {"format":"xorloom-report","version":1,"erased":[…],"sets":[…]}.
Json report_data(const Report& report);

/// The verdict, charts and the figures of all sets side by side. With `draws_sets`, also pictures of
/// matrices, equations, plans and engines, which only a page shows.
Document report_document(const Report& report, bool draws_sets);

}  // namespace xorloom::cli
