#include "cli/document/html_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

/// The most characters of a part of a spec that fit the width of a phone.
constexpr std::size_t kMostUnbroken = 32;

// Three small charts of 364 pixels fit side by side in 1216; a phone shows one per row.
constexpr const char* kStyle =
    ":root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; "
    "--page: #fff; --clear: #fff0; --wash: #f6f8fa; --link: #0757ba; --shade: #1f232838; "
    "--amber: #bf8700; --warm: #fff8c5 }\n"
    "@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; "
    "--line: #3d444d; --page: #0d1117; --clear: #0d111700; --wash: #151b23; --link: #6cb6ff; "
    "--shade: #9198a166; --amber: #d29922; --warm: #2b2111 } }\n"
    "* { box-sizing: border-box }\n"
    "body { margin: 0 auto; padding: 1rem; max-width: 78rem; background: var(--page); "
    "color: var(--ink); font: 16px/1.45 system-ui, sans-serif }\n"
    "a { color: var(--link) }\n"
    "h1 { font-size: 1.4rem; margin: 0 0 .25rem }\n"
    "h2 { font-size: 1.15rem; margin: 1.25rem 0 .5rem; scroll-margin-top: .5rem }\n"
    "p { max-width: 46rem; margin: .5rem 0 }\n"
    "code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }\n"
    "code.whole { white-space: nowrap } code.whole wbr { white-space: normal }\n"
    "nav { font-size: .85rem; color: var(--soft); margin: .25rem 0 .75rem }\n"
    "nav a { margin-right: .9rem; white-space: nowrap }\n"
    ".verdict { list-style: none; margin: .5rem 0 1rem; padding: 0 }\n"
    ".verdict li { padding: .35rem .75rem; border-left: 4px solid var(--link); "
    "background: var(--wash); margin: .25rem 0; overflow-wrap: anywhere }\n"
    ".caution { max-width: none; padding: .35rem .75rem; border-left: 4px solid var(--amber); "
    "background: var(--warm) }\n"
    ".charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22.75rem), "
    "1fr)); gap: .5rem 1.5rem; margin: .75rem 0 }\n"
    ".beside { border-left: 1px solid var(--line); padding-left: 1rem; align-self: start } "
    ".beside p { font-size: .9rem } .beside p + p { font-size: .8rem }\n"
    "figure { margin: 0 0 1rem; min-width: 0 } .charts figure { margin: 0 }\n"
    "figcaption { font-weight: 600; font-size: .95rem }\n"
    ".legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .5rem "
    "0; padding: 0; font-size: .85rem }\n"
    ".legend li { display: flex; align-items: center; gap: .4rem; overflow-wrap: anywhere }\n"
    ".legend svg { flex: none }\n"
    ".note { font-size: .85rem; color: var(--soft); margin: .25rem 0 }\n"
    // Each end of the box has a shadow below a cover. The cover scrolls with the content, so the
    // shadow appears only if content is hidden at that end.
    ".wide { overflow-x: auto; margin: .25rem 0; background: "
    "linear-gradient(to right, var(--page) 1.5rem, var(--clear)) 0 0 / 3rem 100% no-repeat local, "
    "linear-gradient(to left, var(--page) 1.5rem, var(--clear)) 100% 0 / 3rem 100% no-repeat "
    "local, "
    "linear-gradient(to right, var(--shade), var(--clear)) 0 0 / .5rem 100% no-repeat, "
    "linear-gradient(to left, var(--shade), var(--clear)) 100% 0 / .5rem 100% no-repeat }\n"
    ".wide svg { display: block }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem }\n"
    "th, td { padding: .1rem .55rem; text-align: right; border-bottom: 1px solid var(--line) }\n"
    "td { white-space: nowrap }\n"
    "td.left { text-align: left }\n"
    "td.text { text-align: left; white-space: normal; overflow-wrap: anywhere }\n"
    "tbody th { text-align: left; font-weight: 400; position: sticky; left: 0; "
    "background: var(--page); min-width: 9rem }\n"
    "thead td { position: sticky; left: 0; background: var(--page); text-align: left; "
    "vertical-align: bottom }\n"
    "thead th { vertical-align: bottom; font-weight: 600; min-width: 3.25rem; "
    "max-width: 15rem; overflow-wrap: break-word }\n"
    "thead th.left { text-align: left }\n"
    "thead th.group { text-align: left; max-width: none; overflow-wrap: anywhere }\n"
    "th.group span { display: inline-block; max-width: min(40rem, 60vw) }\n"
    ".first { border-left: 1px solid var(--line) }\n"
    "tr.head th { font-weight: 600; padding-top: 1rem }\n"
    "tr.head th { position: static; background: none }\n"
    "tr.head span { display: inline-block; max-width: min(40rem, 82vw); position: sticky; "
    "left: .4rem }\n"
    "th.in1 { padding-left: 1.5rem } th.in2 { padding-left: 2.5rem }\n"
    "details { margin: .5rem 0 } summary { cursor: pointer } .paper { display: none }\n"
    "dt { font-weight: 600 } dd { margin: 0 0 .35rem 1.5rem }\n"
    "dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem } "
    ".facts dt { font-weight: 400; color: var(--soft) } .facts dd { margin: 0 }\n"
    "@media (min-width: 40rem) { .short tbody th { white-space: nowrap } "
    ".short tr.head th { white-space: normal } }\n"
    "@media screen and (max-width: 30rem) { body { padding: .75rem } table { font-size: .8rem } "
    "th, td { padding: .15rem .4rem } tbody th { min-width: 7rem } thead th { min-width: 3rem } "
    "th.in1 { padding-left: .8rem } th.in2 { padding-left: 1.4rem } }\n"
    "@media print { body { max-width: none; padding: 0; font-size: 11px } nav { display: none } "
    ".wide { overflow: visible; background: none } .keep { break-inside: avoid } "
    "tbody th, thead td { position: static; background: none } .wide svg { max-width: 100%; "
    "height: auto; max-height: 15cm } details .wide svg { zoom: .8 } "
    ".charts figure:only-child { grid-column: 1 / -1 } "
    ".charts figure:only-child svg { max-width: 14.6rem } "
    ".wide + .note, .wide + .legend { break-before: avoid } "
    ".screen { display: none } .paper { display: block } "
    "h1 { font-size: 1.2rem } h2 { font-size: 1rem } figcaption { font-size: .7rem } "
    ".legend, .note, table, .beside p, .beside p + p { font-size: .65rem } .legend svg { width: "
    "16px } "
    ".charts { grid-template-columns: repeat(3, 1fr); gap: .5rem } "
    "figure, tr, .verdict li { break-inside: avoid } h2, summary, figcaption "
    "{ break-after: avoid } details:not([open]) { display: none } summary::marker { content: '' } "
    "h2 + p, p.before, .legend { break-after: avoid } "
    "th, td { padding: .05rem .3rem } thead th { min-width: 0 } h2 { "
    "margin-top: 1rem } .hint { display: none } }\n";

/// True if `word` is an option or a spec.
bool is_code(std::string_view word) {
  if (word.starts_with("--")) return word.size() > 2;
  const std::size_t colon = word.find(':');
  return colon != 0 && colon != std::string_view::npos && word.find('=', colon) < word.size();
}

/// Text as HTML, with options and specs marked as code. A number and its % stay on one line.
std::string with_code(const std::string& text) {
  std::string html;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, to - from);
    const std::string code = word.substr(0, word.find_last_not_of(".,;:)") + 1);
    html += is_code(code) ? spec_code(code) + escaped(word.substr(code.size())) : escaped(word);
    if (to < text.size()) html += text.compare(to + 1, 1, "%") == 0 ? "\u00a0" : " ";
    from = to + 1;
  }
  return html;
}

std::string legend_list(std::span<const LegendEntry> entries) {
  if (entries.empty()) return "";
  std::string html = "<ul class=\"legend\">\n";
  for (const LegendEntry& entry : entries) {
    html += fmt::format("<li>{}<span>{}</span></li>\n", inline_sample(entry), escaped(entry.name));
  }
  return html + "</ul>\n";
}

std::string note_of(const char* style, std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", style, escaped(text));
}

/// True if the picture had to shrink below kLeastScale to fit a page of paper. Units: CSS pixels.
bool is_too_large_for_paper(const Picture& picture) {
  constexpr double kPaperWidth = 718;
  constexpr double kPaperHeight = 567;
  constexpr double kLeastScale = 0.5;
  const std::size_t width = picture.drawn_width == 0 ? picture.width : picture.drawn_width;
  return static_cast<double>(width) * kLeastScale > kPaperWidth ||
         static_cast<double>(picture.height) * kLeastScale > kPaperHeight;
}

/// HTML of a picture without its head.
std::string content_of(const Picture& picture) {
  std::string all = fmt::format("<div class=\"wide\">\n{}</div>\n{}{}{}", inline_svg(picture),
                                legend_list(picture.legend), note_of("note", picture.note),
                                note_of("note hint", picture.hint));
  if (!is_too_large_for_paper(picture)) return all;
  return fmt::format(
      "<div class=\"screen\">\n{}</div>\n{}", all,
      note_of("note paper", "Paper is too small for this picture: see it on a screen."));
}

std::string figure_of(const Picture& picture) {
  const std::string head =
      picture.head.empty() ? ""
                           : fmt::format("<figcaption>{}</figcaption>\n", escaped(picture.head));
  return fmt::format("<figure>{}{}</figure>\n", head, content_of(picture));
}

/// Text as HTML with each word marked as code by spec_code().
std::string verbatim_html(const std::string& text) {
  std::string html;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find_first_of(" \n", from), text.size());
    html += spec_code(text.substr(from, to - from));
    if (to < text.size()) html += text[to] == '\n' ? "<br>\n" : " ";
    from = to + 1;
  }
  return html;
}

std::string entries_html(std::span<const Entry> entries) {
  std::string html;
  bool is_list = false;
  for (const Entry& entry : entries) {
    if (is_list == entry.name.empty()) {
      html += is_list ? "</dl>\n" : "<dl>\n";
      is_list = !is_list;
    }
    const std::string text = with_code(entry.text);
    html += entry.name.empty() ? fmt::format("<p>{}</p>\n", text)
                               : fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(entry.name), text);
  }
  return is_list ? html + "</dl>\n" : html;
}

/// Anchor for a heading: "all-figures" for "All figures".
std::string anchor_of(const std::string& text) {
  std::string anchor;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      anchor += static_cast<char>(std::tolower(letter));
    } else if (!anchor.empty() && anchor.back() != '-') {
      anchor += '-';
    }
  }
  return anchor;
}

}  // namespace

std::string breakable(const std::string& text) {
  std::string html;
  for (const char c : text) {
    html += escaped(std::string_view(&c, 1));
    if (c == ',' || c == '+') html += "<wbr>";
  }
  return html;
}

std::string spec_code(const std::string& spec) {
  std::size_t longest = 0;
  for (std::size_t from = 0; from < spec.size();) {
    const std::size_t to = std::min(spec.find_first_of(",+", from), spec.size());
    longest = std::max(longest, to - from);
    from = to + 1;
  }
  return fmt::format("<code{}>{}</code>", longest <= kMostUnbroken ? " class=\"whole\"" : "",
                     breakable(spec));
}

void HtmlPage::heading(const std::string& text) {
  std::string anchor = anchor_of(text);
  const auto is_taken = [&](const Heading& heading) { return heading.anchor == anchor; };
  while (anchor.empty() || std::ranges::any_of(headings_, is_taken)) {
    anchor += fmt::format("-{}", headings_.size() + 1);
  }
  body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", anchor, escaped(text));
  headings_.push_back({text, anchor});
}

void HtmlPage::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", with_code(text));
}

void HtmlPage::caution(const std::string& text) {
  if (text.empty()) return;
  body_ += fmt::format("<p class=\"caution\"><strong>Caution:</strong> {}</p>\n", with_code(text));
}

void HtmlPage::verdict(std::span<const std::string> lines) {
  body_ += "<ul class=\"verdict\">\n";
  for (const std::string& line : lines) body_ += fmt::format("<li>{}</li>\n", with_code(line));
  body_ += "</ul>\n";
}

void HtmlPage::verbatim(const std::string& text) {
  body_ += fmt::format("<p class=\"spec\">{}</p>\n", verbatim_html(text));
}

void HtmlPage::facts(std::span<const Entry> entries) {
  body_ += "<dl class=\"facts\">\n";
  for (const Entry& entry : entries) {
    body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(entry.name), with_code(entry.text));
  }
  body_ += "</dl>\n";
}

void HtmlPage::bullets(const std::string& line, std::span<const std::string> items) {
  if (items.empty()) return;
  if (!line.empty()) body_ += fmt::format("<p class=\"before\">{}</p>\n", escaped(line));
  body_ += "<ul class=\"note\">\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", with_code(item));
  body_ += "</ul>\n";
}

void HtmlPage::legend(std::span<const LegendEntry> entries) { body_ += legend_list(entries); }

void HtmlPage::picture(const Picture& picture) { body_ += figure_of(picture); }

void HtmlPage::begin_charts(std::span<const Picture> pictures) {
  body_ += "<div class=\"charts\">\n";
  for (const Picture& picture : pictures) body_ += figure_of(picture);
}

void HtmlPage::content(const Picture& picture) { body_ += content_of(picture); }

void HtmlPage::begin_fold(const std::string& line, bool is_open) {
  body_ += fmt::format("<details{}><summary>{}</summary>\n", is_open ? " open" : "", escaped(line));
}

void HtmlPage::words(const std::string& line, std::span<const Entry> entries) {
  const std::string html = entries_html(entries);
  body_ += fmt::format("<details class=\"screen\"><summary>{}</summary>\n{}</details>\n",
                       escaped(line), html);
  at_end_ += fmt::format("<div class=\"paper\"><h2>{}</h2>\n{}</div>\n", escaped(line), html);
}

std::string HtmlPage::contents() const {
  if (headings_.size() < 2) return "";
  std::string html = "<nav aria-label=\"Contents\">";
  for (const Heading& heading : headings_) {
    html += fmt::format("<a href=\"#{}\">{}</a> ", heading.anchor, escaped(heading.text));
  }
  return html + "</nav>\n";
}

std::string HtmlPage::text() const {
  const std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{3}{4}{5}"
      "</body>\n</html>\n",
      escaped(title_), kStyle, picture_style(), contents(), body_, at_end_);
  // Names may have bytes that are not UTF-8.
  return Json::parse(Json(page).dump(-1, Json::Strings::kReplaced)).text();
}

}  // namespace xorloom::cli
