#include "cli/document/writers.hpp"

#include <utility>

#include "cli/document/html_page.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

template <typename Kind>
const Kind* part_of(const DocumentPart& part) {
  return std::get_if<Kind>(&part.content->kind);
}

/// Adds the verdict lines and cautions of `parts` to `data`.
void add_sentences(Json& data, const std::vector<DocumentPart>& parts) {
  for (const DocumentPart& part : parts) {
    if (const auto* verdict = part_of<Verdict>(part)) {
      for (const std::string& line : verdict->lines) data["verdict"].push_back(line);
    }
    const auto* caution = part_of<Caution>(part);
    if (caution != nullptr && !caution->text.empty()) data["cautions"].push_back(caution->text);
  }
}

/// Writes the parts that a page shows.
class PageWriter {
 public:
  explicit PageWriter(HtmlPage& page) : page_(page) {}

  void parts(const std::vector<DocumentPart>& parts) {
    for (const DocumentPart& part : parts) {
      if (part.shown != DocumentPart::For::kText)
        std::visit([this](const auto& p) { write(p); }, part.content->kind);
    }
  }

 private:
  void write(const Heading& heading) { page_.heading(heading.text); }
  void write(const Paragraph& part) { page_.paragraph(part.text); }
  void write(const Verdict& verdict) { page_.verdict(verdict.lines); }
  void write(const Caution& caution) { page_.caution(caution.text); }
  void write(const Verbatim& part) { page_.verbatim(part.text); }
  void write(const Drawn& drawn) {
    if (drawn.lines.empty()) return;
    page_.raw("<div class=\"wide\"><pre>" + escaped(drawn.lines) + "</pre></div>\n");
  }
  void write(const Facts& facts) { page_.facts(facts.entries); }
  void write(const Bullets& bullets) { page_.bullets(bullets.line, bullets.items); }
  void write(const Glossary& words) { page_.words(words.line, words.entries); }
  void write(const Table& table) { page_.raw(html_table(table)); }
  void write(const Pictures& pictures) {
    page_.legend(pictures.legend);
    if (pictures.is_wide) {
      for (const Picture& picture : pictures.pictures) page_.picture(picture);
      return parts(pictures.beside);
    }
    page_.begin_charts(pictures.pictures);
    if (!pictures.beside.empty()) {
      page_.raw("<div class=\"beside\">\n");
      parts(pictures.beside);
      page_.raw("</div>\n");
    }
    page_.raw("</div>\n");
  }
  void write(const Fold& fold) {
    page_.begin_fold(fold.line, fold.is_open);
    // A single picture has no head of its own below the line of the fold.
    const auto* only = fold.parts.size() == 1 ? part_of<Pictures>(fold.parts.front()) : nullptr;
    if (only != nullptr && only->pictures.size() == 1) {
      page_.content(only->pictures.front());
    } else {
      parts(fold.parts);
    }
    page_.raw("</details>\n");
  }

  HtmlPage& page_;
};

}  // namespace

std::string json_of(const Document& document) {
  Json data = document.data;
  add_sentences(data, document.parts);
  return data.dump(2, Json::Strings::kReplaced) + "\n";
}

std::string html_of(const Document& document) {
  HtmlPage page(document.title);
  PageWriter(page).parts(document.parts);
  return page.text();
}

std::string svg_of(const Document& document) {
  std::vector<Picture> all;
  for (const DocumentPart& part : document.parts) {
    const auto* pictures = part_of<Pictures>(part);
    if (pictures == nullptr) continue;
    for (Picture picture : pictures->pictures) {
      picture.legend.insert(picture.legend.begin(), pictures->legend.begin(),
                            pictures->legend.end());
      all.push_back(std::move(picture));
    }
  }
  if (all.empty()) {
    fail(Status::kUnsupported, "there is nothing to draw here: take --format table or html");
  }
  return svg_page(stacked(all));
}

std::string written(const Document& document, const std::string& format) {
  if (format == "json") return json_of(document);
  if (format == "html") return html_of(document);
  return format == "svg" ? svg_of(document) : text_of(document);
}

}  // namespace xorloom::cli
