#include "cli/shell/html_page.hpp"

#include <fmt/format.h>

namespace xorloom::cli {
namespace {

constexpr const char* kStyle =
    ":root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; "
    "--page: #fff; --wash: #f6f8fa }\n"
    "@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; "
    "--line: #3d444d; --page: #0d1117; --wash: #151b23 } }\n"
    "body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--page); "
    "color: var(--ink); font: 16px/1.5 system-ui, sans-serif }\n"
    "h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.5rem }\n"
    "p { max-width: 46rem } code { overflow-wrap: anywhere }\n"
    ".wide { overflow-x: auto; margin: 1rem 0 }\n"
    ".wide svg { display: block }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem }\n"
    "th, td { padding: .15rem .75rem; text-align: right; border-bottom: 1px solid var(--line) }\n"
    "th:first-child { text-align: left; font-weight: 400; position: sticky; left: 0; "
    "background: var(--page); min-width: 9rem }\n"
    "thead th { vertical-align: bottom; font-weight: 600; min-width: 4.5rem; "
    "max-width: 11rem; overflow-wrap: break-word }\n"
    "tr.head th { font-weight: 600; padding-top: 1.2rem }\n"
    ".in1 { padding-left: 1.5rem !important } .in2 { padding-left: 2.5rem !important }\n"
    "details { margin: .75rem 0 } summary { cursor: pointer }\n"
    "@media screen and (max-width: 30rem) { table { font-size: .8rem } "
    "th, td { padding: .15rem .4rem } th:first-child { min-width: 7rem } "
    "thead th { min-width: 3.5rem } .in1 { padding-left: .8rem !important } "
    ".in2 { padding-left: 1.4rem !important } }\n"
    "@media print { body { max-width: none; font-size: 11px } .wide { overflow: visible } "
    ".wide svg { max-width: 100%; height: auto } h2, summary { break-after: avoid } "
    "tr { break-inside: avoid } }\n";

}  // namespace

void HtmlPage::heading(const std::string& text) {
  body_ += fmt::format("<h2>{}</h2>\n", escaped(text));
}

void HtmlPage::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", escaped(text));
}

void HtmlPage::picture(const Picture& picture) {
  body_ += fmt::format("<div class=\"wide\">\n{}</div>\n", inline_svg(picture));
}

void HtmlPage::foldable(const std::string& line, const Picture& picture, bool is_open) {
  body_ +=
      fmt::format("<details{}><summary>{}</summary>\n<div class=\"wide\">\n{}</div></details>\n",
                  is_open ? " open" : "", escaped(line), inline_svg(picture));
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{3}</body>\n"
      "</html>\n",
      escaped(title_), kStyle, picture_style(), body_);
}

}  // namespace xorloom::cli
