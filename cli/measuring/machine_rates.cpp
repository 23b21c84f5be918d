#include "cli/measuring/machine_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "cli/measuring/timed_codes.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostRatesBytes = std::size_t{1} << 20;

MachineRates::Of measured(Isa isa, Arrangement arrangement, std::atomic<std::size_t>& done) {
  const FittedCosts fitted = fit_costs(timed_calls(isa, arrangement, done));
  return {isa, arrangement, fitted.costs, fitted.error};
}

}  // namespace

MachineRates rates_in(const std::string& path) {
  const std::string text = read_text(path, kMostRatesBytes);
  try {
    return rates_of_text(text);
  } catch (const Error& error) {
    fail(Status::kParse,
         fmt::format("{} holds no rates of a machine: {}", input_name(path), error.what()));
  }
}

void keep_rates(const MachineRates& rates) {
  const std::string path = rates_path();
  if (path.empty()) return;
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_output(path, rates_json(rates).dump(2) + "\n");
  } catch (const std::exception&) {
    // They are measured again the next time.
  }
}

const MachineRates::Of& measured_rates(MachineRates& rates, Isa isa, Arrangement arrangement) {
  if (const MachineRates::Of* known = find_rates(rates, isa, arrangement)) return *known;
  {
    std::atomic<std::size_t> done = 0;
    const ProgressLine line([&](std::size_t columns) {
      return fmt::format("measuring this machine once, {}: {} of {} codes", to_string(isa),
                         done.load(), num_timings(arrangement))
          .substr(0, columns);
    });
    rates.rates.push_back(measured(isa, arrangement, done));
  }
  keep_rates(rates);
  return rates.rates.back();
}

LevelSpeeds predicted_speeds(const MachineRates::Of& rates, const CacheSizes& caches,
                             const PlanWork& work) {
  const auto speed = [&](Level level, std::size_t stripe_bytes) {
    // A stripe has at least one tile.
    const double tiles =
        std::max(1.0, static_cast<double>(stripe_bytes) / static_cast<double>(bytes_of(work.tile)));
    const double seconds = seconds_of_call(rates.costs, level, work.tile, work.chunks, tiles);
    return tiles * gigabytes_per_second(work.data_bytes, seconds);
  };
  return {speed(Level::kL1, caches.l1 / 2), speed(Level::kL2, caches.l2 / 2),
          speed(Level::kL3, 4 * caches.l2), speed(Level::kMemory, 4 * caches.l3)};
}

LevelSpeeds roof_speeds(const MachineRates::Of& rates, const PlanWork& work) {
  const auto speed = [&](Level level) {
    return gigabytes_per_second(work.data_bytes,
                                moving_seconds(rates.costs.at(level, work.chunks), work.tile));
  };
  return {0, speed(Level::kL2), speed(Level::kL3), speed(Level::kMemory)};
}

}  // namespace xorloom::cli
