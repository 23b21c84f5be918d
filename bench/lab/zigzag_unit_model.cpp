#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/lab/unit_throughput.hpp"
#include "cli/document/figures.hpp"
#include "cli/document/writers.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kUnitAbout =
    "throughput of Zigzag units on a memory\n"
    "Predicts the throughput of the hardware that xorloom emit --unit zigzag writes, on some "
    "memory "
    "channels. It counts the clocks of one unit exactly. Without SPEC and options it predicts the "
    "system of the paper. docs/zigzag-unit.md has the formulas.";

constexpr const char* kUnitExamples =
    "xorloom-lab zigzag-unit zigzag:k=4,r=2\n"
    "xorloom-lab zigzag-unit zigzag:k=4,r=2 --clock 250e6 --units 4";

/// Options as typed; the defaults are the system of the paper.
struct ZigzagModelOptions {
  std::size_t lanes = 64;
  std::size_t slice_words = 64;
  std::size_t buffers = 1;
  std::size_t units = 12;
  std::size_t channels = 4;
  std::size_t latency = 60;  ///< clocks
  std::size_t object_bytes = std::size_t{64} << 20;
  std::size_t objects = 1;
  std::optional<double> clock;      ///< per second
  std::optional<double> bandwidth;  ///< bytes per second and channel
  std::string spec = "zigzag:k=4,r=2";
  std::string format = "table";
};

constexpr std::size_t kMostModelUnits = 4096;
constexpr std::size_t kMostModelLatency = 1'000'000;
constexpr std::size_t kMostModelObjectBytes = std::size_t{1} << 30;
constexpr std::size_t kMostModelBytes = std::size_t{1} << 32;

struct Model {
  UnitPlan plan;
  ZigzagUnitOptions unit;
  UnitSystem system;
  UnitTask task;
  std::size_t word_bytes;
  std::vector<UnitThroughput> rates{};  ///< for each operation
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
         fmt::format("{} cannot share {} evenly", counted(options.units, "unit"),
                     counted(options.channels, "channel")));
  }
  model.system.units = options.units;
  model.system.channels = options.channels;
  if (options.clock) model.system.clock = *options.clock;
  if (options.bandwidth) model.system.channel_bytes = *options.bandwidth;

  const std::size_t row_bytes = model.plan.banks * model.plan.rows * model.word_bytes;
  if (options.object_bytes < row_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("an object of {} is smaller than a word of each element, {}",
                     counted(options.object_bytes, "byte"), counted(row_bytes, "byte")));
  }
  if (options.objects > kMostModelBytes / options.object_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("{} of {} are more than {} bytes", counted(options.objects, "object"),
                     counted(options.object_bytes, "byte"), kMostModelBytes));
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

Json json_of(const Code& code, const Model& model, const ZigzagModelOptions& options) {
  Json operations = Json::array();
  for (std::size_t i = 0; i < model.rates.size(); ++i) {
    const UnitOperation& operation = model.plan.operations[i];
    const UnitThroughput& rate = model.rates[i];
    operations.push_back({{"operation", operation.name()},
                          {"lost", operation.lost},
                          {"loads", operation.loads.size()},
                          {"outputs", operation.outputs.size()},
                          {"clocks", rate.clocks},
                          {"unit_bytes_per_second", rate.unit},
                          {"units_bytes_per_second", rate.units},
                          {"channels_bytes_per_second", rate.channels},
                          {"predicted_bytes_per_second", rate.predicted}});
  }
  return {{"format", "xorloom-model-zigzag-unit"},
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
          {"operations", std::move(operations)}};
}

/// The value in units of 10^9, with four significant digits.
std::string in_giga(const Json& value) { return fmt::format("{:.4g}", value.real() / 1e9); }

Document document_of(const Code& code, const Model& model, const ZigzagModelOptions& options) {
  Document document{"Throughput of Zigzag units", json_of(code, model, options)};
  document.add(Facts{
      {{"code", code.spec},
       {"unit", fmt::format("{} of {}, words of {}, {:.4g} MHz", counted(model.plan.banks, "bank"),
                            counted(options.buffers * model.plan.rows * options.slice_words *
                                        model.word_bytes,
                                    "byte"),
                            counted(model.word_bytes, "byte"), model.system.clock / 1e6)},
       {"memory", fmt::format("{} of {:.4g} GB/s, a word arrives after {}",
                              counted(options.channels, "channel"),
                              model.system.channel_bytes / 1e9, counted(options.latency, "clock"))},
       {"object", fmt::format("{} of data, {} per unit", counted(options.object_bytes, "byte"),
                              counted(options.objects, "object"))}}});
  const Show whole = [](const Json& value) { return fmt::format("{:.0f}", value.real()); };
  document.add(
      record_table(document.data["operations"], {"", "operation"},
                   {{"elements", {{"reads", "loads", in_full}, {"writes", "outputs", in_full}}},
                    {"", {{"clocks", "clocks", whole}}},
                    {"GB/s of data",
                     {{"one unit", "unit_bytes_per_second", in_giga},
                      {counted(options.units, "unit"), "units_bytes_per_second", in_giga},
                      {counted(options.channels, "channel"), "channels_bytes_per_second", in_giga},
                      {"predicted", "predicted_bytes_per_second", in_giga}}}}));
  document.add(Paragraph{
      "Reads and writes are elements per stripe. Clocks are those of one unit alone on a channel, "
      "for its objects. The columns after it are GB/s of data: what one unit reaches, that times "
      "all units, and what the channels can move. The smaller of the last two is predicted."});
  return document;
}

void run(const ZigzagModelOptions& options) {
  const Code code = make_code(options.spec);
  print(written(document_of(code, model_of(code, options), options), options.format));
}

}  // namespace

Command zigzag_unit_command() {
  Command command{"zigzag-unit", kUnitAbout, kUnitExamples};
  const auto options = std::make_shared<ZigzagModelOptions>();
  add_argument(command, "SPEC", options->spec,
               fmt::format("the code, such as zigzag:k=6,r=2; default: {}", options->spec))
      .is_required = false;
  add_choice(command, "--format", options->format, {"table", "json", "html"},
             "output format; default: table");
  add_number(command, "--lanes", options->lanes, 1, kMostUnitLanes,
             "symbols of a word, which a unit computes per clock; default: 64");
  add_number(command, "--slice-words", options->slice_words, 2, kMostSliceWords,
             "words of an element that a unit loads before it computes, a power of 2; default: 64");
  add_number(command, "--buffers", options->buffers, 1, 2,
             "2: a unit loads the next slice while it computes one; default: 1");
  add_number(command, "--units", options->units, 1, kMostModelUnits,
             "units, the same number on each channel; default: 12");
  add_number(command, "--channels", options->channels, 1, kMostModelUnits,
             "channels of the memory; default: 4");
  add_positive(command, "--clock", "HZ", options->clock, "clocks per second; default: 300e6");
  add_positive(command, "--bandwidth", "BYTES", options->bandwidth,
               "bytes per second that a channel reads and writes; default: 19.2e9");
  add_number(command, "--latency", options->latency, 1, kMostModelLatency,
             "clocks from asking for a word to its arrival; default: 60");
  add_bytes(command, "--object-bytes", options->object_bytes, 1, kMostModelObjectBytes,
            "bytes of data of an object; default: 64M");
  add_number(command, "--objects", options->objects, 1, kMostModelBytes,
             "objects that a unit computes after one start; default: 1");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
