#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/document/writers.hpp"
#include "cli/shell/help.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostLabel = 44;  // most characters of a label
constexpr std::size_t kGap = 2;         // characters between two columns

/// Breaks `text` at spaces into lines of at most `columns` characters. A longer word is not broken.
std::vector<std::string> lines_of(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines(1);
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, to - from);
    std::string& last = lines.back();
    if (last.empty()) {
      last = word;
    } else if (width(last) + 1 + width(word) <= columns) {
      last += " " + word;
    } else {
      lines.push_back(word);
    }
    from = to + 1;
  }
  return lines;
}

std::size_t longest_word(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& word : lines_of(text, 0)) most = std::max(most, width(word));
  return most;
}

std::string padded(const std::string& text, std::size_t columns, bool is_text) {
  const std::string space(columns - std::min(columns, width(text)), ' ');
  return is_text ? text + space : space + text;
}

/// Ends a line, without the spaces at its end.
void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

/// A column of a table in text.
struct TextColumn {
  std::size_t group;              ///< index in Table::groups
  std::vector<std::string> head;  ///< lines of its name
  std::size_t width;              ///< in characters
  bool is_text;
};

class TextTable {
 public:
  explicit TextTable(const Table& table) : table_(table) {
    label_ = std::max(table.label_width, width(table.labels));
    for (const TableBlock& block : table.blocks) {
      for (const TableRow& row : block.rows) {
        label_ = std::max(label_, 2 * row.indent + width(row.label));
      }
    }
    label_ = std::min(label_, kMostLabel);
    for (std::size_t g = 0; g < table.groups.size(); ++g) {
      for (const std::string& name : table.groups[g].columns) add_column(g, name);
    }
  }

  std::string text() const {
    std::string text;
    for (std::size_t first = 0; first < columns_.size();) {
      const std::size_t last = end_of_columns(first);
      if (!text.empty()) text += '\n';
      add_heads(text, first, last);
      for (const TableBlock& block : table_.blocks) add_block(text, block, first, last);
      first = last;
    }
    return text;
  }

 private:
  void add_column(std::size_t group, const std::string& name) {
    const std::size_t index = columns_.size();
    std::size_t values = table_.value_width;
    for (const TableBlock& block : table_.blocks) {
      for (const TableRow& row : block.rows) values = std::max(values, width(row.values[index]));
    }
    const bool is_text = table_.groups[group].is_text;
    if (is_text) values = std::min(values, kColumns - label_ - kGap);
    const std::size_t columns = std::max(values, is_text ? width(name) : longest_word(name));
    columns_.push_back({group, lines_of(name, columns), columns, is_text});
  }

  /// The end of the columns that fit on a line from `first` on, at least one. Columns of a group
  /// stay together if they fit.
  std::size_t end_of_columns(std::size_t first) const {
    std::size_t used = label_ + kGap + columns_[first].width;
    std::size_t last = first + 1;
    while (last < columns_.size() && used + kGap + least_width(last) <= kColumns) {
      used += kGap + columns_[last++].width;
    }
    std::size_t whole = last;
    const auto is_split = [&](std::size_t at) {
      return at < columns_.size() && columns_[at].group == columns_[at - 1].group;
    };
    while (whole > first && is_split(whole)) --whole;
    return whole > first ? whole : last;
  }

  /// Characters that the column needs. The last column may be narrower than its text, which wraps.
  std::size_t least_width(std::size_t column) const {
    constexpr std::size_t kEnoughText = 24;
    const bool is_wrapped = columns_[column].is_text && column + 1 == columns_.size();
    return is_wrapped ? std::min(columns_[column].width, kEnoughText) : columns_[column].width;
  }

  void add_heads(std::string& text, std::size_t first, std::size_t last) const {
    add_group_names(text, first, last);
    std::size_t lines = 0;
    for (std::size_t c = first; c < last; ++c) lines = std::max(lines, columns_[c].head.size());
    for (std::size_t line = 0; line < lines; ++line) {
      text += padded(line + 1 == lines ? table_.labels : "", label_, true);
      for (std::size_t c = first; c < last; ++c) {
        const std::vector<std::string>& head = columns_[c].head;
        const std::size_t empty = lines - head.size();
        text += std::string(kGap, ' ') + padded(line < empty ? "" : head[line - empty],
                                                columns_[c].width, columns_[c].is_text);
      }
      end_line(text);
    }
  }

  /// Adds the names of groups above their columns; long names take several lines.
  void add_group_names(std::string& text, std::size_t first, std::size_t last) const {
    std::vector<std::pair<std::size_t, std::vector<std::string>>> names;  // (begin, lines)
    std::size_t at = label_;
    std::size_t most = 0;
    for (std::size_t c = first; c < last;) {
      const std::size_t group = columns_[c].group;
      const std::size_t begin = at + kGap;
      for (; c < last && columns_[c].group == group; ++c) at += kGap + columns_[c].width;
      if (table_.groups[group].name.empty()) continue;
      names.emplace_back(begin, lines_of(table_.groups[group].name, at - begin));
      most = std::max(most, names.back().second.size());
    }
    for (std::size_t line = 0; line < most; ++line) {
      std::string row;
      for (const auto& [begin, lines] : names) {
        const std::size_t empty = most - lines.size();
        if (line < empty) continue;
        row += std::string(std::max(begin, width(row) + 1) - width(row), ' ') + lines[line - empty];
      }
      text += row;
      end_line(text);
    }
  }

  void add_block(std::string& text, const TableBlock& block, std::size_t first,
                 std::size_t last) const {
    if (block.rows.empty()) return;
    if (!block.heading.empty()) {
      if (&block != &table_.blocks.front()) text += '\n';
      text += wrapped(block.heading, 0) + '\n';
    }
    for (const TableRow& row : block.rows) add_row(text, row, first, last);
  }

  void add_row(std::string& text, const TableRow& row, std::size_t first, std::size_t last) const {
    const std::string label = std::string(2 * row.indent, ' ') + row.label;
    text += label;
    if (width(label) > label_) {
      end_line(text);
      text.append(label_, ' ');
    } else {
      text.append(label_ - width(label), ' ');
    }
    std::size_t at = label_;
    for (std::size_t c = first; c < last; ++c) {
      at += kGap;
      text.append(kGap, ' ');
      const std::string& value = row.values[c];
      text += columns_[c].is_text ? padded(wrapped(value, at), columns_[c].width, true)
                                  : padded(value, columns_[c].width, false);
      at += columns_[c].width;
    }
    end_line(text);
  }

  const Table& table_;
  std::size_t label_;
  std::vector<TextColumn> columns_{};
};

/// Writes the parts that text shows, separated by empty lines.
class TextWriter {
 public:
  void parts(const std::vector<DocumentPart>& parts) {
    for (const DocumentPart& part : parts) {
      if (part.shown != DocumentPart::For::kPage)
        std::visit([this](const auto& p) { write(p); }, part.content->kind);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void begin() {
    if (!text_.empty()) text_ += '\n';
  }

  void paragraph(const std::string& text) {
    if (text.empty()) return;
    begin();
    text_ += wrapped(text, 0) + '\n';
  }

  /// Writes names and texts in two columns.
  void entries(const std::vector<Entry>& entries) {
    std::size_t names = 0;
    for (const Entry& entry : entries) names = std::max(names, width(entry.name));
    for (const Entry& entry : entries) {
      text_ += padded(entry.name, names + kGap, true) + wrapped(entry.text, names + kGap);
      end_line(text_);
    }
  }

  void write(const Heading& heading) { paragraph(heading.text); }
  void write(const Paragraph& part) { paragraph(part.text); }
  /// A long command is continued behind backslashes, so that it can be copied.
  void write(const Verbatim& part) {
    if (part.text.empty()) return;
    begin();
    std::string indent;
    const std::vector<std::string> lines = lines_of(part.text, kColumns - 8);
    for (const std::string& line : lines) {
      text_ += std::exchange(indent, "    ") + line + (&line == &lines.back() ? "\n" : " \\\n");
    }
  }
  void write(const Drawn& drawn) {
    if (drawn.lines.empty()) return;
    begin();
    text_ += drawn.lines;
  }
  void write(const Verdict& verdict) {
    for (const std::string& line : verdict.lines) paragraph(line);
  }
  void write(const Caution& caution) {
    if (!caution.text.empty()) paragraph("Caution: " + caution.text);
  }
  void write(const Facts& facts) {
    if (facts.entries.empty()) return;
    begin();
    entries(facts.entries);
  }
  void write(const Bullets& bullets) {
    if (bullets.items.empty()) return;
    begin();
    if (!bullets.line.empty()) text_ += wrapped(bullets.line, 0) + '\n';
    for (const std::string& item : bullets.items) text_ += "  - " + wrapped(item, 4) + '\n';
  }
  void write(const Glossary& words) {
    bool is_list = false;
    for (const Entry& entry : words.entries) {
      if (entry.name.empty()) {
        paragraph(entry.text);
      } else {
        if (!is_list) begin();
        text_ += wrapped(entry.name + ": " + entry.text, 2) + '\n';
      }
      is_list = !entry.name.empty();
    }
  }
  void write(const Table& table) {
    begin();
    text_ += TextTable(table).text();
  }
  void write(const Pictures& pictures) { parts(pictures.beside); }
  void write(const Fold& fold) {
    TextWriter inner;
    inner.parts(fold.parts);
    if (inner.text_.empty()) return;  // pictures alone
    paragraph(fold.line);
    begin();
    text_ += inner.text_;
  }

  std::string text_;
};

}  // namespace

std::string text_of(const Document& document) {
  TextWriter writer;
  writer.parts(document.parts);
  return writer.take();
}

}  // namespace xorloom::cli
