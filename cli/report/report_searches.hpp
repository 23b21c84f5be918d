#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "cli/shell/search.hpp"

namespace xorloom::cli {

/// Divides the time limit of a report among its searches. Each search may take an equal share of
/// the time left, so that all of them together keep the limit. Without a limit it only counts.
class ReportSearches {
 public:
  /// Starts the clock. `count`: number of searches to come, run or skipped.
  ReportSearches(const SearchOptions& asked, std::size_t count);
  ReportSearches(const ReportSearches&) = delete;
  ReportSearches& operator=(const ReportSearches&) = delete;

  /// `options` with the end time of the next search. The result refers to this object, which must
  /// outlive that search.
  SearchOptions next(SearchOptions options);

  /// True if no time is left for the next search, which then counts as skipped.
  bool skips_next();

  /// "the time ended 2 of 3 searches: they share 5 s"; nullopt if every search was completed.
  std::optional<std::string> cut_short() const;

 private:
  std::optional<std::size_t> seconds_;
  std::chrono::steady_clock::time_point end_{};
  std::size_t left_;             ///< searches to come
  std::size_t count_;            ///< searches in all
  std::size_t num_ended_ = 0;    ///< cut short by the time limit
  std::size_t num_stopped_ = 0;  ///< cut short by Ctrl-C
  std::size_t num_skipped_ = 0;
};

}  // namespace xorloom::cli
