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

/// Direct XORs of codes that have a front, and of those whose front is looked for with the effort
/// that was asked for. In between it would take minutes, and has effort fast.
inline constexpr std::size_t kMostFrontXors = 65'536;
inline constexpr std::size_t kMostSlowFrontXors = 64;

/// Sets of equations of a code on that many cores.
struct Front {
  EquationFile::CodeName code;
  std::size_t cores;
  std::vector<FrontPoint> points;  ///< by steps, each of fewer XORs than the one before
};

/// A machine whose rates stand in a file.
struct OtherMachine {
  std::string name;
  std::string cpu;
  CacheSizes caches;
  PredictionError error;
};

/// Points of a front that a chart shows; fewer are in the table of figures.
inline constexpr std::size_t kLeastOfFront = 3;

/// Sets of equations side by side.
struct Report {
  std::vector<std::size_t> erased;  ///< what all of them rebuild; none: they encode
  std::vector<ReportSet> sets;
  CodeNames code_names;
  std::string machine;  ///< what GB/s are predicted for
  CacheSizes caches;
  std::optional<PredictionError> error{};  ///< the largest of those that predictions have
  std::vector<OtherMachine> machines{};    ///< that GB/s are predicted for, too
  std::vector<Front> fronts{};             ///< where pictures are asked for
  std::optional<SearchRecord> search{};    ///< how sets were looked for, if any were
  std::vector<std::string> left_out{};     ///< what is not in it, by which bound, a sentence each
  bool has_engines = false;                ///< hardware was asked for
  double processor_share = 1;  ///< of the time that was measured, the least; see busy_text
};

/// The number that a set has in every form, from 1.
inline std::size_t number_of(const Report& report, const ReportSet& set) {
  return static_cast<std::size_t>(&set - report.sets.data()) + 1;
}

/// How people call a code: its spec, or the file that it was read from.
const std::string& name_of(const Report& report, const EquationFile::CodeName& code);

/// The same with its size: "cauchy-good 10 + 4, w = 8".
std::string title_of(const Report& report, const EquationFile::CodeName& code);

/// All facts of the report, {"format":"xorloom-report","version":1,"erased":[…],"sets":[…]}.
Json report_data(const Report& report);

/// The verdict, the figures of all sets side by side, and pictures of the equations, their plans and
/// what they promise.
Document report_document(const Report& report);

}  // namespace xorloom::cli
