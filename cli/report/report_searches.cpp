#include "cli/report/report_searches.hpp"
#include "codes/text/counted.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace xorloom::cli {

using Clock = std::chrono::steady_clock;

ReportSearches::ReportSearches(const SearchOptions& asked, std::size_t count)
    : seconds_(seconds_of(asked)), left_(count), count_(count) {
  if (seconds_) end_ = Clock::now() + std::chrono::seconds(*seconds_);
}

SearchOptions ReportSearches::next(SearchOptions options) {
  if (seconds_) {
    const Clock::time_point now = Clock::now();
    const Clock::duration left = std::max(Clock::duration(0), end_ - now);
    options.end = now + left / static_cast<long>(std::max<std::size_t>(left_, 1));
  }
  --left_;
  options.on_cut_short = [this, end = options.end] {
    ++(end && Clock::now() >= *end ? num_ended_ : num_stopped_);
  };
  return options;
}

bool ReportSearches::skips_next() {
  if (!seconds_ || Clock::now() < end_) return false;
  --left_;
  ++num_skipped_;
  return true;
}

std::optional<std::string> ReportSearches::cut_short() const {
  std::string sentence;
  const auto add = [&](const char* who, std::size_t count) {
    if (count == 0) return;
    sentence += fmt::format("{}{} {} of {}", sentence.empty() ? "" : "; ", who, count,
                            counted(count_, "search", "searches"));
  };
  add("the time ended", num_ended_);
  add("Ctrl-C ended", num_stopped_);
  add("there was no time for", num_skipped_);
  if (sentence.empty()) return std::nullopt;
  if (seconds_ && num_ended_ + num_skipped_ != 0) {
    sentence += fmt::format(": {} {} s", count_ == 1 ? "it had" : "they share", *seconds_);
  }
  return sentence;
}

}  // namespace xorloom::cli
