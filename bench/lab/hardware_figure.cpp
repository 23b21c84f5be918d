#include "cli/report/hardware_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cli/document/html_page.hpp"
#include "cli/report/paper_figure.hpp"
#include "cli/shell/help.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "gen/pictures/hardware_svg.hpp"
#include "gen/text/code_comment.hpp"
#include "gen/verilog/xor_engines.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kTitle = "Hardware for coding, after figure 4 of the paper";
constexpr std::size_t kLargestK = 32;

/// The engines and XOR gates per lane of equations, as `emit --unit engines` writes them.
std::pair<std::size_t, std::size_t> engines_and_gates(const Program& program) {
  const XorEngines engines = xor_engines("", program);
  return {engines.equations.size(), num_gates(engines)};
}

/// What the hardware of the code has, and what it takes.
std::string sentence_of_code(const HardwareFigure& figure) {
  const std::size_t rows = figure.code.redundant.size();
  const std::size_t columns = figure.code.data.size();
  const std::size_t side = figure.model.multiplier_side;
  const auto [engines, no_gates] = engines_and_gates(figure.direct);
  const auto [shared, gates] = engines_and_gates(figure.shared);
  return fmt::format(
      "{}: {} x {} multipliers compute a word of {} + {} symbols in {}. As XOR engines, {} compute "
      "a stripe in {}. In the shared form there are {}, and {} per lane.",
      figure.code.name(), side, side, columns, rows,
      plural(array_clocks(columns, rows, side, side), "clock"), plural(engines, "engine"),
      plural(figure.direct.inputs.size(), "clock"), plural(shared, "engine"),
      plural(gates, "XOR gate"));
}

std::string legend(const HardwareFigure& figure) {
  const PaperModel& model = figure.model;
  return fmt::format(
      "clocks: ceil(k/{0}) ceil(m/{0}), what xorloom emit --unit coprocessor takes per word. It "
      "adds tiles up in place. C_FPGA: the paper's ceil(k/{0}) ceil(m/{0}) {1} + (ceil(k/{0}) - 1) "
      "m, in processor steps of one XOR. array: clocks times {1}, without the second term.",
      model.multiplier_side, model.slower_clock);
}

struct Part {
  const char* heading;
  std::optional<Picture> picture;  ///< none where it has no room for the code
};

std::vector<Part> parts_of(const HardwareFigure& figure) {
  return {
      {"The coprocessor", draw_coprocessor(figure.code.data.size(), figure.code.redundant.size())},
      {"XOR engines", draw_xor_engines(figure.direct)},
      {"XOR engines in the shared form", draw_xor_engines(figure.shared)}};
}

std::string rows_of_table(const PaperModel& model) {
  std::string text = fmt::format("{:7}", "");
  for (const std::size_t m : kPaperParts) text += fmt::format("{:>24}", fmt::format("m = {}", m));
  text += fmt::format("\n{:>7}", "k");
  for (std::size_t i = 0; i < kPaperParts.size(); ++i) {
    text += fmt::format("{:>8}{:>8}{:>8}", "clocks", "C_FPGA", "array");
  }
  text += '\n';
  const std::size_t side = model.multiplier_side;
  for (std::size_t first = 1; first <= kLargestK; first += side) {
    const std::size_t last = std::min(first + side - 1, kLargestK);
    text += fmt::format(
        "{:>7}", first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    for (const std::size_t m : kPaperParts) {
      text += fmt::format("{:>8}{:>8.5g}{:>8.5g}", array_clocks(last, m, side, side),
                          fpga_cost(last, m, model), measured_fpga_cost(last, m, model));
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string hardware_figure_table(const HardwareFigure& figure) {
  return fmt::format("{}\n\n{}\n{}\n{}\n", kTitle, rows_of_table(figure.model),
                     wrapped(legend(figure), 0), wrapped(sentence_of_code(figure), 0));
}

std::string hardware_figure_json(const HardwareFigure& figure) {
  const PaperModel& model = figure.model;
  const auto engines = [](const Program& program) {
    const auto [number, gates] = engines_and_gates(program);
    return Json{{"engines", number}, {"gates", gates}, {"clocks", program.inputs.size()}};
  };
  const std::size_t side = model.multiplier_side;
  Json json{
      {"format", "xorloom-paper-figure"},
      {"version", 1},
      {"figure", 4},
      {"slower_clock", model.slower_clock},
      {"multiplier_side", side},
      {"code", figure.code.spec},
      {"clocks", array_clocks(figure.code.data.size(), figure.code.redundant.size(), side, side)},
      {"direct", engines(figure.direct)},
      {"shared", engines(figure.shared)},
      {"parts", Json::array()}};
  for (const std::size_t m : kPaperParts) {
    Json points = Json::array();
    for (std::size_t k = 1; k <= kLargestK; ++k) {
      points.push_back({{"k", k},
                        {"clocks", array_clocks(k, m, side, side)},
                        {"fpga", fpga_cost(k, m, model)},
                        {"measured_fpga", measured_fpga_cost(k, m, model)}});
    }
    json["parts"].push_back({{"m", m}, {"points", std::move(points)}});
  }
  return json.dump(2) + "\n";
}

std::string hardware_figure_html(const HardwareFigure& figure) {
  HtmlPage page(kTitle);
  for (const Part& part : parts_of(figure)) {
    if (!part.picture) continue;
    page.heading(part.heading);
    page.picture(*part.picture);
  }
  page.heading("Clocks per word");
  page.raw(fmt::format("<div class=\"wide\"><pre>{}</pre></div>\n",
                       escaped(rows_of_table(figure.model))));
  page.paragraph(legend(figure));
  page.paragraph(sentence_of_code(figure));
  return page.text();
}

std::string hardware_figure_svg(const HardwareFigure& figure) {
  std::vector<Picture> all;
  for (const Part& part : parts_of(figure)) {
    if (part.picture) all.push_back(*part.picture);
  }
  if (all.empty()) {
    fail(Status::kUnsupported,
         fmt::format("{} is too large for a picture: there is room for {} + {} symbols, and for "
                     "engines of {} equations over {} elements",
                     figure.code.name(), kMostDrawnMultipliers, kMostDrawnMultipliers,
                     kMostDrawnEngines, kMostDrawnEngines));
  }
  return svg_page(stacked(all));
}

}  // namespace xorloom::cli
