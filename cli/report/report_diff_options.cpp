#include "cli/report/report_diff_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "cli/document/writers.hpp"
#include "cli/report/report_diff.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kDiffGroup = "Options of --diff";
constexpr double kUsualTolerance = 5;
constexpr double kMostTolerance = 100;

double tolerance_of(const std::string& text) {
  double value = -1;
  const char* const last = text.data() + text.size() - (text.ends_with('%') ? 1 : 0);
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last || !(value >= 0 && value <= kMostTolerance)) {
    fail(Status::kInvalidArgument,
         fmt::format("--tolerance = {} is not a number from 0 to {}",
                     text.empty() ? "''" : excerpt(text), kMostTolerance));
  }
  return value;
}

}  // namespace

void add_diff_options(Command& command, DiffOptions& options) {
  add_flag(command, "--diff", options.is_asked,
           "instead of SPEC, take two reports in JSON, an old one and a new one, and print what "
           "differs between the sets that both have. The exit status is 1 if something got worse: "
           "more XORs, multiplications, steps or reads, or a measured speed that is lower by more "
           "than the tolerance");
  add_value(
      command, "--tolerance", "PERCENT",
      fmt::format("speeds that differ by no more count as equal; default: {}", kUsualTolerance),
      [&options](const std::string& text) { options.tolerance = tolerance_of(text); });
  option_of(command, "--tolerance").group = kDiffGroup;
}

void check_diff_options(const Command& command, const DiffOptions& options) {
  if (!options.is_asked) {
    if (!options.tolerance) return;
    fail(Status::kInvalidArgument, "--tolerance needs --diff");
  }
  static constexpr std::string_view kTaken[] = {"SPEC",     "--diff", "--tolerance", "--output",
                                                "--format", "--help", "--quiet"};
  if (const CommandOption* option = given_besides(command, kTaken)) {
    fail(Status::kInvalidArgument, fmt::format("--diff takes no {}", option->names));
  }
}

void run_diff(const DiffOptions& options, const std::vector<std::string>& reports,
              const std::string& format, const std::string& output) {
  if (reports.size() != 2) {
    fail(Status::kInvalidArgument,
         fmt::format("--diff takes two reports, an old and a new one, but {} {} given",
                     reports.size(), reports.size() == 1 ? "is" : "are"));
  }
  if (reports[0] == "-" && reports[1] == "-") {
    fail(Status::kInvalidArgument, "both reports are standard input, which can be read once");
  }
  if (format == "svg") {
    fail(Status::kInvalidArgument, "--diff has no picture: take --format table, json or html");
  }
  Output out(output);
  const ReportDiff diff = diff_of(read_report(reports[0]), read_report(reports[1]),
                                  options.tolerance.value_or(kUsualTolerance));
  out.finish(written(diff_document(diff), format));
  if (diff.count(FigureChange::Judgement::kWorse) != 0) throw FoundWorse();
}

}  // namespace xorloom::cli
