#include "cli/document/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/shell/options.hpp"
#include "cli/shell/short_number.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kNone = "-";

/// The member `key` of an object, or the item with index `key` of an array; null if none.
const Json* step(const Json& record, std::string_view key) {
  if (!record.is_array()) return record.find(key);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  const bool is_index = error == std::errc() && end == key.data() + key.size();
  return is_index && index < record.size() ? &record[index] : nullptr;
}

}  // namespace

std::string as_text(const Json& value) {
  if (value.is_string()) return value.text();
  const std::string plain = value.dump();
  return plain == "true" ? "yes" : plain == "false" ? "no" : plain;
}

std::string in_full(const Json& value) { return number(value.whole()); }
std::string to_two_decimals(const Json& value) { return ratio(value.real()); }
std::string to_stored_bytes(const Json& value) { return stored_text(value.real()); }
std::string to_three_digits(const Json& value) { return short_number(value.real()); }
std::string to_two_digits(const Json& value) { return rough_number(value.real()); }
std::string in_whole_percent(const Json& value) {
  return fmt::format("{:.0f}", value.real() * 100);
}
std::string in_powers(const Json& value) { return fmt::format("{:.2e}", value.real()); }
std::string in_micros(const Json& value) { return short_number(value.real() * kMicro); }

std::string in_runs(const Json& value) {
  std::vector<std::size_t> numbers;
  for (const Json& item : value) numbers.push_back(item.whole());
  return short_list(numbers);
}

const Json& value_at(const Json& record, std::string_view path) {
  static const Json none;
  const Json* at = &record;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    at = step(*at, path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return at == nullptr ? none : *at;
}

std::string shown(const Json& record, const Figure& figure) {
  const Json& value = value_at(record, figure.path);
  return value.is_null() ? kNone : figure.show(value);
}

TableRow record_row(const Json& record, std::string label,
                    const std::vector<FigureGroup>& columns) {
  TableRow row{0, std::move(label), {}};
  for (const FigureGroup& group : columns) {
    for (const Figure& figure : group.figures) row.values.push_back(shown(record, figure));
  }
  return row;
}

std::vector<ColumnGroup> column_groups(const std::vector<FigureGroup>& columns) {
  std::vector<ColumnGroup> groups;
  for (const FigureGroup& group : columns) {
    ColumnGroup& added = groups.emplace_back(ColumnGroup{group.name, {}, group.is_text});
    for (const Figure& figure : group.figures) added.columns.push_back(figure.name);
  }
  return groups;
}

Table record_table(const Json& records, const Figure& label,
                   const std::vector<FigureGroup>& columns) {
  Table table{column_groups(columns), {{"", {}}}, label.name};
  for (const Json& record : records) {
    table.blocks.back().rows.push_back(record_row(record, shown(record, label), columns));
  }
  return table;
}

void append_rows(TableBlock& block, const Json& records, const std::vector<Figure>& figures) {
  for (const Figure& figure : figures) {
    TableRow row{figure.indent, figure.name, {}};
    for (const Json& record : records) row.values.push_back(shown(record, figure));
    if (std::ranges::all_of(row.values, [](const auto& text) { return text == kNone; })) continue;
    block.rows.push_back(std::move(row));
  }
}

Facts facts_of(const Json& record, const std::vector<Figure>& figures) {
  Facts facts;
  for (const Figure& figure : figures) {
    if (value_at(record, figure.path).is_null()) continue;
    facts.add(figure.name, shown(record, figure));
  }
  return facts;
}

}  // namespace xorloom::cli
