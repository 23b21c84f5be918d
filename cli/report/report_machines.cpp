#include "cli/report/report_machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/measuring/machine_rates.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostName = 20;  // columns of the name in a table

/// The rates for `isa` and `arrangement`, null if there are none. For packets, another instruction
/// set of the same vector width will do, since its XORs cost the same.
const MachineRates::Of* rates_for(const MachineRates& rates, Isa isa, Arrangement arrangement) {
  const MachineRates::Of* same = find_rates(rates, isa, arrangement);
  if (same != nullptr || arrangement == Arrangement::kWord) return same;
  const auto like = std::ranges::find_if(rates.rates, [&](const MachineRates::Of& of) {
    return of.arrangement == arrangement && vector_bytes(of.isa) == vector_bytes(isa);
  });
  return like != rates.rates.end() ? &*like : nullptr;
}

/// Adds `of` to the rates that predictions come from, best instruction sets first, if it is new.
void add_rates(MachineRates& used, const MachineRates::Of& of) {
  if (find_rates(used, of.isa, of.arrangement) == nullptr) used.rates.push_back(of);
}

void predict_here(Report& report, bool measures) {
  MachineRates rates = kept_rates();
  report.machine = rates.cpu;
  for (ReportSet& set : report.sets) {
    for (IsaRun& run : set.runs) {
      const auto* of = measures ? &measured_rates(rates, run.isa, set.arrangement)
                                : find_rates(rates, run.isa, set.arrangement);
      if (of == nullptr) continue;
      run.predicted = predicted_speeds(*of, report.caches, run.work);
      run.roof = roof_speeds(*of, run.work);
      add_rates(report.rates, *of);
    }
  }
}

void predict_on(const GivenMachine& machine, Report& report) {
  OtherMachine other{machine.name, {machine.rates.cpu, machine.rates.caches, {}}};
  for (ReportSet& set : report.sets) {
    for (IsaRun& run : set.runs) {
      const auto* of = rates_for(machine.rates, run.isa, set.arrangement);
      std::optional<LevelSpeeds>& speeds = run.elsewhere.emplace_back();
      if (of == nullptr) continue;
      speeds = predicted_speeds(*of, machine.rates.caches, run.work);
      add_rates(other.rates, *of);
    }
  }
  if (other.rates.rates.empty()) {
    report.left_out.push_back(fmt::format(
        "speeds on {}: {} has no rates for the instruction sets and arrangements of these sets",
        machine.name, machine.path));
    for (ReportSet& set : report.sets) {
      for (IsaRun& run : set.runs) run.elsewhere.pop_back();
    }
    return;
  }
  report.machines.push_back(std::move(other));
}

}  // namespace

std::vector<GivenMachine> given_machines(const std::vector<std::string>& paths) {
  std::vector<GivenMachine> machines;
  for (const std::string& path : paths) {
    const std::string name = printable(std::filesystem::path(path).stem().string());
    machines.push_back({name, printable(path), rates_in(path)});
  }
  std::vector<std::string> names;
  for (const GivenMachine& machine : machines) names.push_back(machine.name);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const bool is_clear = width(names[i]) <= kMostName && std::ranges::count(names, names[i]) == 1;
    if (!is_clear) machines[i].name = fmt::format("machine {}", i + 1);
  }
  return machines;
}

void predict(Report& report, bool measures, const std::vector<GivenMachine>& machines) {
  report.caches = cache_sizes();
  const bool runs =
      std::ranges::any_of(report.sets, [](const ReportSet& set) { return !set.runs.empty(); });
  if (runs) predict_here(report, measures);
  for (const GivenMachine& machine : machines) predict_on(machine, report);
}

}  // namespace xorloom::cli
