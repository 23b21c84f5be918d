#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// A figure of a set in a report's JSON form.
struct ReportFigure {
  /// What makes it better. Other counts have no better and worse.
  enum class Goal { kNone, kLess, kMore };

  /// "xors", or a member of on_cores or of runs: what a figure is called in JSON.
  struct Name {
    std::string figure;
    std::size_t cores = 0;  ///< of a plan, else 0
    std::string isa{};      ///< of a run, else empty
    std::string level{};    ///< of a speed in l2, l3 or memory, else empty

    friend auto operator<=>(const Name&, const Name&) = default;
  };

  Name name;
  std::string label;  ///< for people
  std::string group;  ///< what a report has all of or nothing of: "plans for 6 cores"
  Goal goal = Goal::kNone;
  bool is_speed = false;  ///< differs from one time to the next
  double value = 0;
};

/// A set of equations in a report's JSON form.
struct ReportedSet {
  /// What it is a set of. Two reports have the same one if they say the same here.
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

/// A report in its JSON form, read.
struct ReportFile {
  std::string name;                 ///< the path, or "standard input"
  std::string program;              ///< that made it; empty if it does not say
  std::string machine;              ///< empty if nothing of it ran
  std::string search;               ///< "effort max, seed 1, 5 s"; empty if it does not say
  CacheSizes caches;                ///< of that machine
  double processor_share;           ///< of the time measured, in which the program had a processor
  std::vector<std::size_t> erased;  ///< what its sets rebuild; none: they encode
  std::vector<ReportedSet> sets;    ///< at least one
};

/// The largest report that is read.
inline constexpr std::size_t kMostReportBytes = std::size_t{64} << 20;

/// Reads a report. Members that are not known are ignored.
///
/// Errors: throws kParse, naming the file and the member, if it is not JSON, of another format or
///         version, or if a value is out of range; kInvalidArgument if it has more than
///         kMostReportBytes; kIo if it cannot be read.
ReportFile read_report(const std::string& path);

}  // namespace xorloom::cli
