#include "gen/drawing.hpp"

#include <fmt/format.h>

namespace xorloom {
namespace {

constexpr const char* kStyle =
    "text { font: 13px system-ui, sans-serif; fill: #1f2328; text-anchor: middle }\n"
    ".head { font-size: 15px; font-weight: 600; text-anchor: start }\n"
    ".title { font-weight: 600; text-anchor: start }\n"
    ".note { fill: #59636e; text-anchor: start }\n"
    ".name { fill: #59636e; font-size: 12px }\n"
    ".target { font-weight: 700 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  text { fill: #e6edf3 }\n"
    "  .note { fill: #9198a1 }\n"
    "  .name { fill: #9198a1 }\n"
    "}\n";

std::string escaped(const std::string& content) {
  std::string result;
  for (const char c : content) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

void Drawing::text(std::size_t x, std::size_t y, const char* style, const std::string& content) {
  line(
      fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>", x, y, style, escaped(content)));
}

std::string svg_page(std::size_t width, std::size_t height, const std::string& head,
                     const std::string& note, const Drawing& drawing) {
  Drawing page;
  page.line(
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                  "viewBox=\"0 0 {0} {1}\" role=\"img\">",
                  width, height));
  page.line(fmt::format("<style>\n{}</style>", kStyle));
  page.text(kPageMargin, kPageMargin + 14, "head", head);
  page.line(drawing.so_far());
  page.text(kPageMargin, height - kPageMargin, "note", note);
  page.line("</svg>");
  return page.so_far();
}

}  // namespace xorloom
