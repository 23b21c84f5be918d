#include "codes/field/matrix_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"

namespace xorloom {
namespace {

/// True if `c` may stand between the bits of a row, or around it.
bool is_between(char c) { return std::string_view(" \t\r,;[]").find(c) != std::string_view::npos; }

bool has_content(std::string_view text) { return !std::ranges::all_of(text, is_between); }

/// A row of a text, or the line of its sizes.
struct Line {
  std::string_view text;  ///< without a comment; empty only for an empty line
  std::size_t number = 0;
  std::size_t begin = 0;  ///< characters of the line before `text`
};

/// Takes a text line by line; a line gives several rows if brackets or ; separate them:
/// [[1,0],[0,1]], 10;01. Leaves out lines with only a comment or brackets.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// Takes the next line or row; nullopt at the end of the text.
  std::optional<Line> take() {
    while (is_within_ || !rest_.empty()) {
      if (!is_within_) begin_line();
      const Line line{take_row(), number_, begin_};
      begin_ += line.text.size();
      is_within_ = !line_.empty();
      if (is_empty_ || has_content(line.text)) return line;
    }
    return std::nullopt;
  }

 private:
  void begin_line() {
    line_ = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(rest_.size(), line_.size() + 1));
    const auto trimmed = [](std::string_view text) {
      return text.substr(0, text.find_last_not_of(" \t\r") + 1);  // npos + 1 is 0
    };
    is_empty_ = trimmed(line_).empty();
    line_ = trimmed(line_.substr(0, line_.find('#')));
    begin_ = 0;
    ++number_;
  }

  /// Takes the rest of the line, up to the bracket or ; that ends a row if another row follows.
  std::string_view take_row() {
    std::size_t end = line_.find_first_of("];");
    if (end == std::string_view::npos || !has_content(line_.substr(end))) end = line_.size() - 1;
    const std::string_view row = line_.substr(0, end + 1);
    line_.remove_prefix(row.size());
    return row;
  }

  std::string_view rest_;  ///< after `line_`
  std::string_view line_;
  std::size_t number_ = 0;
  std::size_t begin_ = 0;
  bool is_within_ = false;  ///< part of the line is taken, and part is left
  bool is_empty_ = false;
};

template <typename... Values>
[[noreturn]] void bad(std::size_t line, fmt::format_string<Values...> sentence,
                      Values&&... values) {
  fail(Status::kParse, "line {}: {}", line, fmt::format(sentence, std::forward<Values>(values)...));
}

/// Takes a whole number, and separators before it, from the beginning of `text`.
std::optional<std::size_t> take_number(std::string_view& text) {
  while (!text.empty() && is_between(text.front())) text.remove_prefix(1);
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Reads the rows of a matrix. announced_by: number of the line with the sizes; 0: there is none.
BitMatrix read_rows(Lines lines, std::size_t rows, std::size_t columns, std::size_t announced_by) {
  if (rows > kMaxMatrixBits / columns) {
    fail(Status::kInvalidArgument, "{} rows of {} columns exceed {} bits", rows, columns,
         kMaxMatrixBits);
  }
  if (rows > kMaxMatrixRows) {
    fail(Status::kInvalidArgument,
         "{} rows exceed {}: leave out rows of zeros and rows that repeat, or split the matrix by "
         "rows",
         rows, kMaxMatrixRows);
  }
  BitMatrix matrix(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto line = lines.take();
    if (!line || line->text.empty()) {
      if (announced_by == 0) bad(line->number, "the line is empty, but a row follows");
      const std::string rest = fmt::format("but there {} {}", r == 1 ? "is" : "are", r);
      if (line) {
        bad(line->number, "the line is empty: line {} announces {}, {}", announced_by,
            counted(rows, "row"), rest);
      }
      bad(announced_by, "it announces {}, {}", counted(rows, "row"), rest);
    }
    std::size_t column = 0;
    for (std::size_t c = 0; c < line->text.size(); ++c) {
      const char bit = line->text[c];
      if (is_between(bit)) continue;
      if (bit != '0' && bit != '1') {
        bad(line->number, "character {} is '{}', not 0 or 1", line->begin + c + 1,
            excerpt({&bit, 1}));
      }
      if (bit == '1' && column < columns) matrix.flip(r, column);
      ++column;
    }
    if (columns == 1 && line->text.ends_with(';')) {
      bad(line->number, "';' ends a row, and this row has 1 column: write ',' between columns");
    }
    if (column != columns) {
      const std::string announced =
          announced_by == 0 ? fmt::format("{}", columns)
                            : fmt::format("the {} that line {} announces", columns, announced_by);
      bad(line->number, "the row has {}, not {}", counted(column, "column"), announced);
    }
  }
  while (const auto line = lines.take()) {
    if (!line->text.empty()) {
      bad(line->number, "there are more rows than the {} that line {} announces", rows,
          announced_by);
    }
  }
  return matrix;
}

/// Number of bits in a row.
std::size_t columns_of(std::string_view row) {
  return row.size() - static_cast<std::size_t>(std::ranges::count_if(row, is_between));
}

/// The two numbers of a line that may be the sizes of a matrix; nullopt if there are not two, or if
/// the line has brackets or ; and so is a row.
std::optional<std::pair<std::size_t, std::size_t>> sizes_of(std::string_view line) {
  if (line.find_first_of("[];") != std::string_view::npos) return std::nullopt;
  const auto rows = take_number(line);
  const auto columns = take_number(line);
  if (!rows || !columns || has_content(line)) return std::nullopt;
  return std::pair{*rows, *columns};
}

/// True if a line has the sizes of a matrix whose first row is `next`: "10 11", or "1 1" if one
/// column follows. "1 0" is a row.
bool announces(std::string_view line, std::string_view next) {
  const auto sizes = sizes_of(line);
  if (!sizes) return false;
  const auto [rows, columns] = *sizes;
  return rows > 1 || columns > 1 || (columns == 1 && columns_of(next) == 1);
}

/// True if a text begins with a row, `first`, and not with sizes.
bool begins_with_row(std::string_view first, Lines after_first) {
  const auto is_of_row = [](char c) { return c == '0' || c == '1' || is_between(c); };
  const auto next = after_first.take();
  return std::ranges::all_of(first, is_of_row) && !announces(first, next ? next->text : "");
}

}  // namespace

BitMatrix read_bitmatrix(std::string_view text) {
  Lines lines(without_mark(text));
  Lines all = lines;  // from the first line that is not empty
  std::optional<Line> first = lines.take();
  while (first && first->text.empty()) {
    all = lines;
    first = lines.take();
  }
  if (!first) fail(Status::kParse, "there is no matrix: the text is empty");
  if (begins_with_row(first->text, lines)) {
    std::size_t rows = 1;
    std::size_t taken = 0;  // lines since the last row, empty ones included
    while (const auto line = lines.take()) {
      ++taken;
      if (!line->text.empty()) rows += std::exchange(taken, 0);
    }
    return read_rows(all, rows, columns_of(first->text), 0);
  }
  const auto sizes = sizes_of(first->text);
  if (!sizes) {
    bad(first->number, "'{}' is neither a row of 0s and 1s nor two numbers, of rows and of columns",
        excerpt(first->text, 40));
  }
  const auto [rows, columns] = *sizes;
  if (rows == 0 || columns == 0) {
    bad(first->number, "it announces a matrix of {} rows and {} columns, which is empty", rows,
        columns);
  }
  return read_rows(lines, rows, columns, first->number);
}

}  // namespace xorloom
