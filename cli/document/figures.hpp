#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/document/document.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

/// Writes a value of a document's data for people. It is not called for null.
using Show = std::function<std::string(const Json& value)>;

// Numbers and texts.
std::string as_text(const Json& value);  ///< a text as it is, numbers in full, true as "yes"
std::string in_full(const Json& value);  ///< all digits: "12"
std::string to_two_decimals(const Json& value);   ///< "1.25"
std::string to_three_digits(const Json& value);   ///< "78.0", "1.25": what was measured
std::string to_two_digits(const Json& value);     ///< "78", "9.2": what was predicted
std::string in_percent(const Json& value);        ///< a share: 0.525 is "52.5"
std::string in_whole_percent(const Json& value);  ///< a share: 0.525 is "53"
std::string in_powers(const Json& value);         ///< "1.25e+06"
std::string in_micros(const Json& value);         ///< seconds as microseconds, to three digits
std::string in_runs(const Json& value);           ///< ascending numbers: "0-3,5"; "none"

/// A value of a record: its name, the keys that lead to it ("cost.xors"; "sizes.0" is an item of an
/// array), and how people read it.
struct Figure {
  std::string name;
  std::string path;
  Show show = as_text;
  std::size_t indent = 0;  ///< of its row, if records are columns
};

/// The value at the path, null if there is none.
const Json& value_at(const Json& record, std::string_view path);

/// The value for people; "-" for null or none.
std::string shown(const Json& record, const Figure& figure);

/// Figures beside each other, with a name for all of them.
struct FigureGroup {
  std::string name;
  std::vector<Figure> figures;
  bool is_text = false;
};

/// A row for each record, named by `label`, and a column for each figure.
Table record_table(const Json& records, const Figure& label,
                   const std::vector<FigureGroup>& columns);

/// A row of such a table.
TableRow record_row(const Json& record, std::string label, const std::vector<FigureGroup>& columns);

/// The groups of such a table, without rows.
std::vector<ColumnGroup> column_groups(const std::vector<FigureGroup>& columns);

/// Appends a row for each figure, with a column for each record. A figure that no record has is
/// left out.
void append_rows(TableBlock& block, const Json& records, const std::vector<Figure>& figures);

/// A line for each figure that the record has.
Facts facts_of(const Json& record, const std::vector<Figure>& figures);

}  // namespace xorloom::cli
