#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/report/report_file.hpp"

namespace xorloom::cli {

/// A figure that differs between two reports.
struct FigureChange {
  enum class Judgement { kNone, kBetter, kWorse };

  ReportFigure before;
  double after;
  Judgement verdict;  ///< none for a figure that has no better and worse

  double change() const { return after - before.value; }
  std::optional<double> percent() const;  ///< none where it was 0
};

/// A set that both reports have.
struct SetChange {
  ReportedSet::Name name;
  std::vector<FigureChange> figures{};  ///< those that differ
};

/// What differs between two reports.
struct ReportDiff {
  std::string before;  ///< the names of their files
  std::string after;
  double tolerance;                  ///< of speeds, in percent
  std::vector<std::string> notes{};  ///< what makes the reports less alike, a sentence each
  std::vector<SetChange> sets{};     ///< at least one
  std::vector<ReportedSet::Name> only_before{};
  std::vector<ReportedSet::Name> only_after{};

  /// The figures of a verdict, in all sets.
  std::size_t count(FigureChange::Judgement verdict) const;
  std::size_t sets_that_differ() const;
};

/// Compares the sets that two reports both have: counts exactly, speeds with a tolerance. Of sets
/// that are alike in all of their name the first is compared with the first, and so on.
///
/// Errors: throws kInvalidArgument if they rebuild other locations or have no set in common.
ReportDiff diff_of(const ReportFile& before, const ReportFile& after, double tolerance);

/// The notes, the figures that differ and a summary. Its data are {"format":"xorloom-report-diff",
/// "version":1,…}; docs/schemas/report-diff.schema.json has all.
Document diff_document(const ReportDiff& diff);

}  // namespace xorloom::cli
