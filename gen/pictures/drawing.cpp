#include "gen/pictures/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLegendLine = 20;
constexpr std::size_t kLegendGap = 20;
constexpr std::size_t kLegendLetter = 8;

// Gap between pictures that are one below the other.
constexpr std::size_t kStackGap = 24;

struct Ink {
  const char* light;
  const char* dark;
};

/// Any two differ by 15 or more in CIELAB, for eyes without red or green cones as well.
constexpr std::array<Ink, kInks> kPalette{{{"#0068d6", "#4b98fa"},
                                           {"#e07000", "#f0883e"},
                                           {"#007a5a", "#2fb88a"},
                                           {"#b83a86", "#f29bd0"},
                                           {"#6b4a00", "#f2d45c"},
                                           {"#3d9fe0", "#9ad4ff"},
                                           {"#3c1f8f", "#8257cc"},
                                           {"#8d9590", "#8b949e"}}};

// A rule per line. The last class before its brace is the one that it applies to (see rules_for).
constexpr const char* kStyle =
    ".xl:root { color-scheme: light dark }\n"
    ".xl text { font: 13px system-ui, sans-serif; fill: #1f2328; text-anchor: middle }\n"
    ".xl .xl-head { font-size: 15px; font-weight: 600; text-anchor: start }\n"
    ".xl .xl-title { font-weight: 600; text-anchor: start }\n"
    ".xl .xl-note { fill: #59636e; text-anchor: start }\n"
    ".xl .xl-name { fill: #59636e; font-size: 12px }\n"
    ".xl .xl-target { font-weight: 700 }\n"
    ".xl .xl-small { font-size: 11px }\n"
    ".xl .xl-tiny { font-size: 9px }\n"
    ".xl .xl-start { text-anchor: start }\n"
    ".xl .xl-end { text-anchor: end }\n"
    // Paper, what stands on it, and lines that lead the eye.
    ".xl .xl-page { fill: #fff }\n"
    ".xl .xl-box { fill: #fff; stroke: #8b949e }\n"
    ".xl .xl-rule { fill: none; stroke: #8b949e; stroke-opacity: .35 }\n"
    ".xl .xl-border { fill: none; stroke: #8b949e; stroke-width: 2px }\n"
    ".xl .xl-frame { fill: none; stroke: #8b949e }\n"
    ".xl .xl-band { fill: #8b949e; fill-opacity: .14 }\n"
    ".xl .xl-between { fill: #8b949e; fill-opacity: .07 }\n"
    // In the ink of the part that they are in.
    ".xl .xl-fill { fill: currentColor }\n"
    ".xl .xl-wash { fill: currentColor; fill-opacity: .2 }\n"
    ".xl .xl-on { fill: #fff }\n"
    ".xl .xl-hit { fill: currentColor; fill-opacity: 0 }\n"
    ".xl .xl-row:hover .xl-hit, .xl .xl-row:focus .xl-hit { fill-opacity: .12 }\n"
    ".xl .xl-row { outline: none }\n"
    ".xl .xl-line { fill: none; stroke: currentColor }\n"
    // Parts that are pointed at: what they are tied to stands out, and the others step back.
    ".xl .xl-tie { fill: none; stroke: currentColor; stroke-opacity: .55; pointer-events: none }\n"
    ".xl .xl-pale .xl-tie { stroke-opacity: .22 }\n"
    ".xl .xl-mark { fill: none; stroke: currentColor; stroke-width: 3; "
    "visibility: hidden; pointer-events: none }\n"
    ".xl .xl-way { fill: none; stroke: currentColor; stroke-opacity: .5 }\n"
    ".xl .xl-all:hover .xl-way, .xl .xl-all:focus-within .xl-way { stroke-opacity: .1 }\n"
    ".xl .xl-all .xl-stop:hover .xl-way, .xl .xl-all .xl-stop:focus .xl-way "
    "{ stroke-opacity: 1 }\n"
    // Boxes of a chart over time: whole, a part, and nothing.
    ".xl .xl-done { fill: currentColor; fill-opacity: .5; stroke: currentColor }\n"
    ".xl .xl-part { fill: currentColor; fill-opacity: .2; stroke: currentColor; stroke-opacity: .5 "
    "}\n"
    ".xl .xl-idle { fill: none; stroke: #8b949e; stroke-dasharray: 2 3 }\n"
    ".xl .xl-labels text { font-size: 11px; pointer-events: none }\n"
    ".xl .xl-over { pointer-events: none }\n"
    ".xl .xl-halo { stroke: #fff; stroke-width: 3px; paint-order: stroke }\n"
    ".xl .xl-stop { outline: none }\n"
    ".xl .xl-all:hover .xl-tie, .xl .xl-all:focus-within .xl-tie { stroke-opacity: .1 }\n"
    ".xl .xl-all .xl-stop:hover .xl-tie, .xl .xl-all .xl-stop:focus .xl-tie "
    "{ stroke-opacity: 1; stroke-width: 2px }\n"
    ".xl .xl-stop:hover .xl-mark, .xl .xl-stop:focus .xl-mark { visibility: visible }\n"
    ".xl .xl-stop:hover .xl-box, .xl .xl-stop:focus .xl-box "
    "{ stroke: currentColor; stroke-width: 3px }\n";

constexpr const char* kDarkStyle =
    "  .xl text { fill: #e6edf3 }\n"
    "  .xl .xl-note { fill: #9198a1 }\n"
    "  .xl .xl-name { fill: #9198a1 }\n"
    "  .xl .xl-page { fill: #0d1117 }\n"
    "  .xl .xl-on { fill: #0d1117 }\n"
    "  .xl .xl-halo { stroke: #0d1117 }\n"
    "  .xl .xl-box { fill: #0d1117 }\n"
    "  .xl .xl-done { fill-opacity: .4 }\n"
    "  .xl .xl-tie { stroke-opacity: .8 }\n"
    "  .xl .xl-pale .xl-tie { stroke-opacity: .45 }\n"
    "  .xl .xl-way { stroke-opacity: .75 }\n";

/// "xl-name xl-end" for "name end".
std::string classes_of(std::string_view styles) {
  std::string classes = "xl-";
  for (const char c : styles) {
    classes += c;
    if (c == ' ') classes += "xl-";
  }
  return classes;
}

/// The end of an opening tag, with the element's title.
std::string title_of(std::string_view title) {
  return fmt::format("><title>{}</title>", escaped(title));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

/// Moves the legend of a picture into its body, and widens it for all of its text.
Picture with_text(Picture picture) {
  Drawing drawing;
  std::size_t y = kPageMargin + kPageHeadHeight + 12;
  std::size_t longest = 0;
  const std::size_t left = picture.width - kPageMargin + kLegendGap;
  for (const LegendEntry& entry : picture.legend) {
    longest = std::max(longest, text_width(entry.name, 1));
    drawing.line(fmt::format("<g class=\"{}\" transform=\"translate({} {})\">{}</g>", entry.ink,
                             left, y, entry.sample));
    drawing.text(left + kSampleWidth + 8, y + 4, "start", entry.name);
    y += kLegendLine;
  }
  std::size_t width = picture.width;
  if (!picture.legend.empty()) {
    width = left + kSampleWidth + 8 + longest * kLegendLetter + kPageMargin;
    const std::size_t text = lines_of(picture.note).size() * kNoteLine + kPageMargin;
    picture.height = std::max(picture.height, y + text);
  }
  width = std::max(width, text_width(picture.head, kHeadLetter) + 2 * kPageMargin);
  picture.width = width;
  picture.body += drawing.so_far();
  picture.legend.clear();
  return picture;
}

/// Body of a picture with its head and its note.
std::string inner(const Picture& picture) {
  Drawing drawing;
  if (!picture.head.empty()) drawing.text(kPageMargin, kPageMargin + 14, "head", picture.head);
  std::string result = drawing.so_far() + picture.body;
  Drawing note;
  const std::vector<std::string> lines = lines_of(picture.note);
  std::size_t y = picture.height - kPageMargin + kNoteLine - lines.size() * kNoteLine;
  for (const std::string& line : lines) {
    note.text(kPageMargin, y, "note", line);
    y += kNoteLine;
  }
  return result + note.so_far();
}

/// Rules of `style` whose class occurs in `text`, and lines that are no rules.
std::string rules_for(const std::string& text, const std::string& style) {
  std::string kept;
  for (std::size_t from = 0; from < style.size();) {
    const std::size_t to = style.find('\n', from) + 1;
    const std::string rule = style.substr(from, to - from);
    const std::string selector = rule.substr(0, rule.find(" {"));
    const std::size_t at = selector.rfind(".xl-");
    const std::size_t length = selector.find_first_of(":,", at) - at;
    if (at == std::string::npos ||
        text.find(selector.substr(at + 1, length - 1)) != std::string::npos)
      kept += rule;
    from = to;
  }
  return kept;
}

/// SVG element that shows `content` from height `top` to `bottom`.
std::string svg(const Picture& picture, std::size_t width, std::size_t top, std::size_t bottom,
                const std::string& content) {
  const bool has_stops = picture.body.find(" tabindex=") != std::string::npos;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"xl\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 {2} {0} {1}\" role=\"{3}\" aria-label=\"{4}\">\n{5}</svg>\n",
      width, bottom - top, top, has_stops ? "group" : "img", escaped(picture.head), content);
}

}  // namespace

std::string ink(std::size_t number) { return fmt::format("xl-{}", number % kInks); }

std::string escaped(std::string_view content) {
  constexpr std::string_view kSpecial = "<>&\"";
  constexpr std::array kEscapes = {"&lt;", "&gt;", "&amp;", "&quot;"};
  std::string result;
  for (const char c : content) {
    const std::size_t special = kSpecial.find(c);
    if (special == std::string_view::npos) {
      result += c;
    } else {
      result += kEscapes[special];
    }
  }
  return result;
}

void check_most(const char* what, std::size_t number, std::size_t most) {
  if (number <= most) return;
  fail(Status::kInvalidArgument, "{} {} are more than the {} that a picture has", number, what,
       most);
}

std::size_t text_width(std::string_view text, std::size_t letter) {
  const auto is_first = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_first)) * letter;
}

std::string path(std::string_view styles, std::string_view way, std::string_view title,
                 std::string_view attributes) {
  return fmt::format("<path class=\"{}\"{}{} d=\"{}\"{}", classes_of(styles),
                     attributes.empty() ? "" : " ", attributes, way,
                     title.empty() ? "/>" : title_of(title) + "</path>");
}

std::string rect(std::string_view styles, Pixels x, Pixels y, Pixels width, Pixels height,
                 Pixels round) {
  return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
                     classes_of(styles), x.value, y.value, width.value, height.value,
                     round.value == 0 ? "" : fmt::format(" rx=\"{}\"", round.value));
}

std::string stop(std::string_view style, std::size_t ink_number, std::string_view title) {
  return fmt::format("<g class=\"xl-{} {}\" tabindex=\"0\"{}", style, ink(ink_number),
                     title_of(title));
}

void Drawing::text(Pixels x, Pixels y, std::string_view styles, std::string_view content) {
  line(fmt::format("<text x=\"{:.6g}\" y=\"{:.6g}\" class=\"{}\">{}</text>", x.value, y.value,
                   classes_of(styles), escaped(content)));
}

void Drawing::turned_text(Pixels x, Pixels y, int degrees, std::string_view styles,
                          std::string_view content) {
  line(fmt::format("<text transform=\"translate({:.6g} {:.6g}) rotate({})\" class=\"{}\">{}</text>",
                   x.value, y.value, degrees, classes_of(styles), escaped(content)));
}

Picture Drawing::picture(Pixels right, Pixels bottom, const std::string& head,
                         const std::string& note) const {
  std::size_t text = text_width(head, kHeadLetter);
  for (const std::string& line : lines_of(note)) {
    text = std::max(text, text_width(line, kNoteLetter));
  }
  Picture picture = this->picture(right, bottom, kPageMargin + text, head, note, "");
  picture.drawn_width = 0;
  return picture;
}

Picture Drawing::picture(Pixels right, Pixels bottom, std::size_t text, const std::string& head,
                         const std::string& note, const std::string& hint) const {
  const auto drawn = static_cast<std::size_t>(right.value);
  return {.width = std::max(drawn, text) + kPageMargin,
          .height = static_cast<std::size_t>(bottom.value) + kPageMargin,
          .head = head,
          .note = note,
          .body = text_,
          .hint = hint,
          .drawn_width = drawn + kPageMargin};
}

std::string picture_style() {
  std::string light;
  std::string dark;
  for (std::size_t i = 0; i < kInks; ++i) {
    light += fmt::format(".xl .{} {{ color: {} }}\n", ink(i), kPalette[i].light);
    dark += fmt::format("  .xl .{} {{ color: {} }}\n", ink(i), kPalette[i].dark);
  }
  return fmt::format("{}{}@media screen and (prefers-color-scheme: dark) {{\n{}{}}}\n", kStyle,
                     light, kDarkStyle, dark);
}

std::string svg_page(const Picture& picture) {
  const Picture whole = with_text(picture);
  const std::string paper = "<rect class=\"xl-page\" width=\"100%\" height=\"100%\"/>\n";
  const std::string content = paper + inner(whole);
  const std::string style = rules_for(content, picture_style());
  return svg(whole, whole.width, 0, whole.height,
             fmt::format("<style>\n{}</style>\n{}", style, content));
}

std::string inline_svg(const Picture& picture) {
  const std::size_t head = picture.head.empty() ? 0 : kPageHeadHeight;
  const std::size_t note = lines_of(picture.note).size() * kNoteLine;
  const std::size_t bottom = picture.height - (note == 0 ? 0 : note + kPageMargin / 2);
  const std::size_t width = picture.drawn_width == 0 ? picture.width : picture.drawn_width;
  return svg(picture, width, head, bottom, picture.body);
}

std::string inline_sample(const LegendEntry& entry) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"xl\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 -{2} {0} {1}\" aria-hidden=\"true\"><g class=\"{3}\">{4}</g></svg>",
      kSampleWidth, kSampleHeight, kSampleHeight / 2, entry.ink, entry.sample);
}

Picture stacked(std::span<const Picture> pictures) {
  Picture all;
  all.head = pictures.front().head;
  std::size_t top = 0;
  for (const Picture& picture : pictures) {
    Picture part = with_text(picture);
    all.width = std::max(all.width, part.width);
    if (top == 0) part.head.clear();
    all.body += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", top, inner(part));
    top += part.height + kStackGap;
  }
  all.height = top - kStackGap;
  return all;
}

}  // namespace xorloom
