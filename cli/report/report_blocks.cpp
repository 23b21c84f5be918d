#include "cli/report/report_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "cli/measuring/prediction_error.hpp"
#include "cli/report/report_engines.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/short_number.hpp"
#include "cli/shell/system_description.hpp"
#include "runtime/engine/tile_counts.hpp"

namespace xorloom::cli {
namespace {

/// As the page's table of main figures has it.
constexpr const char* kFactorName = "F = (XORs per bit + 1) / k";

using Value = std::function<std::string(const ReportSet&)>;

class Blocks {
 public:
  explicit Blocks(const Report& report) : report_(report) {}

  void heading(std::string heading) { blocks_.push_back({std::move(heading), {}}); }

  void row(std::size_t indent, std::string label, const Value& value) {
    TableRow& row = blocks_.back().rows.emplace_back(TableRow{indent, std::move(label), {}});
    for (const ReportSet& set : report_.sets) row.values.push_back(value(set));
  }

  void equations() {
    const bool rebuilds = !report_.erased.empty();
    heading("");
    row(0, "set", [&](const ReportSet& set) { return number(number_of(report_, set)); });
    row(0, "XORs", [](const ReportSet& set) { return number(set.cost.xors); });
    row(1, "lower bound, same inputs and outputs", [](const ReportSet& set) {
      return set.lower_bound ? number(*set.lower_bound) : std::string("-");
    });
    if (!std::ranges::all_of(report_.sets, is_over_bits)) {
      row(0, "multiplications", [](const ReportSet& set) {
        return is_over_bits(set) ? std::string("-") : number(set.cost.multiplications);
      });
    }
    row(0, fmt::format("XORs per {} {}", rebuilds ? "rebuilt" : "redundant", element_word()),
        [](const ReportSet& set) { return ratio(set.xors_per_bit); });
    if (!rebuilds) {
      row(1, "the optimum, k - 1", [](const ReportSet& set) { return number(set.code().k - 1); });
      row(0, kFactorName, [](const ReportSet& set) { return ratio(set.factor); });
    }
    row(0, "longest equation, in XORs",
        [](const ReportSet& set) { return number(set.cost.longest_equation); });
    row(0, "longest path, in XORs",
        [](const ReportSet& set) { return number(set.cost.longest_path); });
    row(0, "critical path, in XORs",
        [](const ReportSet& set) { return number(set.cost.critical_path); });
    row(0, "temporaries", [](const ReportSet& set) { return number(set.cost.temporaries); });
    row(1, "values alive at once", [](const ReportSet& set) { return number(set.peak_live); });
    if (!rebuilds) return;
    row(0, "bytes read per byte rebuilt", [](const ReportSet& set) {
      return set.reads ? ratio(set.reads->bytes_per_byte()) : std::string("-");
    });
    row(1, "locations read", [](const ReportSet& set) {
      return set.reads ? number(set.reads->locations) : std::string("-");
    });
  }

  /// Sets as XOR engines, per lane of one bit.
  void engines() {
    const auto at = [](std::size_t inputs, std::size_t ranks, auto show) {
      return [=](const ReportSet& set) {
        const EngineCost* const engine = engine_cost(set, inputs, ranks);
        return engine == nullptr ? std::string("-") : show(*engine);
      };
    };
    const auto tables = [](const EngineCost& engine) { return number(engine.tables); };
    const auto depth = [](const EngineCost& engine) { return number(engine.depth); };
    const auto by_yosys = [](const EngineCost& engine) {
      return engine.yosys ? number(engine.yosys->tables) : std::string("-");
    };
    heading("as an XOR engine, per bit lane");
    row(1, "data bits per clock",
        [](const ReportSet& set) { return number(set.file.program.inputs.size()); });
    row(1, "lookup tables of 4 inputs (LUT4)", at(4, 0, tables));
    row(2, "by yosys, synth_ice40", at(4, 0, by_yosys));
    row(2, "levels of them", at(4, 0, depth));
    row(1, "lookup tables of 6 inputs (LUT6)", at(6, 0, tables));
    row(2, "by yosys, synth -lut 6", at(6, 0, by_yosys));
    row(2, "levels of them", at(6, 0, depth));
    for (std::size_t ranks = 1; ranks <= kMostReportRanks; ++ranks) {
      row(1, fmt::format("{} rank{} of registers: LUT4 + registers", ranks, ranks == 1 ? "" : "s"),
          at(4, ranks, [](const EngineCost& engine) {
            return fmt::format("{}+{}", engine.tables, engine.registers);
          }));
      row(2, "by yosys, synth_ice40", at(4, ranks, [](const EngineCost& engine) {
            return engine.yosys
                       ? fmt::format("{}+{}", engine.yosys->tables, engine.yosys->registers)
                       : std::string("-");
          }));
      row(2, "levels between registers",
          at(4, ranks, [](const EngineCost& engine) { return number(engine.stage_depth); }));
    }
  }

  /// What is planned for cores, if anything is: XORs alone.
  void on_cores() {
    const auto planned = std::ranges::find_if(report_.sets, is_over_bits);
    if (planned == report_.sets.end()) return;
    heading("speedups below are over");
    row(1, "direct XORs on one core", [](const ReportSet& set) { return number(set.direct_xors); });
    for (std::size_t i = 0; i < planned->on_cores.size(); ++i) {
      on_cores(i, planned->on_cores[i].cores);
    }
  }

  void on_cores(std::size_t index, std::size_t cores) {
    const auto at = [index](auto member, auto show) {
      return [=](const ReportSet& set) {
        return is_over_bits(set) ? show(set.on_cores[index].*member) : std::string("-");
      };
    };
    heading(
        fmt::format("on {} core{}, in steps of one XOR per core", cores, cores == 1 ? "" : "s"));
    if (cores == 1) {  // every plan takes a step an XOR
      row(1, "steps", at(&CoresCost::makespan, number));
      row(2, "speedup", at(&CoresCost::speedup, ratio));
      return measured_on_cores(index, cores);
    }
    row(1, "steps, any XOR on any core", at(&CoresCost::makespan, number));
    row(2, "speedup", at(&CoresCost::speedup, ratio));
    row(2, "efficiency", at(&CoresCost::efficiency, ratio));
    row(2, "moves between cores", at(&CoresCost::moves, number));
    row(1, "steps, one core per equation (atomic)", at(&CoresCost::atomic_makespan, number));
    row(2, "speedup", at(&CoresCost::atomic_speedup, ratio));
    row(2, "efficiency", at(&CoresCost::atomic_efficiency, ratio));
    measured_on_cores(index, cores);
  }

  /// What the plan took on threads, where that was timed.
  void measured_on_cores(std::size_t index, std::size_t cores) {
    const auto at = [&](const ReportSet& set) -> const CoresCost* {
      return index < set.on_cores.size() && set.on_cores[index].gigabytes ? &set.on_cores[index]
                                                                          : nullptr;
    };
    if (std::ranges::none_of(report_.sets, at)) return;
    row(1, fmt::format("GB/s in L2 on {} thread{}, by the clock", cores, cores == 1 ? "" : "s"),
        [at](const ReportSet& set) {
          return at(set) != nullptr ? short_number(*at(set)->gigabytes) : "-";
        });
    const auto speedup = [at](double share) {
      return [at, share](const ReportSet& set) {
        const bool has = at(set) != nullptr && at(set)->measured_speedup;
        return has ? ratio(*at(set)->measured_speedup * share) : std::string("-");
      };
    };
    row(2, "speedup over direct on 1 thread", speedup(1));
    if (cores > 1) row(2, "efficiency", speedup(1.0 / static_cast<double>(cores)));
  }

  /// What running the equations takes, on the best instruction set, and then the speed on each.
  void runs() {
    std::size_t most = 0;
    for (const ReportSet& set : report_.sets) most = std::max(most, set.runs.size());
    if (most == 0) return;
    heading(fmt::format("run on one core with {}", isa_name(0)));
    row(1, "bytes read and written per tile",
        run(0, [](const IsaRun& r) { return number(bytes_of(r.work.counts)); }));
    row(2, "of L1, %", run(0, [l1 = report_.caches.l1](const IsaRun& r) {
          const auto bytes = static_cast<double>(bytes_of(r.work.counts));
          return fmt::format("{:.1f}", bytes * 100 / static_cast<double>(l1));
        }));
    const auto count = [&](const char* label, std::size_t TileCounts::*member) {
      row(1, label, run(0, [member](const IsaRun& r) { return number(r.work.counts.*member); }));
    };
    count("instructions", &TileCounts::instructions);
    count("loads", &TileCounts::loads);
    count("stores", &TileCounts::stores);
    count("bytes of code", &TileCounts::code_bytes);
    row(1, "largest chunk of a stripe in L2, KiB", fitting(report_.caches.l2));
    row(1, "largest chunk of a stripe in L3, KiB", fitting(report_.caches.l3));
    for (std::size_t i = 0; i < most; ++i) speeds(i);
  }

  std::vector<TableBlock> take() { return std::move(blocks_); }

 private:
  /// What is computed, one a target.
  const char* element_word() const {
    if (std::ranges::all_of(report_.sets, is_over_bits)) return "bit";
    return std::ranges::none_of(report_.sets, is_over_bits) ? "symbol" : "element";
  }

  const char* isa_name(std::size_t index) const {
    const auto has = [index](const ReportSet& set) { return index < set.runs.size(); };
    return to_string(std::ranges::find_if(report_.sets, has)->runs[index].isa);
  }

  static Value run(std::size_t index, std::function<std::string(const IsaRun&)> show) {
    return [index, show = std::move(show)](const ReportSet& set) {
      return index < set.runs.size() ? show(set.runs[index]) : std::string("-");
    };
  }

  /// Of each chunk, where all of a stripe lie in a cache of that many bytes.
  static Value fitting(std::size_t cache_bytes) {
    return [cache_bytes](const ReportSet& set) {
      return number(cache_bytes / set.file.program.locations / 1024);
    };
  }

  void speeds(std::size_t index) {
    const auto any = [&](std::optional<LevelSpeeds> IsaRun::*speeds) {
      return std::ranges::any_of(report_.sets, [&](const ReportSet& set) {
        return index < set.runs.size() && set.runs[index].*speeds;
      });
    };
    const auto is_predicted_on = [&](std::size_t machine) {
      return std::ranges::any_of(report_.sets, [&](const ReportSet& set) {
        return index < set.runs.size() && set.runs[index].elsewhere[machine];
      });
    };
    std::vector<std::size_t> machines;
    for (std::size_t i = 0; i < report_.machines.size(); ++i) {
      if (is_predicted_on(i)) machines.push_back(i);
    }
    if (!any(&IsaRun::predicted) && machines.empty()) return;
    if (index > 0) heading(fmt::format("run on one core with {}", isa_name(index)));
    for (const auto& [key, level, member] : kNamedLevels) {
      const auto shown = [speed = member](const std::optional<LevelSpeeds>& speeds) {
        const bool has = speeds && (*speeds).*speed != 0;
        return has ? rough_number((*speeds).*speed) : std::string("-");
      };
      const auto measured = [speed = member](const IsaRun& run) {
        const bool has = run.measured && (*run.measured).*speed != 0;
        return has ? short_number((*run.measured).*speed) : std::string("-");
      };
      row(1, fmt::format("GB/s in {}, predicted", level),
          run(index, [shown](const IsaRun& r) { return shown(r.predicted); }));
      if (any(&IsaRun::measured)) {
        row(2, "measured", run(index, measured));
      }
      for (const std::size_t i : machines) {
        row(2, "on " + report_.machines[i].name + ", predicted",
            run(index, [shown, i](const IsaRun& r) { return shown(r.elsewhere[i]); }));
      }
    }
  }

  const Report& report_;
  std::vector<TableBlock> blocks_;
};

/// What speeds count, where there are some.
std::string speeds_legend(const Report& report) {
  const bool has_speeds = std::ranges::any_of(report.sets, [](const ReportSet& set) {
    return !set.runs.empty() && (set.runs.front().predicted || set.runs.front().measured);
  });
  if (!has_speeds) return "";
  std::string text =
      " GB/s counts data bytes, k chunks. Chunks in L1 are so small that the time of a call "
      "counts.";
  const bool has_words = std::ranges::any_of(report.sets, [](const ReportSet& set) {
    return set.arrangement == Arrangement::kWord && set.file.program.is_xor();
  });
  if (has_words) {
    text +=
        " On words a code multiplies: that speed stands with the direct equations, and other "
        "equations over bits have none.";
  }
  return text;
}

}  // namespace

std::vector<TableBlock> report_blocks(const Report& report) {
  Blocks blocks(report);
  blocks.equations();
  blocks.on_cores();
  blocks.runs();
  if (report.has_engines) blocks.engines();
  return blocks.take();
}

bool has_measured(const Report& report) {
  return std::ranges::any_of(report.sets, [](const ReportSet& set) {
    return !set.runs.empty() && set.runs.front().measured;
  });
}

std::string report_legend(const Report& report, bool has_error) {
  std::string text =
      "A path is a chain of XORs that must run one after another. The longest path adds the "
      "operands of an equation one after another; the critical path adds them in the best order. ";
  if (report.erased.empty()) {
    text +=
        "F is (XORs per bit + 1) / k; 1.00 means k - 1 XORs per bit, the fewest for a code that "
        "survives any m losses. ";
  }
  text +=
      "A dash: there is no such number. Speedup is the XORs of direct equations for the same task "
      "over the steps. Efficiency is speedup over cores. A tile is what machine code computes in "
      "one turn.";
  text += speeds_legend(report);
  if (report.has_engines) {
    text +=
        " An engine takes a stripe per clock; B lanes take B times as many tables and registers, "
        "and B times the data bits. Registers that yosys counts have one more per rank, for "
        "validity.";
    if (const std::string version = yosys_version(report.sets); !version.empty()) {
      text += fmt::format(" Counted by {}.", version);
    }
  }
  if (report.error && has_error) {
    text += " " + prediction_error_text(report.error, has_measured(report));
  }
  for (const OtherMachine& machine : report.machines) {
    text += fmt::format(" {} is {}, L1 {}; nine of ten predictions for it are within {:.0f} %{}.",
                        machine.name, machine.cpu, cache_text(machine.caches.l1),
                        machine.error.held_out * 100,
                        machine.error.held_out > kLargeError ? ", which is a large error" : "");
  }
  return text;
}

std::string task_text(const Report& report) {
  return report.erased.empty() ? "computing the redundant chunks from the data"
                               : fmt::format("rebuilding locations {}", short_list(report.erased));
}

}  // namespace xorloom::cli
