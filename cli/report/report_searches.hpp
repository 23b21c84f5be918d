#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "cli/shell/search.hpp"

namespace xorloom::cli {

/// The searches of a report. Where seconds end them, they share these: each may take an equal part
/// of what those before it left. So the command as a whole searches for no longer than was asked.
class ReportSearches {
 public:
  /// The time runs from here. Shape: count is the number of searches to come.
  ReportSearches(const SearchOptions& asked, std::size_t count);
  ReportSearches(const ReportSearches&) = delete;
  ReportSearches& operator=(const ReportSearches&) = delete;

  /// The options of the next search with its part of the time. They outlive this no longer than
  /// that search.
  SearchOptions next(SearchOptions options);

  /// Whether no time is left for the next search. If so, that counts as one that did not begin.
  bool skips_next();

  /// "the time ended 2 of 3 searches, which share 5 s"; none if all came to their end.
  std::optional<std::string> cut_short() const;

 private:
  std::optional<std::size_t> seconds_;
  std::chrono::steady_clock::time_point end_{};
  std::size_t left_;
  std::size_t count_;
  std::size_t num_ended_ = 0;    ///< by the time
  std::size_t num_stopped_ = 0;  ///< by Ctrl-C
  std::size_t num_skipped_ = 0;
};

}  // namespace xorloom::cli
