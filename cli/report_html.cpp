#include "cli/paper_figure.hpp"
#include "cli/report.hpp"

namespace xorloom::cli {

std::string report_html(const Report& report) { return "<pre>" + report_table(report) + "</pre>"; }

std::string figure_html(const std::vector<FigurePart>& parts) {
  return "<pre>" + figure_table(parts) + "</pre>";
}

}  // namespace xorloom::cli
