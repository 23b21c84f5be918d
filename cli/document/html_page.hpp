#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// Text as HTML that may break behind commas and pluses, for specs.
std::string breakable(const std::string& text);

/// A spec as HTML code. It breaks only behind commas and pluses, unless a part of it is very long.
std::string spec_code(const std::string& spec);

/// A table as HTML, in a box of its own that scrolls on narrow screens. Labels break if the screen
/// is narrow, or if one of them is long.
std::string html_table(const Table& table);

/// A self-contained HTML page without scripts. It suits narrow screens, dark mode and paper. Heads,
/// legends, notes and hints of pictures are HTML text that wraps, not parts of the pictures.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  /// Begins a section, with an anchor and an entry in the contents at the top of the page.
  void heading(const std::string& text);

  /// Adds a paragraph. Options and specs in `text` are marked as code.
  void paragraph(const std::string& text);

  /// Adds the main results as a list, with code marked as in paragraphs.
  void verdict(std::span<const std::string> lines);

  /// Adds a warning, with code marked as in paragraphs. Does nothing if `text` is empty.
  void caution(const std::string& text);

  /// Adds a spec, a command or a file as code whose words do not break.
  void verbatim(const std::string& text);

  /// Adds names with their values beside them.
  void facts(std::span<const Entry> entries);

  /// Adds a list of sentences below a line. Does nothing without `items`.
  void bullets(const std::string& line, std::span<const std::string> items);

  /// Adds HTML as it is.
  void raw(const std::string& html) { body_ += html; }

  /// Adds a common legend of several pictures.
  void legend(std::span<const LegendEntry> entries);

  /// Adds a picture with its head. If the picture is wider than the screen, it scrolls, with a
  /// shadow at the hidden side. If paper would shrink it to less than half, a sentence is printed
  /// instead.
  void picture(const Picture& picture);

  /// Begins small pictures (ChartSize::kSmall), side by side if there is room. The caller may add
  /// HTML for the next place, and must add "</div>".
  void begin_charts(std::span<const Picture> pictures);

  /// Adds a picture without its head.
  void content(const Picture& picture);

  /// Begins a fold below `line`; the caller must add "</details>".
  void begin_fold(const std::string& line, bool is_open);

  /// Adds explanations of words, folded below `line`. On paper they are at the end.
  void words(const std::string& line, std::span<const Entry> entries);

  /// The complete HTML document.
  std::string text() const;

 private:
  struct Heading {
    std::string text;
    std::string anchor;
  };

  std::string contents() const;  ///< links to the headings; empty for fewer than two

  std::string title_;
  std::string body_;
  std::string at_end_;  ///< HTML shown at the end, on paper only
  std::vector<Heading> headings_;
};

}  // namespace xorloom::cli
