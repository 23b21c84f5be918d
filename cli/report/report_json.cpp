#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/measuring/prediction_error.hpp"
#include "cli/report/report.hpp"
#include "codes/text/json.hpp"
#include "runtime/engine/tile_counts.hpp"

namespace xorloom::cli {
namespace {

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json json_of(const CoresCost& on) {
  Json json{{"cores", on.cores},
            {"makespan", on.makespan},
            {"speedup", number_or_null(on.speedup)},
            {"efficiency", number_or_null(on.efficiency)},
            {"moves", on.moves},
            {"atomic_makespan", on.atomic_makespan},
            {"atomic_speedup", number_or_null(on.atomic_speedup)},
            {"atomic_efficiency", number_or_null(on.atomic_efficiency)}};
  if (on.gigabytes) json["measured_data_gb_per_s"] = *on.gigabytes;
  if (on.measured_speedup) json["measured_speedup"] = *on.measured_speedup;
  return json;
}

Json json_of(const CacheSizes& caches) {
  return {{"l1", caches.l1}, {"l2", caches.l2}, {"l3", caches.l3}};
}

Json json_of(const LevelSpeeds& speeds) {
  Json json;
  for (const NamedLevel& level : kNamedLevels) {
    // 0: no stripe of the code is small enough for this level.
    if (const double speed = speeds.*level.speed; speed != 0) json[level.key] = speed;
  }
  return json;
}

Json json_of(const IsaRun& run, const std::vector<OtherMachine>& machines) {
  const TileCounts& tile = run.work.tile;
  Json json{{"isa", to_string(run.isa)},
            {"tile",
             {{"data_bytes", run.work.data_bytes},
              {"bytes", bytes_of(tile)},
              {"instructions", tile.instructions},
              {"loads", tile.loads},
              {"stores", tile.stores},
              {"multiplications", tile.multiplications},
              {"code_bytes", tile.code_bytes}}}};
  if (run.predicted) json["predicted_data_gb_per_s"] = json_of(*run.predicted);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (!run.elsewhere[i]) continue;
    json["elsewhere"].push_back(
        {{"machine", machines[i].name}, {"predicted_data_gb_per_s", json_of(*run.elsewhere[i])}});
  }
  if (run.measured) json["measured_data_gb_per_s"] = json_of(*run.measured);
  return json;
}

Json json_of(const Latency& latency) {
  return {{"calls", latency.calls},        {"p50_seconds", latency.p50},
          {"p90_seconds", latency.p90},    {"p99_seconds", latency.p99},
          {"p99_9_seconds", latency.p999}, {"most_seconds", latency.most}};
}

Json json_of(const RepairReads& reads) {
  return {{"read", reads.read},
          {"left", reads.left},
          {"locations", reads.locations},
          {"rebuilt", reads.rebuilt},
          {"bytes_per_byte", reads.bytes_per_byte()}};
}

Json json_of(const SearchRecord& search) {
  return {{"effort", search.effort},
          {"steps", search.steps ? Json(*search.steps) : Json(nullptr)},
          {"seconds", search.seconds ? Json(*search.seconds) : Json(nullptr)},
          {"seed", search.seed}};
}

Json json_of(const EngineCost& engine) {
  Json json{{"table_inputs", engine.gate_inputs},
            {"ranks", engine.ranks},
            {"tables", engine.tables},
            {"depth", engine.depth},
            {"stage_depth", engine.stage_depth},
            {"registers", engine.registers}};
  if (engine.yosys) {
    json["yosys"] = {{"tables", engine.yosys->tables}, {"registers", engine.yosys->registers}};
  }
  return json;
}

Json json_of(const Report& report, const ReportSet& set) {
  const EquationFile::CodeName& code = set.code();
  Json json{{"source", set.source},
            {"code",
             {{"family", code.family},
              {"spec", code.spec},
              {"name", name_of(report, code)},
              {"k", code.k},
              {"m", code.m},
              {"w", code.w}}},
            {"style", set.file.style},
            {"equations", set.file.program.equations.size()},
            {"locations", set.file.program.locations},
            {"output_bits", set.output_bits},
            {"direct_xors", set.direct_xors},
            {"lower_bound", set.lower_bound ? Json(*set.lower_bound) : Json(nullptr)},
            {"xors", set.cost.xors},
            {"xors_per_output_bit", set.xors_per_bit},
            {"factor", set.factor},
            {"longest_equation", set.cost.longest_equation},
            {"longest_path", set.cost.longest_path},
            {"critical_path", set.cost.critical_path},
            {"temporaries", set.cost.temporaries},
            {"peak_live", set.peak_live},
            {"on_cores", Json::array()},
            {"runs", Json::array()}};
  if (!set.file.program.is_xor()) {
    json["over"] = "symbols";
    json["multiplications"] = set.cost.multiplications;
  }
  for (const CoresCost& on : set.on_cores) json["on_cores"].push_back(json_of(on));
  for (const IsaRun& run : set.runs) json["runs"].push_back(json_of(run, report.machines));
  if (!set.engines.empty()) {
    json["data_bits_per_clock"] = set.file.program.inputs.size();
    for (const EngineCost& engine : set.engines) json["engines"].push_back(json_of(engine));
  }
  if (set.reads) json["reads"] = json_of(*set.reads);
  for (const SpeedAtSize& at : set.speeds) {
    Json speed{{"chunk_bytes", at.chunk_bytes}, {"data_gb_per_s", at.gigabytes}};
    if (at.limit) speed["limit_gb_per_s"] = *at.limit;
    json["measured_by_size"].push_back(std::move(speed));
  }
  if (set.latency.calls != 0) json["single_calls"] = json_of(set.latency);
  return json;
}

/// "prediction_error", the largest, and "prediction_errors" of each instruction set.
Json errors_json(const MachineRates& rates) {
  return {{"prediction_error", prediction_error_json(largest_error(rates.rates))},
          {"prediction_errors", prediction_errors_json(rates.rates)}};
}

}  // namespace

const std::string& name_of(const Report& report, const EquationFile::CodeName& code) {
  const auto name = report.code_names.find(code.spec);
  return name == report.code_names.end() ? code.spec : name->second.shown;
}

Json report_data(const Report& report) {
  Json json{{"format", "xorloom-report"},
            {"version", 1},
            {"program", fmt::format("xorloom {}", version())},
            {"erased", report.erased},
            {"updated", report.updated},
            {"machine", report.machine},
            {"caches", json_of(report.caches)},
            {"search", report.search ? json_of(*report.search) : Json(nullptr)},
            {"left_out", report.left_out},
            {"sets", Json::array()}};
  if (report.processor_share < 1) json["processor_share"] = report.processor_share;
  if (!report.rates.rates.empty()) json.update(errors_json(report.rates));
  for (const OtherMachine& machine : report.machines) {
    Json about{{"name", machine.name},
               {"cpu", machine.rates.cpu},
               {"caches", json_of(machine.rates.caches)}};
    about.update(errors_json(machine.rates));
    json["machines"].push_back(std::move(about));
  }
  if (report.has_engines) {
    const std::string yosys = yosys_version(report.sets);
    json["yosys"] = yosys.empty() ? Json(nullptr) : Json(yosys);
  }
  for (const ReportSet& set : report.sets) json["sets"].push_back(json_of(report, set));
  return json;
}

}  // namespace xorloom::cli
