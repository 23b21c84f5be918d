#pragma once

#include <cstddef>
#include <string>

namespace xorloom {

// What all pictures of arrays share: lines of SVG, and the page around them. Colors are washes over
// whatever lies below, so that they do in the light, in the dark and on paper; nothing is loaded.

/// Neither light nor dark.
inline constexpr const char* kGrey = "#8b949e";

/// Pixels around a page, and above what is below its heading.
inline constexpr std::size_t kPageMargin = 16;
inline constexpr std::size_t kPageHeadHeight = 40;

class Drawing {
 public:
  void line(const std::string& text) { text_ += text + '\n'; }

  /// Text of one of the styles of a page: head, title, note, name, letter, target.
  void text(std::size_t x, std::size_t y, const char* style, const std::string& content);

  const std::string& so_far() const { return text_; }

 private:
  std::string text_;
};

/// A whole SVG: a heading, what is drawn, and a note at the bottom.
std::string svg_page(std::size_t width, std::size_t height, const std::string& head,
                     const std::string& note, const Drawing& drawing);

}  // namespace xorloom
