#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/report/code_groups.hpp"
#include "cli/report/report_blocks.hpp"
#include "cli/shell/help.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kLabel = 42;  // columns of the labels
constexpr std::size_t kColumn = 9;  // and of each set, where no value is longer

/// Columns of each set, with a space before the longest value.
std::size_t column_width(const std::vector<TableBlock>& blocks) {
  std::size_t most = kColumn;
  for (const TableBlock& block : blocks) {
    for (const TableRow& row : block.rows) {
      for (const std::string& value : row.values) most = std::max(most, width(value) + 1);
    }
  }
  return most;
}

void append_sets(std::string& text, const std::vector<ReportSet>& sets) {
  text += "sets of equations\n";
  const std::string* previous = nullptr;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string& spec = sets[i].code().spec;
    const bool same = previous != nullptr && *previous == spec;
    const std::string line =
        fmt::format("{}: {}", set_name(sets[i]), same ? "for the same code" : spec);
    text += fmt::format("{:>3}  {}\n", i + 1, wrapped(line, 5));
    previous = &spec;
  }
}

/// The columns of some sets, as many as fit side by side.
void append_columns(std::string& text, const std::vector<TableBlock>& blocks, std::size_t first,
                    std::size_t count, std::size_t column) {
  for (const TableBlock& block : blocks) {
    text += "\n";
    if (!block.heading.empty()) text += block.heading + "\n";
    for (const TableRow& row : block.rows) {
      const std::string label = std::string(2 * row.indent, ' ') + row.label;
      text += label;
      text.append(kLabel - std::min(kLabel, width(label)), ' ');
      for (std::size_t i = first; i < first + count; ++i) {
        text += fmt::format("{:>{}}", row.values[i], column);
      }
      text += '\n';
    }
  }
}

void append_left_out(std::string& text, const Report& report) {
  if (report.left_out.empty()) return;
  text += "\nleft out\n";
  for (const std::string& sentence : report.left_out) {
    text += "  - " + wrapped(sentence, 4) + "\n";
  }
}

}  // namespace

std::string report_table(const Report& report) {
  const std::vector<TableBlock> blocks = report_blocks(report);
  const std::size_t sets = report.sets.size();
  std::string text;
  append_sets(text, report.sets);
  text += task_text(report) + "\n";
  const std::size_t column = column_width(blocks);
  const std::size_t at_once = std::max<std::size_t>(1, (kColumns - kLabel) / column);
  for (std::size_t first = 0; first < sets; first += at_once) {
    append_columns(text, blocks, first, std::min(at_once, sets - first), column);
  }
  append_left_out(text, report);
  return text + "\n" + wrapped(report_legend(report), 0) + "\n";
}

}  // namespace xorloom::cli
