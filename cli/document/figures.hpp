#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/document/document.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

/// Formats a value of a document's data for readers. Precondition: `value` is not null.
using Show = std::function<std::string(const Json& value)>;

// Formats of values.
std::string as_text(const Json& value);           ///< text as it is, numbers in full, "yes" or "no"
std::string in_full(const Json& value);           ///< all digits: "12"
std::string to_two_decimals(const Json& value);   ///< "1.25"
std::string to_stored_bytes(const Json& value);   ///< stored_text()
std::string to_three_digits(const Json& value);   ///< "78.0", "1.25": for measurements
std::string to_two_digits(const Json& value);     ///< "78", "9.2": for predictions
std::string in_whole_percent(const Json& value);  ///< a share: 0.525 is "53"
std::string in_powers(const Json& value);         ///< "1.25e+06"
std::string in_micros(const Json& value);         ///< seconds as microseconds, to three digits
std::string in_runs(const Json& value);           ///< ascending numbers: "0-3,5"; "none"

/// A value of a JSON record, and its form for readers.
struct Figure {
  std::string name;
  std::string path;  ///< keys that lead to the value: "cost.xors"; "sizes.0" is an array item
  Show show = as_text;
  std::size_t indent = 0;  ///< indent of the row, if records are columns
};

/// The value at `path` (see Figure); null if there is none.
const Json& value_at(const Json& record, std::string_view path);

/// The formatted value of `figure`; "-" if it is null or missing.
std::string shown(const Json& record, const Figure& figure);

/// Adjacent figures with a common name.
struct FigureGroup {
  std::string name;
  std::vector<Figure> figures;
  bool is_text = false;  ///< see ColumnGroup
};

/// A table with a row per record, labelled by `label`, and a column per figure.
Table record_table(const Json& records, const Figure& label,
                   const std::vector<FigureGroup>& columns);

/// A row of record_table().
TableRow record_row(const Json& record, std::string label, const std::vector<FigureGroup>& columns);

/// The columns of record_table().
std::vector<ColumnGroup> column_groups(const std::vector<FigureGroup>& columns);

/// Appends a row per figure, with a column per record. A figure that no record has is left out.
void append_rows(TableBlock& block, const Json& records, const std::vector<Figure>& figures);

/// A fact per figure that the record has.
Facts facts_of(const Json& record, const std::vector<Figure>& figures);

}  // namespace xorloom::cli
