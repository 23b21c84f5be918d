#include "cli/report/report_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "cli/report/code_groups.hpp"
#include "cli/report/report_blocks.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/shell/short_number.hpp"

namespace xorloom::cli {
namespace {

using Value = std::function<std::string(const ReportSet&)>;

const CoresCost* cost_on(const ReportSet& set, std::size_t index) {
  return index < set.on_cores.size() ? &set.on_cores[index] : nullptr;
}

class Summary {
 public:
  explicit Summary(const Report& report) : report_(report) {}

  std::vector<TableBlock> take() {
    block("");
    equations();
    steps();
    speeds();
    engines();
    on_threads();
    latencies();
    std::erase_if(blocks_, [](const TableBlock& block) { return block.rows.empty(); });
    return std::move(blocks_);
  }

 private:
  void block(std::string heading) { blocks_.push_back({std::move(heading), {}}); }

  /// Left out where no set has it.
  void row(std::size_t indent, std::string label, const Value& value) {
    TableRow row{indent, std::move(label), {}};
    for (const ReportSet& set : report_.sets) row.values.push_back(value(set));
    if (std::ranges::all_of(row.values, [](const auto& text) { return text == "-"; })) return;
    blocks_.back().rows.push_back(std::move(row));
  }

  void equations() {
    const bool rebuilds = !report_.erased.empty();
    row(0, "XORs", [](const ReportSet& set) { return number(set.cost.xors); });
    row(1, "lower bound for the same inputs and outputs", [](const ReportSet& set) {
      return set.lower_bound ? number(*set.lower_bound) : std::string("-");
    });
    row(0, "multiplications", [](const ReportSet& set) {
      return is_over_bits(set) ? std::string("-") : number(set.cost.multiplications);
    });
    row(0, fmt::format("XORs per {} bit", rebuilds ? "rebuilt" : "redundant"),
        [](const ReportSet& set) { return is_over_bits(set) ? ratio(set.xors_per_bit) : "-"; });
    if (!rebuilds) {
      row(0, "F = (XORs per bit + 1) / k", [](const ReportSet& set) { return ratio(set.factor); });
    }
    row(0, "bytes read per byte rebuilt", [](const ReportSet& set) {
      return set.reads ? ratio(set.reads->bytes_per_byte()) : std::string("-");
    });
    row(0, "temporaries", [](const ReportSet& set) { return number(set.cost.temporaries); });
  }

  /// All numbers of cores, with the speedup beside the steps.
  void steps() {
    const auto planned = std::ranges::find_if(report_.sets, is_over_bits);
    if (planned == report_.sets.end() || !has_steps(*planned)) return;
    block("steps on cores, and the speedup over the direct XORs on one core");
    for (std::size_t i = 0; i < planned->on_cores.size(); ++i) {
      const std::size_t cores = planned->on_cores[i].cores;
      row(0, fmt::format("{} core{}", cores, cores == 1 ? "" : "s"), [i](const ReportSet& set) {
        const CoresCost* on = cost_on(set, i);
        return on == nullptr ? std::string("-")
                             : fmt::format("{} · {:.2f}×", on->makespan, on->speedup);
      });
    }
  }

  void speeds() {
    block(has_measured(report_) ? "GB/s of data on one core, by processor time"
                                : "GB/s of data on one core");
    for (const auto& [key, name, member] : kNamedLevels) {
      const auto of = [level = member](std::optional<LevelSpeeds> IsaRun::*speeds,
                                       auto show) -> Value {
        return [level, speeds, show](const ReportSet& set) {
          const bool has = !set.runs.empty() && (set.runs.front().*speeds) &&
                           (*(set.runs.front().*speeds)).*level != 0;
          return has ? show((*(set.runs.front().*speeds)).*level) : "-";
        };
      };
      row(0, fmt::format("{}, measured", name),
          of(&IsaRun::measured, [](double speed) { return short_number(speed); }));
      row(0, fmt::format("{}, predicted", name), of(&IsaRun::predicted, rough_number));
      for (std::size_t i = 0; i < report_.machines.size(); ++i) {
        row(0, fmt::format("{} on {}, predicted", name, report_.machines[i].name),
            [level = member, i](const ReportSet& set) {
              const auto run = std::ranges::find_if(
                  set.runs, [i](const IsaRun& one) { return one.elsewhere[i].has_value(); });
              return run != set.runs.end() ? rough_number((*run->elsewhere[i]).*level)
                                           : std::string("-");
            });
      }
    }
  }

  /// Plans on several threads.
  void on_threads() {
    const auto planned = std::ranges::find_if(report_.sets, is_over_bits);
    if (planned == report_.sets.end()) return;
    block("GB/s of data in L2 on threads that follow the plan, by the clock");
    for (std::size_t i = 0; i < planned->on_cores.size(); ++i) {
      const std::size_t cores = planned->on_cores[i].cores;
      row(0, fmt::format("{} thread{}, measured", cores, cores == 1 ? "" : "s"),
          [i](const ReportSet& set) {
            const CoresCost* on = cost_on(set, i);
            return on != nullptr && on->gigabytes ? short_number(*on->gigabytes) : std::string("-");
          });
    }
  }

  /// Of engines without registers, by our own count and by that of yosys.
  void engines() {
    block("lookup tables of an XOR engine, per bit lane");
    for (const std::size_t inputs : {std::size_t{4}, std::size_t{6}}) {
      const auto of = [inputs](auto show) -> Value {
        return [inputs, show](const ReportSet& set) {
          const EngineCost* const engine = engine_cost(set, inputs, 0);
          return engine == nullptr ? std::string("-") : show(*engine);
        };
      };
      row(0, fmt::format("LUT{}", inputs),
          of([](const EngineCost& engine) { return number(engine.tables); }));
      row(1, fmt::format("LUT{}, by yosys", inputs), of([](const EngineCost& engine) {
            return engine.yosys ? number(engine.yosys->tables) : std::string("-");
          }));
    }
  }

  void latencies() {
    block("microseconds per call, chunks in L2");
    const std::array shares{std::pair("p50", &Latency::p50), std::pair("p99", &Latency::p99),
                            std::pair("p99.9", &Latency::p999)};
    for (const auto& [name, member] : shares) {
      row(0, name, [share = member](const ReportSet& set) {
        return set.latency.calls == 0 ? std::string("-") : short_number(set.latency.*share * 1e6);
      });
    }
  }

  const Report& report_;
  std::vector<TableBlock> blocks_;
};

}  // namespace

std::vector<ColumnGroup> columns_by_code(const Report& report) {
  std::vector<ColumnGroup> groups;
  std::size_t number = 0;
  for (const std::span<const ReportSet> sets : code_groups(report.sets)) {
    ColumnGroup& group = groups.emplace_back(ColumnGroup{sets.front().code().spec, {}});
    for (const ReportSet& set : sets) {
      group.columns.push_back(fmt::format("{}\u00a0·\u00a0{}", ++number, short_name(set)));
    }
  }
  return groups;
}

std::vector<TableBlock> summary_blocks(const Report& report) { return Summary(report).take(); }

}  // namespace xorloom::cli
