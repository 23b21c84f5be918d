#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/energy_counter.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {
namespace {

// Energies of operations in joule, at 45 nm and 0.9 V.
//
// Source: M. Horowitz, Computing's energy problem (and what we can do about it), ISSCC 2014,
//         figure 1.1.9: an instruction without its operation; 64 bits from caches of 32 KiB and
//         1 MiB; 64 bits from DRAM, of which 1.3 to 2.6 nJ the middle is taken. The operation
//         itself, 0.1 pJ for an addition of 32 bits, is left out.
constexpr double kInstruction = 70e-12;
constexpr double kSmallCacheByte = 20e-12 / 8;
constexpr double kLargeCacheByte = 100e-12 / 8;
constexpr double kMemoryByte = 1.95e-9 / 8;

/// Share of the power at full load that an idle server takes.
///
/// Source: L. A. Barroso and U. Hölzle, The case for energy-proportional computing, IEEE Computer
///         40(12), 2007.
constexpr double kIdleShare = 0.5;

/// Seconds that a measurement of energy takes: counters advance every millisecond.
constexpr double kEnergySeconds = 0.3;

/// What one encoding takes, in joule, without idle power.
struct CallEnergy {
  double instructions = 0;
  double first_cache = 0;
  double beyond = 0;  ///< bytes of chunks from L2, L3 or memory

  double sum() const { return instructions + first_cache + beyond; }
};

/// Joule for a byte of a chunk that lies in a level, beside those of the first cache. The source
/// has no larger cache than 1 MiB, which stands for L3, too.
double byte_energy(const std::string& level) {
  if (level == "L1") return 0;
  return level == "L2" || level == "L3" ? kLargeCacheByte : kMemoryByte;
}

CallEnergy energy_of(const Code& code, const TileCounts& tile, std::size_t chunk_bytes,
                     const std::string& level) {
  const auto vector = static_cast<double>(tile.vector_bytes);
  const double written = static_cast<double>(code.redundant.size()) *
                         (static_cast<double>(chunk_bytes) / static_cast<double>(code.subchunks));
  const double tiles = written / (static_cast<double>(tile.vectors_written) * vector);
  return {tiles * static_cast<double>(tile.instructions) * kInstruction,
          tiles * static_cast<double>(tile.loads + tile.stores) * vector * kSmallCacheByte,
          tiles * static_cast<double>(bytes_of(tile)) * byte_energy(level)};
}

/// Joule of one call, by the counters of the processor; nullopt if there are none.
std::optional<double> measured_joules(EnergyCounter& counter, const Codec& codec,
                                      const BenchFixture& fixture) {
  if (!counter.why_none().empty()) return std::nullopt;
  (void)counter.joules();
  std::size_t calls = 0;
  const Stopwatch watch;
  do {
    check(codec.encode(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
    ++calls;
  } while (watch.seconds() < kEnergySeconds);
  const auto joules = counter.joules();
  if (!joules) return std::nullopt;
  return *joules / static_cast<double>(calls);
}

/// Encoding with its chunks in one level: speed, and the parts of its energy for 10^9 bytes of
/// data.
Json point_at(const StudyTask& task, const TileCounts& tile, std::size_t chunk_bytes,
              EnergyCounter& counter) {
  const Code& code = task.code();
  const BenchFixture fixture = make_fixture(code, chunk_bytes, Layout::kStaggered, task.run);
  const Codec codec = task.codec(1);
  const double seconds =
      seconds_of_encoding(code, codec.encoding(), fixture, task.is_cold(chunk_bytes), kStudyRounds);
  const std::string level = level_of(chunk_bytes * code.locations, task.machine.caches);
  const CallEnergy energy = energy_of(code, tile, chunk_bytes, level);
  const std::size_t data_bytes = data_capacity(code, chunk_bytes);
  const double per_gb = 1e9 / static_cast<double>(data_bytes);
  Json row{{"level", level},
           {"chunk_bytes", chunk_bytes},
           {"data_bytes", data_bytes},
           {"seconds", seconds},
           {"data_gb_per_s", gigabytes_per_second(data_bytes, seconds)},
           {"instructions_joules_per_gb", energy.instructions * per_gb},
           {"first_cache_joules_per_gb", energy.first_cache * per_gb},
           {"beyond_joules_per_gb", energy.beyond * per_gb},
           {"watts", energy.sum() / seconds},
           {"measured_joules_per_gb", nullptr}};
  if (const auto joules = measured_joules(counter, codec, fixture)) {
    row["measured_joules_per_gb"] = *joules * per_gb;
  }
  return row;
}

/// Adds idle power, which is as much as the most that the core was seen to take besides, and the
/// sum. That is what kIdleShare says of full load.
void add_idle(std::vector<Json>& rows) {
  double most = 0;
  for (const Json& row : rows) most = std::max(most, row["watts"].real());
  const double idle = most * kIdleShare / (1 - kIdleShare);
  for (Json& row : rows) {
    const double per_gb = 1 / std::as_const(row)["data_gb_per_s"].real();  // seconds
    const double idle_joules = idle * per_gb;
    const double busy_joules = std::as_const(row)["watts"].real() * per_gb;
    row["idle_watts"] = idle;
    row["idle_joules_per_gb"] = idle_joules;
    row["busy_joules_per_gb"] = busy_joules;
    row["joules_per_gb"] = idle_joules + busy_joules;
    const Json& measured = std::as_const(row)["measured_joules_per_gb"];
    row["measured_over_model"] =
        measured.is_null() ? Json(nullptr) : Json(measured.real() / (idle_joules + busy_joules));
  }
}

Picture picture_of_energy(const StudyTask& task, const Json& levels) {
  Chart chart{fmt::format("{}: joule for 10^9 bytes of data", task.code().name()),
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {"joule per GB of data", ChartAxis::Scale::kLinear, true, false},
              {},
              ""};
  chart.series.push_back({"model", points_of(levels, "chunk_bytes", "joules_per_gb")});
  chart.series.push_back(
      {"model without idle power", points_of(levels, "chunk_bytes", "busy_joules_per_gb")});
  auto measured = points_of(levels, "chunk_bytes", "measured_joules_per_gb");
  if (!measured.empty()) chart.series.push_back({"measured", std::move(measured)});
  return draw_chart(chart);
}

}  // namespace

StudyResult study_energy(const StudyTask& task) {
  const TileCounts tile = encoding_explanation(task).tile;
  std::vector<std::size_t> sizes =
      chunk_sizes(task.code(), task.machine.caches, task.machine.memory_bytes);
  if (task.chunk_bytes != 0) sizes = {task.chunk_bytes};
  EnergyCounter counter;
  std::vector<Json> rows;
  for (const std::size_t bytes : sizes) rows.push_back(point_at(task, tile, bytes, counter));
  add_idle(rows);
  Json levels = Json::array();
  for (Json& row : rows) levels.push_back(std::move(row));
  Table table = record_table(
      levels, {"cache", "level"},
      {{"", {{"chunk", "chunk_bytes", in_full}, {"GB/s", "data_gb_per_s", to_three_digits}}},
       {"model, joule per GB of data",
        {{"instr.", "instructions_joules_per_gb", to_three_digits},
         {"L1", "first_cache_joules_per_gb", to_three_digits},
         {"beyond", "beyond_joules_per_gb", to_three_digits},
         {"idle", "idle_joules_per_gb", to_three_digits},
         {"sum", "joules_per_gb", to_three_digits}}},
       {"measured",
        {{"J/GB", "measured_joules_per_gb", to_three_digits},
         {"ratio", "measured_over_model", to_two_decimals}}}});
  const Json data{{"instructions", tile.instructions},
                  {"loads", tile.loads},
                  {"stores", tile.stores},
                  {"vectors_read", tile.vectors_read},
                  {"vectors_written", tile.vectors_written},
                  {"vector_bytes", tile.vector_bytes},
                  {"why_not_measured", counter.why_none()},
                  {"levels", std::move(levels)}};
  std::vector<DocumentPart> parts{
      Paragraph{"encoding on one core, with published energies of operations at 45 nm: take the "
                "sums to compare codes and sizes, not as what this machine takes"},
      Pictures{{picture_of_energy(task, std::as_const(data)["levels"])}, {}, {}, true},
      std::move(table)};
  if (!counter.why_none().empty()) parts.emplace_back(Paragraph{counter.why_none()});
  return {data, std::move(parts)};
}

}  // namespace xorloom::cli
