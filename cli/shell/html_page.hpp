#pragma once

#include <string>

#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// An HTML page that loads nothing and runs nothing: parts below each other, good on narrow
/// screens, in the dark and on paper.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  void heading(const std::string& text);
  void paragraph(const std::string& text);

  /// As it is; it is HTML already.
  void raw(const std::string& html) { body_ += html; }

  /// Scrolls where it is wider than the screen.
  void picture(const Picture& picture);

  /// One under a line that folds and opens it.
  void foldable(const std::string& line, const Picture& picture, bool is_open);

  /// The whole page.
  std::string text() const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace xorloom::cli
