#include "codes/field/matrix_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// Takes the next line off the text, without what ends it; none at the end of the text.
std::optional<std::string_view> take_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);  // npos + 1 is 0
}

template <typename... Values>
[[noreturn]] void bad(std::size_t line, fmt::format_string<Values...> sentence,
                      Values&&... values) {
  fail(Status::kParse, "line {}: {}", line, fmt::format(sentence, std::forward<Values>(values)...));
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Takes a whole number and the spaces before it off the line.
std::optional<std::size_t> take_number(std::string_view& line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{}) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return value;
}

/// The rows of a matrix, the first of them on a line of the file.
BitMatrix read_rows(std::string_view text, std::size_t rows, std::size_t columns,
                    std::size_t first_line) {
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
    const std::size_t number = r + first_line;
    const auto line = take_line(text);
    if (!line || line->empty()) {
      const bool are_announced = first_line != 1;
      if (!are_announced) bad(number, "the line is empty, but a row follows");
      const std::string rest = fmt::format("but there {} {}", r == 1 ? "is" : "are", r);
      if (line)
        bad(number, "the line is empty: line 1 announces {}, {}", counted(rows, "row"), rest);
      bad(1, "it announces {}, {}", counted(rows, "row"), rest);
    }
    std::size_t column = 0;
    for (std::size_t c = 0; c < line->size(); ++c) {
      const char bit = (*line)[c];
      if (is_blank(bit)) continue;
      if (bit != '0' && bit != '1') {
        bad(number, "character {} is '{}', not 0 or 1", c + 1, excerpt({&bit, 1}));
      }
      if (bit == '1' && column < columns) matrix.flip(r, column);
      ++column;
    }
    if (column != columns) {
      bad(number, "the row has {}, not {}", counted(column, "column"), columns);
    }
  }
  for (std::size_t number = rows + first_line; const auto line = take_line(text); ++number) {
    if (!line->empty()) {
      bad(number, "there are more rows than the {} that line 1 announces", rows);
    }
  }
  return matrix;
}

/// The characters of a line that are no spaces.
std::size_t columns_of(std::string_view line) {
  return line.size() - static_cast<std::size_t>(std::ranges::count_if(line, is_blank));
}

/// Whether a line is two numbers that announce a matrix whose first row is `next`: "10 11", and
/// "1 1" if one column follows. "1 0" is a row.
bool announces(std::string_view line, std::string_view next) {
  const auto rows = take_number(line);
  const auto columns = take_number(line);
  if (!rows || !columns || !line.empty()) return false;
  return *rows > 1 || *columns > 1 || (*columns == 1 && columns_of(next) == 1);
}

/// Of a text that begins with a row: the number of lines, and of columns of the first.
std::optional<std::pair<std::size_t, std::size_t>> sizes_of_rows(std::string_view text) {
  const std::string_view first = take_line(text).value_or("");
  std::string_view after_first = text;
  if (first.empty() || first.find_first_not_of("01 \t") != std::string_view::npos ||
      announces(first, take_line(after_first).value_or(""))) {
    return std::nullopt;
  }
  std::size_t rows = 1;
  std::size_t empty = 0;  // lines since the last row
  while (const auto line = take_line(text)) {
    ++empty;
    if (!line->empty()) rows += std::exchange(empty, 0);
  }
  return std::pair{rows, columns_of(first)};
}

}  // namespace

BitMatrix read_bitmatrix(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    fail(Status::kParse, "there is no matrix: the text is empty");
  }
  if (const auto sizes = sizes_of_rows(text))
    return read_rows(text, sizes->first, sizes->second, 1);
  std::string_view sizes = take_line(text).value_or("");
  std::string_view rest = sizes;
  const auto rows = take_number(rest);
  const auto columns = take_number(rest);
  if (!rows || !columns || !rest.empty()) {
    bad(1, "'{}' is neither a row of 0s and 1s nor two numbers, of rows and of columns",
        excerpt(sizes, 40));
  }
  if (*rows == 0 || *columns == 0) {
    bad(1, "a matrix of {} rows and {} columns is empty", *rows, *columns);
  }
  return read_rows(text, *rows, *columns, 2);
}

}  // namespace xorloom
