#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// A number of a set, from the JSON of a report.
struct ReportFigure {
  /// Direction of an improvement; kNone: a change is neither better nor worse.
  enum class Goal { kNone, kLess, kMore };

  /// Identity of a figure within its set.
  struct Name {
    std::string figure;     ///< its key in JSON, such as "xors" or "makespan"
    std::size_t cores = 0;  ///< cores of the plan; 0: no figure of a plan
    std::string isa{};      ///< instruction set of the run; empty: no figure of a run
    std::string level{};    ///< l1, l2, l3 or memory; empty: no speed of a run

    friend auto operator<=>(const Name&, const Name&) = default;
  };

  Name name;
  std::string label;  ///< name for readers
  std::string group;  ///< names figures that are all there or all missing: "plans for 6 cores"
  Goal goal = Goal::kNone;
  bool is_speed = false;  ///< compared with a tolerance
  double value = 0;
};

/// A set of equations, from the JSON of a report.
struct ReportedSet {
  /// Identity of a set: sets of two reports match if all members are equal.
  struct Name {
    std::string spec;
    std::string source;
    std::string style;
    std::string over;  ///< bits or symbols

    friend auto operator<=>(const Name&, const Name&) = default;
  };

  Name name;
  std::vector<ReportFigure> figures;
};

/// A report, read from its JSON.
struct ReportFile {
  std::string name;        ///< the path, or "standard input"
  std::string program;     ///< version that made the report; empty: unknown
  std::string machine;     ///< CPU; empty if no set ran
  std::string search;      ///< "effort max, seed 1, 5 s"; empty: unknown
  CacheSizes caches;       ///< cache sizes of `machine`
  double processor_share;  ///< share of measuring time with a processor; 1: all, or not measured
  std::vector<std::size_t> erased;   ///< locations that the sets rebuild
  std::vector<std::size_t> updated;  ///< or whose changes they carry over; both empty: they encode
  std::vector<ReportedSet> sets;     ///< at least one
};

/// The largest file that read_report accepts.
inline constexpr std::size_t kMostReportBytes = std::size_t{64} << 20;

/// Reads a report in JSON. Unknown members are ignored.
///
/// Errors: throws kParse, naming the file and the member, if the text is not JSON, has another
///         format or version, or has a value out of range; kInvalidArgument if the file has more
///         than kMostReportBytes; kIo if the file cannot be read.
ReportFile read_report(const std::string& path);

}  // namespace xorloom::cli
