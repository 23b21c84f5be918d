#include "cli/report/report_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/measuring/level_speeds.hpp"
#include "cli/report/report_engines.hpp"
#include "codes/text/counted.hpp"

namespace xorloom::cli {
namespace {

constexpr std::string_view kRedundant = "redundant";
constexpr const char* kFactorName = "F = (XORs per bit + 1) / k";

bool is_of_symbols(const Json& set) { return !value_at(set, "over").is_null(); }

/// "redundant", "rebuilt" or "updated".
std::string_view output_word(const Json& report) {
  return report["erased"].size() != 0    ? "rebuilt"
         : report["updated"].size() != 0 ? "updated"
                                         : kRedundant;
}

/// Unit of an output: "bit", "symbol", or "element" if there are sets of both kinds.
const char* element_word(const Json& sets) {
  const auto symbols = std::count_if(sets.begin(), sets.end(), is_of_symbols);
  if (symbols == 0) return "bit";
  return static_cast<std::size_t>(symbols) == sets.size() ? "symbol" : "element";
}

Figure xors_per_element(const Json& report) {
  return {fmt::format("XORs per {} {}", output_word(report), element_word(report["sets"])),
          "xors_per_output_bit", to_two_decimals};
}

/// Not given over symbols, since it would leave out multiplications.
std::string factor_text(const Json& set) {
  return is_of_symbols(set) ? "-" : to_two_decimals(set["factor"]);
}

/// The baseline of speedups, which sets over symbols do not have.
std::string baseline_text(const Json& set) {
  return is_of_symbols(set) ? "-" : in_full(set["direct_xors"]);
}

/// Bytes of machine code; "-" for kernels, which have none.
std::string code_text(const Json& bytes) { return bytes.whole() == 0 ? "-" : in_full(bytes); }

std::vector<Figure> equations(const Json& report) {
  std::vector<Figure> figures{{"XORs", "xors", in_full},
                              {"lower bound, same sums of inputs", "lower_bound", in_full, 1},
                              {"multiplications", "multiplications", in_full},
                              xors_per_element(report)};
  const bool has_bits = std::any_of(report["sets"].begin(), report["sets"].end(),
                                    [](const Json& set) { return !is_of_symbols(set); });
  if (output_word(report) == kRedundant) {
    const Show one_sum = [](const Json& k) { return fmt::format("{}", k.whole() - 1); };
    figures.push_back({"a sum of k without sharing, k - 1", "code.k", one_sum, 1});
    if (has_bits) figures.push_back({kFactorName, "", factor_text});
  }
  figures.insert(figures.end(),
                 {{"longest equation, in XORs", "longest_equation", in_full},
                  {"longest path, in XORs", "longest_path", in_full},
                  {"critical path, in XORs", "critical_path", in_full},
                  {"temporaries", "temporaries", in_full},
                  {"values alive at once", "peak_live", in_full, 1},
                  {"bytes read per byte rebuilt", "reads.bytes_per_byte", to_two_decimals},
                  {"locations read", "reads.locations", in_full, 1}});
  return figures;
}

/// The first set with `on_cores`; null if there is none.
const Json* planned_set(const Json& sets) {
  const Json* found = std::find_if(sets.begin(), sets.end(),
                                   [](const Json& set) { return set["on_cores"].size() != 0; });
  return found == sets.end() ? nullptr : found;
}

FigureBlock on_cores(std::size_t index, std::size_t cores) {
  const auto at = [index](const char* member) {
    return fmt::format("on_cores.{}.{}", index, member);
  };
  FigureBlock block{fmt::format("on {}, in steps of one XOR per core", counted(cores, "core")), {}};
  const bool is_one = cores == 1;  // steps equal XORs, with and without a plan
  block.figures = {{is_one ? "steps" : "steps, any XOR on any core", at("makespan"), in_full, 1},
                   {"speedup", at("speedup"), to_two_decimals, 2}};
  if (!is_one) {
    block.figures.insert(
        block.figures.end(),
        {{"efficiency", at("efficiency"), to_two_decimals, 2},
         {"moves between cores", at("moves"), in_full, 2},
         {"steps, one core per equation (atomic)", at("atomic_makespan"), in_full, 1},
         {"speedup", at("atomic_speedup"), to_two_decimals, 2},
         {"efficiency", at("atomic_efficiency"), to_two_decimals, 2}});
  }
  const Show per_core = [cores](const Json& speedup) {
    return fmt::format("{:.2f}", speedup.real() / static_cast<double>(cores));
  };
  block.figures.push_back({fmt::format("GB/s in L2 on {}, by the clock", counted(cores, "thread")),
                           at("measured_data_gb_per_s"), to_three_digits, 1});
  block.figures.push_back(
      {"speedup over direct on 1 thread", at("measured_speedup"), to_two_decimals, 2});
  if (!is_one) block.figures.push_back({"efficiency", at("measured_speedup"), per_core, 2});
  return block;
}

/// Adds the speeds of run `index` at each level: predicted, measured, and predicted elsewhere.
void add_speeds(std::vector<Figure>& figures, const Json& report, std::size_t index) {
  for (const NamedLevel& level : kNamedLevels) {
    figures.push_back({fmt::format("GB/s in {}, predicted", level.name),
                       fmt::format("runs.{}.predicted_data_gb_per_s.{}", index, level.key),
                       to_two_digits, 1});
    figures.push_back({"measured",
                       fmt::format("runs.{}.measured_data_gb_per_s.{}", index, level.key),
                       to_three_digits, 2});
    for (const Json& machine : value_at(report, "machines")) {
      const std::string name = machine["name"].text();
      const Show on_machine = [name, key = level.key](const Json& elsewhere) -> std::string {
        for (const Json& other : elsewhere) {
          const Json& speed = value_at(other["predicted_data_gb_per_s"], key);
          if (other["machine"].text() == name && !speed.is_null()) return to_two_digits(speed);
        }
        return "-";
      };
      figures.push_back(
          {"on " + name + ", predicted", fmt::format("runs.{}.elsewhere", index), on_machine, 2});
    }
  }
}

/// Adds a block per instruction set with its speeds; the best one also has its work per tile.
void add_runs(std::vector<FigureBlock>& blocks, const Json& report) {
  const Json& sets = report["sets"];
  for (std::size_t i = 0;; ++i) {
    const Json* const run = std::find_if(sets.begin(), sets.end(),
                                         [i](const Json& set) { return i < set["runs"].size(); });
    if (run == sets.end()) return;
    FigureBlock& block = blocks.emplace_back(
        FigureBlock{fmt::format("run on one core with {}", (*run)["runs"][i]["isa"].text()), {}});
    if (i == 0) {
      const Show of_l1 = [l1 = report["caches"]["l1"].real()](const Json& bytes) {
        return fmt::format("{:.1f}", bytes.real() * 100 / l1);
      };
      block.figures = {{"bytes read and written per tile", "runs.0.tile.bytes", in_full, 1},
                       {"of L1, %", "runs.0.tile.bytes", of_l1, 2},
                       {"instructions", "runs.0.tile.instructions", in_full, 1},
                       {"loads", "runs.0.tile.loads", in_full, 1},
                       {"stores", "runs.0.tile.stores", in_full, 1},
                       {"bytes of code", "runs.0.tile.code_bytes", code_text, 1}};
      for (const auto& [key, name] : {std::pair{"l2", "L2"}, std::pair{"l3", "L3"}}) {
        const Show fitting = [bytes = report["caches"][key].whole()](const Json& locations) {
          return fmt::format("{}", bytes / locations.whole() / 1024);
        };
        block.figures.push_back(
            {fmt::format("largest chunk of a stripe in {}, KiB", name), "locations", fitting, 1});
      }
    }
    add_speeds(block.figures, report, i);
  }
}

/// Shows with `show` the engine that has tables of `inputs` inputs and `ranks` ranks; "-" if none.
Show of_engine(std::size_t inputs, std::size_t ranks, Show show) {
  return [inputs, ranks, show = std::move(show)](const Json& engines) -> std::string {
    for (const Json& engine : engines) {
      const bool is_it =
          engine["table_inputs"].whole() == inputs && engine["ranks"].whole() == ranks;
      if (is_it) return show(engine);
    }
    return "-";
  };
}

Show member(const char* path) {
  return [path](const Json& engine) { return shown(engine, {"", path, in_full}); };
}

/// Tables and registers of an engine: "11+4".
Show with_registers(const char* tables, const char* registers) {
  return [tables, registers](const Json& engine) {
    return value_at(engine, tables).is_null()
               ? "-"
               : member(tables)(engine) + "+" + member(registers)(engine);
  };
}

FigureBlock engines() {
  FigureBlock block{"as an XOR engine, per bit lane",
                    {{"data bits per clock", "data_bits_per_clock", in_full, 1}}};
  const auto add = [&](std::string name, std::size_t inputs, std::size_t ranks, Show show,
                       std::size_t indent) {
    block.figures.push_back(
        {std::move(name), "engines", of_engine(inputs, ranks, std::move(show)), indent});
  };
  for (const auto& [inputs, command] :
       {std::pair{std::size_t{4}, "synth_ice40"}, std::pair{std::size_t{6}, "synth -lut 6"}}) {
    add(fmt::format("lookup tables of {0} inputs (LUT{0})", inputs), inputs, 0, member("tables"),
        1);
    add(fmt::format("by yosys, {}", command), inputs, 0, member("yosys.tables"), 2);
    add("levels of them", inputs, 0, member("depth"), 2);
  }
  for (std::size_t ranks = 1; ranks <= kMostReportRanks; ++ranks) {
    add(fmt::format("{} of registers: LUT4 + registers", counted(ranks, "rank")), 4, ranks,
        with_registers("tables", "registers"), 1);
    add("by yosys, synth_ice40", 4, ranks, with_registers("yosys.tables", "yosys.registers"), 2);
    add("levels between registers", 4, ranks, member("stage_depth"), 2);
  }
  return block;
}

FigureBlock single_calls() {
  return {"microseconds per call, chunks in L2",
          {{"p50", "single_calls.p50_seconds", in_micros},
           {"p99", "single_calls.p99_seconds", in_micros},
           {"p99.9", "single_calls.p99_9_seconds", in_micros}}};
}

}  // namespace

bool has_measured(const Json& report) {
  const Json& sets = report["sets"];
  return std::any_of(sets.begin(), sets.end(), [](const Json& set) {
    return !value_at(set, "runs.0.measured_data_gb_per_s").is_null();
  });
}

std::vector<FigureBlock> all_figures(const Json& report) {
  std::vector<FigureBlock> blocks{{"", equations(report)}};
  if (const Json* const planned = planned_set(report["sets"])) {
    blocks.push_back(
        {"speedups below are over", {{"direct XORs on one core", "", baseline_text, 1}}});
    std::size_t index = 0;
    for (const Json& on : (*planned)["on_cores"]) {
      blocks.push_back(on_cores(index++, on["cores"].whole()));
    }
  }
  add_runs(blocks, report);
  blocks.push_back(single_calls());
  blocks.push_back(engines());
  return blocks;
}

std::vector<FigureBlock> main_figures(const Json& report) {
  std::vector<FigureBlock> blocks{
      {"",
       {{"XORs", "xors", in_full},
        {"lower bound for the same sums of inputs", "lower_bound", in_full, 1},
        {"multiplications", "multiplications", in_full},
        xors_per_element(report),
        {kFactorName, output_word(report) == kRedundant ? "" : "none", factor_text},
        {"bytes read per byte rebuilt", "reads.bytes_per_byte", to_two_decimals},
        {"temporaries", "temporaries", in_full}}}};
  FigureBlock steps{"steps on cores, and the speedup over the direct XORs on one core", {}};
  FigureBlock clocks{"GB/s of data in L2 on threads that follow the plan, by the clock", {}};
  const Json* const planned = planned_set(report["sets"]);
  const std::size_t counts = planned == nullptr ? 0 : (*planned)["on_cores"].size();
  const Show with_speedup = [](const Json& on) {
    const std::string makespan = in_full(on["makespan"]);
    const Json& speedup = on["speedup"];
    return speedup.is_null() ? makespan : fmt::format("{} · {:.2f}×", makespan, speedup.real());
  };
  bool has_cores = false;
  for (std::size_t i = 0; i < counts; ++i) {
    const std::size_t cores = (*planned)["on_cores"][i]["cores"].whole();
    has_cores = has_cores || cores > 1;
    const std::string path = fmt::format("on_cores.{}", i);
    steps.figures.push_back({counted(cores, "core"), path, with_speedup});
    clocks.figures.push_back({counted(cores, "thread") + ", measured",
                              path + ".measured_data_gb_per_s", to_three_digits});
  }
  if (has_cores) blocks.push_back(std::move(steps));
  FigureBlock speeds{has_measured(report) ? "GB/s of data on one core, by processor time"
                                          : "GB/s of data on one core",
                     {}};
  add_speeds(speeds.figures, report, 0);
  for (Figure& figure : speeds.figures) --figure.indent;
  blocks.push_back(std::move(speeds));
  blocks.push_back({"lookup tables of an XOR engine, per bit lane", {}});
  for (const std::size_t inputs : {std::size_t{4}, std::size_t{6}}) {
    blocks.back().figures.push_back(
        {fmt::format("LUT{}", inputs), "engines", of_engine(inputs, 0, member("tables"))});
    blocks.back().figures.push_back({fmt::format("LUT{}, by yosys", inputs), "engines",
                                     of_engine(inputs, 0, member("yosys.tables")), 1});
  }
  blocks.push_back(std::move(clocks));
  blocks.push_back(single_calls());
  return blocks;
}

std::vector<TableBlock> rows_of_sets(const Json& report, const std::vector<FigureBlock>& blocks) {
  std::vector<TableBlock> rows;
  for (const FigureBlock& block : blocks) {
    TableBlock added{block.heading, {}};
    append_rows(added, report["sets"], block.figures);
    if (!added.rows.empty()) rows.push_back(std::move(added));
  }
  return rows;
}

}  // namespace xorloom::cli
