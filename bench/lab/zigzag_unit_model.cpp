#include "cli/pages/zigzag_unit_page.hpp"

#include <fmt/format.h>

#include <vector>

#include "cli/shell/help.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "gen/text/code_comment.hpp"
#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom::cli {
namespace {

struct Model {
  UnitPlan plan;
  ZigzagUnitOptions unit;
  UnitSystem system;
  UnitTask task;
  std::size_t word_bytes;
  std::vector<UnitThroughput> rates{};  ///< by operation
};

Model model_of(const Code& code, const ZigzagModelOptions& options) {
  Model model{unit_plan(code), {}, {}, {}, 0};
  model.unit = {options.lanes, options.slice_words, options.buffers, {}};
  check_unit_options(code, model.plan, model.unit);
  const std::size_t word_bits = options.lanes * code.field.w();
  if (word_bits % 8 != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("lanes = {} makes words of {} bits, which are no whole number of bytes",
                     options.lanes, word_bits));
  }
  model.word_bytes = word_bits / 8;
  if (options.units % options.channels != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("{} units do not share {} channels evenly", options.units, options.channels));
  }
  model.system.units = options.units;
  model.system.channels = options.channels;
  if (options.clock) model.system.clock = *options.clock;
  if (options.bandwidth) model.system.channel_bytes = *options.bandwidth;

  const std::size_t row_bytes = model.plan.banks * model.plan.rows * model.word_bytes;
  if (options.object_bytes < row_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("an object of {} bytes is smaller than a word of each element, {} bytes",
                     options.object_bytes, row_bytes));
  }
  if (options.objects > kMostModelBytes / options.object_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("{} objects of {} bytes are more than {} bytes", options.objects,
                     options.object_bytes, kMostModelBytes));
  }
  model.task.element_words = (options.object_bytes + row_bytes - 1) / row_bytes;
  model.task.stripes = options.objects;
  model.task.latency = options.latency;
  for (const UnitOperation& operation : model.plan.operations) {
    model.rates.push_back(
        unit_throughput(model.plan, operation, model.unit, model.system, model.task));
  }
  return model;
}

std::string json_page(const Code& code, const Model& model, const ZigzagModelOptions& options) {
  Json operations = Json::array();
  for (std::size_t i = 0; i < model.rates.size(); ++i) {
    const UnitOperation& operation = model.plan.operations[i];
    const UnitThroughput& rate = model.rates[i];
    operations.push_back({{"lost", operation.lost},
                          {"loads", operation.loads.size()},
                          {"outputs", operation.outputs.size()},
                          {"clocks", rate.clocks},
                          {"unit_bytes_per_second", rate.unit},
                          {"units_bytes_per_second", rate.units},
                          {"channels_bytes_per_second", rate.channels},
                          {"predicted_bytes_per_second", rate.predicted}});
  }
  return Json{{"format", "xorloom-model-zigzag-unit"},
              {"version", 1},
              {"code", code.spec},
              {"lanes", options.lanes},
              {"word_bytes", model.word_bytes},
              {"slice_words", options.slice_words},
              {"buffers", options.buffers},
              {"units", options.units},
              {"channels", options.channels},
              {"clock_hz", model.system.clock},
              {"channel_bytes_per_second", model.system.channel_bytes},
              {"latency_clocks", options.latency},
              {"object_bytes", options.object_bytes},
              {"objects", options.objects},
              {"operations", operations}}
             .dump(2) +
         "\n";
}

std::string table_page(const Code& code, const Model& model, const ZigzagModelOptions& options) {
  std::string text = fmt::format("code    {}\n", wrapped(code.spec, 8));
  text += fmt::format(
      "unit    {} of {}, words of {}, {:.4g} MHz\n", plural(model.plan.banks, "bank"),
      plural(options.buffers * model.plan.rows * options.slice_words * model.word_bytes, "byte"),
      plural(model.word_bytes, "byte"), model.system.clock / 1e6);
  text += fmt::format("memory  {} of {:.4g} GB/s, a word arrives after {}\n",
                      plural(options.channels, "channel"), model.system.channel_bytes / 1e9,
                      plural(options.latency, "clock"));
  text += fmt::format("object  {} bytes of data, {} per unit\n\n", options.object_bytes,
                      plural(options.objects, "object"));
  text += fmt::format("{:<11}{:>6}{:>7}{:>14}{:>10}{:>10}{:>12}{:>10}\n", "", "reads", "writes",
                      "clocks", "one unit", plural(options.units, "unit"),
                      plural(options.channels, "channel"), "predicted");
  for (std::size_t i = 0; i < model.rates.size(); ++i) {
    const UnitOperation& operation = model.plan.operations[i];
    const UnitThroughput& rate = model.rates[i];
    text +=
        fmt::format("{:<11}{:>6}{:>7}{:>14.0f}{:>10.4g}{:>10.4g}{:>12.4g}{:>10.4g}\n",
                    operation.name(), operation.loads.size(), operation.outputs.size(), rate.clocks,
                    rate.unit / 1e9, rate.units / 1e9, rate.channels / 1e9, rate.predicted / 1e9);
  }
  return text + "\n" +
         wrapped(
             "Reads and writes are elements per stripe. Clocks are those of one unit alone on a "
             "channel, for its objects. The columns after it are GB/s of data: what one unit "
             "reaches, that times all units, and what the channels can move. The smaller of the "
             "last two is predicted.",
             0) +
         "\n";
}

}  // namespace

std::string zigzag_unit_page(const Code& code, const ZigzagModelOptions& options,
                             const std::string& format) {
  const Model model = model_of(code, options);
  return format == "json" ? json_page(code, model, options) : table_page(code, model, options);
}

}  // namespace xorloom::cli
