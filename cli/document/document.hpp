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

// The result of a command, independent of the output format. The data of a document are JSON. Its
// tables are views of the data (figures.hpp), so that all formats have the same facts. Writers
// (writers.hpp) turn a document into text, JSON, HTML or SVG.

/// A row of a table: a name and a value for each column.
struct TableRow {
  std::size_t indent;  ///< 0 to 2; above 0: details the last row with a smaller indent
  std::string label;
  std::vector<std::string> values;  ///< a text per column; "-" if there is no value
};

/// Rows below a heading. `heading` may be empty.
struct TableBlock {
  std::string heading;
  std::vector<TableRow> rows;
};

/// Adjacent columns of a table with a common name.
struct ColumnGroup {
  std::string name;
  std::vector<std::string> columns;
  bool is_text = false;  ///< aligned at the left, not as numbers
};

/// Invariant: each row has one value per column, over all groups.
struct Table {
  std::vector<ColumnGroup> groups;
  std::vector<TableBlock> blocks;
  std::string labels{};  ///< the name of the labels' column
  /// Least widths in text, in characters: tables of two machines line up.
  std::size_t label_width = 0;
  std::size_t value_width = 1;
};

/// A name and its text: a fact ("MTTF", "24 hours"), or a word and its meaning.
struct Entry {
  std::string name;
  std::string text;
};

struct PartContent;

/// A part of a document. Parts may hold parts, so the content is defined below.
struct DocumentPart {
  /// Formats that show the part: text and page, text only, page only.
  enum class For { kAll, kText, kPage };

  template <typename Kind>
  DocumentPart(Kind kind, For shown_in = For::kAll);

  std::shared_ptr<const PartContent> content;
  For shown;
};

// The parts of a document, from top to bottom.

/// Begins a section, with an anchor on a page.
struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

/// The main results, a sentence or two per line.
struct Verdict {
  std::vector<std::string> lines;
};

/// A warning about everything below. An empty text is not shown.
struct Caution {
  std::string text;
};

/// A spec, a command or a file, on lines of its own.
struct Verbatim {
  std::string text;
};

/// Preformatted lines, such as a drawing of characters. Empty lines are not shown.
struct Drawn {
  std::string lines;
};

/// Names and values, a line each.
struct Facts {
  std::vector<Entry> entries;

  void add(std::string name, std::string text) {
    entries.push_back({std::move(name), std::move(text)});
  }
};

/// A list of sentences below a line. Not shown without items.
struct Bullets {
  std::string line;
  std::vector<std::string> items;
};

/// Meanings of words. A page folds them; on paper they are at the end.
struct Glossary {
  std::string line;
  std::vector<Entry> entries;  ///< an entry without a name is a paragraph
};

/// Pictures side by side if there is room, with a common legend. Text shows only `beside`.
struct Pictures {
  std::vector<Picture> pictures;
  std::vector<LegendEntry> legend{};
  /// Parts in the place of one more small picture; may be empty.
  std::vector<DocumentPart> beside{};
  bool is_wide = false;  ///< each picture has the whole width
};

/// Parts that a page folds below `line`. Text shows them unfolded; without any, it omits `line`.
struct Fold {
  std::string line;
  bool is_open;
  std::vector<DocumentPart> parts;
};

/// A part in one of its kinds.
struct PartContent {
  std::variant<Heading, Paragraph, Verdict, Caution, Verbatim, Drawn, Facts, Bullets, Glossary,
               Table, Pictures, Fold>
      kind;
};

template <typename Kind>
DocumentPart::DocumentPart(Kind kind, For shown_in)
    : content(std::make_shared<PartContent>(PartContent{std::move(kind)})), shown(shown_in) {}

struct Document {
  std::string title;
  /// All facts for programs: {"format": "xorloom-…", "version": N, …}.
  Json data;
  std::vector<DocumentPart> parts{};

  template <typename Kind>
  void add(Kind kind, DocumentPart::For shown = DocumentPart::For::kAll) {
    parts.emplace_back(std::move(kind), shown);
  }
};

}  // namespace xorloom::cli
