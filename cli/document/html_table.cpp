
#include <fmt/format.h>

#include <algorithm>

#include "cli/document/html_page.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {
namespace {

/// The class attribute of each column. The first column of a group has a line on its left.
std::vector<std::string> classes_of(const std::vector<ColumnGroup>& groups) {
  std::vector<std::string> classes;
  for (const ColumnGroup& group : groups) {
    for (std::size_t c = 0; c < group.columns.size(); ++c) {
      const bool is_first = c == 0 && groups.size() > 1;
      const char* const both = is_first ? " class=\"first left\"" : " class=\"left\"";
      classes.emplace_back(group.is_text ? both : is_first ? " class=\"first\"" : "");
    }
  }
  return classes;
}

/// The most characters of a label that stays on one line.
constexpr std::size_t kMostUnbrokenLabel = 40;

bool has_short_labels(const std::vector<TableBlock>& blocks) {
  return std::ranges::all_of(blocks, [](const TableBlock& block) {
    return std::ranges::all_of(
        block.rows, [](const TableRow& row) { return row.label.size() <= kMostUnbrokenLabel; });
  });
}

/// Column name as HTML that may break behind underscores, which file names often have.
std::string column_name(const std::string& name) {
  std::string html = escaped(name);
  for (std::size_t at = 0; (at = html.find('_', at)) != std::string::npos; at += 6) {
    html.insert(at + 1, "<wbr>");
  }
  return html;
}

std::string head_of(const Table& table, const std::vector<std::string>& classes) {
  const std::vector<ColumnGroup>& groups = table.groups;
  std::string html = "<thead>\n";
  if (std::ranges::any_of(groups, [](const ColumnGroup& g) { return !g.name.empty(); })) {
    html += "<tr><td></td>";
    for (const ColumnGroup& group : groups) {
      html += fmt::format(
          "<th class=\"group{}\" colspan=\"{}\" scope=\"colgroup\"><span>{}</span></th>",
          groups.size() > 1 ? " first" : "", group.columns.size(), breakable(group.name));
    }
    html += "</tr>\n";
  }
  html += fmt::format("<tr><td>{}</td>", escaped(table.labels));
  std::size_t at = 0;
  for (const ColumnGroup& group : groups) {
    for (const std::string& column : group.columns) {
      html += fmt::format("<th{} scope=\"col\">{}</th>", classes[at++], column_name(column));
    }
  }
  return html + "</tr>\n</thead>\n";
}

}  // namespace

std::string html_table(const Table& table) {
  const std::vector<ColumnGroup>& groups = table.groups;
  const std::vector<TableBlock>& blocks = table.blocks;
  const std::vector<std::string> classes = classes_of(groups);
  std::string html =
      fmt::format("<div class=\"wide\"><table{}>\n{}<tbody>\n",
                  has_short_labels(blocks) ? " class=\"short\"" : "", head_of(table, classes));
  for (const TableBlock& block : blocks) {
    if (!block.heading.empty()) {
      html += fmt::format(
          "<tr class=\"head\"><th colspan=\"{}\" scope=\"rowgroup\"><span>{}</span></th></tr>\n",
          classes.size() + 1, escaped(block.heading));
    }
    for (const TableRow& row : block.rows) {
      html += fmt::format("<tr><th class=\"in{}\" scope=\"row\">{}</th>", row.indent,
                          escaped(row.label));
      for (std::size_t c = 0; c < row.values.size(); ++c) {
        html += fmt::format("<td{}>{}</td>", classes[c], escaped(row.values[c]));
      }
      html += "</tr>\n";
    }
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace xorloom::cli
