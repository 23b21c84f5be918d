#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "bench/lab/hardware_svg.hpp"
#include "bench/lab/paper_figure.hpp"
#include "cli/document/figures.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "gen/verilog/xor_engines.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kTitle = "Hardware for coding, after figure 4 of the paper";

/// Engines, and XOR gates per lane, of the hardware that `emit --unit engines` writes.
std::pair<std::size_t, std::size_t> engines_and_gates(const Program& program) {
  const XorEngines engines = xor_engines("", program);
  return {engines.equations.size(), num_gates(engines)};
}

/// Describes the hardware for the code, and its clocks.
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
      counted(array_clocks(columns, rows, side, side), "clock"), counted(engines, "engine"),
      counted(figure.direct.inputs.size(), "clock"), counted(shared, "engine"),
      counted(gates, "XOR gate"));
}

std::string legend(const HardwareFigure& figure) {
  const PaperModel& model = figure.model;
  return fmt::format(
      "clocks: ceil(k/{0}) ceil(m/{0}), what xorloom emit --unit coprocessor takes per word. It "
      "adds tiles up in place. C_FPGA: the paper's ceil(k/{0}) ceil(m/{0}) {1} + (ceil(k/{0}) - 1) "
      "m, in processor steps of one XOR. array: clocks times {1}, without the second term.",
      model.multiplier_side, model.slower_clock);
}

std::string five_digits(const Json& value) { return fmt::format("{:.5g}", value.real()); }

struct Part {
  const char* heading;
  std::optional<Picture> picture;  ///< nullopt: the code is too large for a picture
};

std::vector<Part> parts_of(const HardwareFigure& figure) {
  return {
      {"The coprocessor", draw_coprocessor(figure.code.data.size(), figure.code.redundant.size())},
      {"XOR engines", draw_xor_engines(figure.direct)},
      {"XOR engines in the shared form", draw_xor_engines(figure.shared)}};
}

Json to_json(const HardwareFigure& figure) {
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
    for (std::size_t k = 1; k <= kFigureLargestK; ++k) {
      points.push_back({{"k", k},
                        {"clocks", array_clocks(k, m, side, side)},
                        {"fpga", fpga_cost(k, m, model)},
                        {"measured_fpga", measured_fpga_cost(k, m, model)}});
    }
    json["parts"].push_back({{"m", m}, {"points", std::move(points)}});
  }
  return json;
}

/// Table of clocks by k, one row per number of tiles, with the parts side by side.
Table clocks_table(const PaperModel& model, const Json& data) {
  std::vector<FigureGroup> groups;
  for (std::size_t i = 0; i < kPaperParts.size(); ++i) {
    groups.push_back({fmt::format("m = {}", kPaperParts[i]),
                      {{"clocks", fmt::format("{}.clocks", i), in_full},
                       {"C_FPGA", fmt::format("{}.fpga", i), five_digits},
                       {"array", fmt::format("{}.measured_fpga", i), five_digits}}});
  }
  Table table{column_groups(groups), {{"", {}}}, "k"};
  const std::size_t side = model.multiplier_side;
  for (std::size_t first = 1; first <= kFigureLargestK; first += side) {
    const std::size_t last = std::min(first + side - 1, kFigureLargestK);
    Json row = Json::array();
    for (const Json& part : data["parts"]) row.push_back(part["points"][last - 1]);
    table.blocks.front().rows.push_back(record_row(
        row, first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last), groups));
  }
  return table;
}

}  // namespace

Document hardware_document(const HardwareFigure& figure, bool is_picture) {
  Document document{kTitle, to_json(figure)};
  bool has_picture = false;
  for (Part& part : parts_of(figure)) {
    if (!part.picture) continue;
    has_picture = true;
    document.add(Heading{part.heading}, DocumentPart::For::kPage);
    document.add(Pictures{{*std::move(part.picture)}, {}, {}, true});
  }
  if (is_picture && !has_picture) {
    fail(Status::kUnsupported,
         fmt::format("{} is too large for a picture: there is room for {} + {} symbols, and for "
                     "engines of {} equations over {} elements",
                     figure.code.name(), kMostDrawnMultipliers, kMostDrawnMultipliers,
                     kMostDrawnEngines, kMostDrawnEngines));
  }
  document.add(Heading{"Clocks per word"});
  document.add(clocks_table(figure.model, document.data));
  document.add(Paragraph{legend(figure)});
  document.add(Paragraph{sentence_of_code(figure)});
  return document;
}

}  // namespace xorloom::cli
