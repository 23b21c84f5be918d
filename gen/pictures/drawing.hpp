#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

// Parts that all pictures share: lines of SVG, and the page around them. A picture is a file of its
// own, or one of several in an HTML page. It loads nothing and runs nothing, no part of it has an
// id, every class begins with xl-, and one style defines its looks. It is dark if the reader's
// other pages are, and light on paper.

/// Pixels of the margin around a page, and of the height of its heading.
inline constexpr std::size_t kPageMargin = 16;
inline constexpr std::size_t kPageHeadHeight = 40;

/// Pixels from one line of a note below a picture to the next.
inline constexpr std::size_t kNoteLine = 18;

/// Pixels of a letter of a heading, and of a note.
inline constexpr std::size_t kHeadLetter = 10;
inline constexpr std::size_t kNoteLetter = 7;

/// Number of colors. They can be told apart in the light, in the dark and with color blindness. The
/// class xl-0 to xl-7 of a part of a picture sets its currentColor.
inline constexpr std::size_t kInks = 8;

/// Class of a color: "xl-3". Numbers from kInks on repeat the colors.
std::string ink(std::size_t number);

/// Escapes a text for an element or an attribute: &lt; for <, and so on.
std::string escaped(std::string_view content);

/// Throws kInvalidArgument if `number` of `what` exceeds `most`.
void check_most(const char* what, std::size_t number, std::size_t most);

/// Upper bound of the width of a text in pixels: `letter` pixels for each UTF-8 character.
std::size_t text_width(std::string_view text, std::size_t letter);

/// A number of pixels, whole or not.
struct Pixels {
  template <typename Number>
  Pixels(Number number) : value(static_cast<double>(number)) {}
  double value;
};

// Elements of SVG. Their styles are the classes without xl-, with spaces between them. A title is
// shown if the element is pointed at; "": no title.

/// A path. `attributes` are others than its class, such as stroke-width="2".
std::string path(std::string_view styles, std::string_view way, std::string_view title = {},
                 std::string_view attributes = {});

/// A rectangle. round: the radius of its corners, 0 for sharp ones.
std::string rect(std::string_view styles, Pixels x, Pixels y, Pixels width, Pixels height,
                 Pixels round = 0);

/// Start of a part in an ink, at which the keyboard stops. The part ends with </g>.
std::string stop(std::string_view style, std::size_t ink_number, std::string_view title);

/// Pixels of a sample of a legend, whose SVG has the middle of its left edge at 0, 0.
inline constexpr std::size_t kSampleWidth = 26;
inline constexpr std::size_t kSampleHeight = 14;

/// A color and its marker, and the name that they stand for.
struct LegendEntry {
  std::string name;
  std::string ink;     ///< the class of its color
  std::string sample;  ///< SVG
};

/// A picture, before it is in a file or a page. Units: pixels.
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::string head;                   ///< line above the picture
  std::string note;                   ///< lines below it, included in `height`
  std::string body;                   ///< lines of SVG
  std::vector<LegendEntry> legend{};  ///< included in neither `width` nor `height`
  /// Explains what pointing at a part shows; for pages only, since files may be images.
  std::string hint{};
  std::size_t drawn_width = 0;  ///< width without head and note, which pages wrap; 0: `width`
};

class Drawing {
 public:
  void line(const std::string& text) { text_ += text + '\n'; }

  /// Text in styles such as head, title, note, name, letter, target; small, tiny; start, end.
  void text(Pixels x, Pixels y, std::string_view styles, std::string_view content);

  /// Text that is turned around its place; -90 degrees: upright.
  void turned_text(Pixels x, Pixels y, int degrees, std::string_view styles,
                   std::string_view content);

  const std::string& so_far() const { return text_; }

  /// Picture of what is drawn so far, wide enough for its head and its note.
  Picture picture(Pixels right, Pixels bottom, const std::string& head,
                  const std::string& note) const;

  /// Picture of what is drawn so far, with `text` as the right end of head and note. Pages wrap
  /// these, and are as wide as the drawing alone.
  Picture picture(Pixels right, Pixels bottom, std::size_t text, const std::string& head,
                  const std::string& note, const std::string& hint) const;

 private:
  std::string text_;
};

/// A picture as a file of its own, with its legend on its right.
std::string svg_page(const Picture& picture);

/// A picture as an element of an HTML page, which has picture_style() in its head once. It is as
/// light or dark as the reader's other pages. The page itself shows head, legend, note and hint,
/// which can wrap there.
std::string inline_svg(const Picture& picture);

/// A sample of a legend as an element of an HTML page.
std::string inline_sample(const LegendEntry& entry);

/// CSS of all pictures: rules for elements of class xl and their contents, and for nothing else.
std::string picture_style();

/// Several pictures as one, each below the one before. Shape: at least one picture.
Picture stacked(std::span<const Picture> pictures);

}  // namespace xorloom
