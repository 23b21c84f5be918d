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
  Judgement verdict;  ///< kNone: no change is better, or a machine was busy

  double change() const { return after - before.value; }
  std::optional<double> percent() const;  ///< change over `before`; nullopt if `before` is 0
};

/// A set that is in both reports.
struct SetChange {
  ReportedSet::Name name;
  std::vector<FigureChange> figures{};  ///< only figures that differ
};

/// Differences between two reports.
struct ReportDiff {
  std::string before;  ///< file name; also `after`
  std::string after;
  double tolerance;                  ///< up to which speeds count as equal, in percent
  std::vector<std::string> notes{};  ///< sentences: other machine, other search, …
  std::vector<SetChange> sets{};     ///< sets in both reports, at least one
  std::vector<ReportedSet::Name> only_before{};
  std::vector<ReportedSet::Name> only_after{};

  /// Number of figures with this verdict, over all sets.
  std::size_t count(FigureChange::Judgement verdict) const;
  std::size_t sets_that_differ() const;
};

/// Compares the sets that are in both reports: counts exactly, speeds with `tolerance` percent. If
/// a name occurs several times, the n-th sets of the name are compared.
///
/// Errors: throws kInvalidArgument if the reports rebuild different locations, or share no set.
ReportDiff diff_of(const ReportFile& before, const ReportFile& after, double tolerance);

/// The notes, the figures that differ and a summary. docs/schemas/report-diff.schema.json describes
/// the data: {"format":"xorloom-report-diff","version":1,…}.
Document diff_document(const ReportDiff& diff);

}  // namespace xorloom::cli
