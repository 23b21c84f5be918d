#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codes/text/json.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

// What a command found, once, for all of its formats. The data of a document are JSON. Its tables
// are views of the data (figures.hpp), so that no format can say what another one does not know.
// Writers (writers.hpp) make text, JSON, HTML or SVG of a document.

/// A row of a table: a name and a value for each column.
struct TableRow {
  std::size_t indent;  ///< 1 or 2: says more of the row above with a smaller one
  std::string label;
  std::vector<std::string> values;  ///< "-" if there is none
};

/// Rows below a heading, which may be empty.
struct TableBlock {
  std::string heading;
  std::vector<TableRow> rows;
};

/// Columns of a table beside each other, with a name for all of them.
struct ColumnGroup {
  std::string name;
  std::vector<std::string> columns;
  bool is_text = false;  ///< words, which begin at the left
};

/// Shape: each row has a value for each column of all groups.
struct Table {
  std::vector<ColumnGroup> groups;
  std::vector<TableBlock> blocks;
  std::string labels{};  ///< the name of the labels' column
  /// Columns of text that labels and each value have at least: tables of two machines line up.
  std::size_t label_width = 0;
  std::size_t value_width = 1;
};

/// A name and what it stands for: a fact ("MTTF", "24 hours"), or a word and its meaning.
struct Entry {
  std::string name;
  std::string text;
};

struct DocumentPart;

// The parts of a document, from top to bottom.

/// The begin of a section. A page has an anchor there.
struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

/// What a reader should know first, a sentence or two each.
struct Verdict {
  std::vector<std::string> lines;
};

/// What casts doubt on all that follows. Nothing if the text is empty.
struct Caution {
  std::string text;
};

/// A spec, a command or a file on lines of its own.
struct Verbatim {
  std::string text;
};

/// Lines that are kept as they are, such as a drawing of characters. Nothing if empty.
struct Drawn {
  std::string lines;
};

/// Names with their values, a line each.
struct Facts {
  std::vector<Entry> entries;
};

/// Sentences of equal rank below a line.
struct Bullets {
  std::string line;
  std::vector<std::string> items;
};

/// What words mean. A page folds them, and prints them at its end.
struct Glossary {
  std::string line;
  std::vector<Entry> entries;  ///< a name may be empty: a paragraph
};

/// Pictures side by side if there is room, and one legend for all of them. Text has none.
struct Pictures {
  Pictures(std::vector<Picture> all = {}, std::vector<LegendEntry> of_all = {});
  Pictures(std::vector<Picture> all, std::vector<LegendEntry> of_all,
           std::vector<DocumentPart> words, bool each_is_wide = false);

  std::vector<Picture> pictures;
  std::vector<LegendEntry> legend;
  std::vector<DocumentPart> beside;  ///< in a small picture's place; none if empty
  bool is_wide;                      ///< each has the whole width
};

/// Parts below a line that folds and opens them on a page. Text has them below that line.
struct Fold {
  std::string line;
  bool is_open;
  std::vector<DocumentPart> parts;
};

/// A part of a document, and the formats that show it.
struct DocumentPart {
  enum class For { kAll, kText, kPage };

  template <typename Kind>
  DocumentPart(Kind kind, For shown_in = For::kAll) : what(std::move(kind)), shown(shown_in) {}

  std::variant<Heading, Paragraph, Verdict, Caution, Verbatim, Drawn, Facts, Bullets, Glossary,
               Table, Pictures, Fold>
      what;
  For shown;
};

// Here, since compilers differ in what they do with vectors of a type that is not complete.
inline Pictures::Pictures(std::vector<Picture> all, std::vector<LegendEntry> of_all)
    : Pictures(std::move(all), std::move(of_all), {}) {}

inline Pictures::Pictures(std::vector<Picture> all, std::vector<LegendEntry> of_all,
                          std::vector<DocumentPart> words, bool each_is_wide)
    : pictures(std::move(all)),
      legend(std::move(of_all)),
      beside(std::move(words)),
      is_wide(each_is_wide) {}

struct Document {
  std::string title;
  /// {"format": "xorloom-…", "version": N, …}: all facts, as programs read them.
  Json data;
  std::vector<DocumentPart> parts{};

  template <typename Kind>
  void add(Kind kind, DocumentPart::For shown = DocumentPart::For::kAll) {
    parts.emplace_back(std::move(kind), shown);
  }
};

}  // namespace xorloom::cli
