#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// A code's spec, or a text with one, as HTML that may break behind its commas and pluses.
std::string breakable(const std::string& text);

/// A spec as code. It breaks nowhere else, unless a part of it is very long.
std::string spec_code(const std::string& spec);

/// An HTML page that loads nothing and runs nothing: parts below each other, good on narrow
/// screens, in the dark and on paper. What pictures say in words stands beside them as text that
/// wraps: heads, legends, notes and hints.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  /// Where a part begins: it has an anchor, and the contents at the top of the page name it.
  void heading(const std::string& text);

  /// Options and specs in it stand as code, and do not break like words.
  void paragraph(const std::string& text);

  /// What a reader should see first, a line each, as paragraphs are.
  void verdict(std::span<const std::string> lines);

  /// What casts doubt on all that stands below, as paragraphs are; nothing where it is empty.
  void caution(const std::string& text);

  /// A spec, a command or a file, each word of it whole.
  void verbatim(const std::string& text);

  /// Names and what they stand for, as a list of definitions. An entry without a name is a
  /// paragraph.
  void entries(std::span<const Entry> entries);

  /// Sentences of equal rank below a line.
  void bullets(const std::string& line, std::span<const std::string> items);

  /// As it is; it is HTML already.
  void raw(const std::string& html) { body_ += html; }

  /// A legend on its own, of several pictures.
  void legend(std::span<const LegendEntry> entries);

  /// Scrolls where it is wider than the screen, with a shadow where there is more to see. It is not
  /// printed where paper would shrink it to less than half: a sentence stands there instead.
  void picture(const Picture& picture);

  /// Side by side if there is room for it (ChartSize::kSmall), up to what may stand beside the last
  /// of them and to "</div>".
  void begin_charts(std::span<const Picture> pictures);

  /// A picture without its head.
  void content(const Picture& picture);

  /// A line that folds and opens all that follows up to "</details>".
  void begin_fold(const std::string& line, bool is_open);

  /// What words mean, under a line that is folded. On paper it stands at the end.
  void words(const std::string& line, std::span<const Entry> entries);

  /// The whole page.
  std::string text() const;

 private:
  struct Heading {
    std::string text;
    std::string anchor;
  };

  std::string contents() const;

  std::string title_;
  std::string body_;
  std::string at_end_;  ///< of paper
  std::vector<Heading> headings_;
};

}  // namespace xorloom::cli
