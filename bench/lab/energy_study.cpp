#include <fmt/format.h>
#if defined(__linux__)
#include <ucontext.h>
#endif

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab/peers.hpp"
#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/energy_counter.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
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

/// Share of the power at full load that an idle server takes. Full load is that of encoding
/// kFullLoadSpec with chunks in L2, so that idle power depends on the machine alone.
///
/// Source: L. A. Barroso and U. Hölzle, The case for energy-proportional computing, IEEE Computer
///         40(12), 2007.
constexpr double kIdleShare = 0.5;
constexpr const char* kFullLoadSpec = "cauchy-good:k=10,m=4,w=8";

/// Bytes of the least chunks whose encoding is counted instruction by instruction.
constexpr std::size_t kCountedBytes = 1024;
constexpr double kCountingSeconds = 5;  ///< the most that this may take for a library

/// Seconds that a measurement of energy takes: counters advance every millisecond.
constexpr double kEnergySeconds = 0.3;

/// Energy of one encoding in joule, without idle power.
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
/// data. `counter`: null if nothing is to be measured beside.
Json point_at(const StudyTask& task, const TileCounts& tile, std::size_t chunk_bytes,
              EnergyCounter* counter) {
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
  if (counter != nullptr) {
    if (const auto joules = measured_joules(*counter, codec, fixture)) {
      row["measured_joules_per_gb"] = *joules * per_gb;
    }
  }
  return row;
}

/// Bytes of chunks whose stripe fits L2; of codes of large stripes the least that are studied.
std::size_t second_cache_chunk(const StudyTask& task) {
  const std::vector<std::size_t> sizes =
      chunk_sizes(task.code(), task.machine.caches, task.machine.memory_bytes);
  return sizes[std::min<std::size_t>(1, sizes.size() - 1)];
}

/// Watts of one core at full load, without idle power.
double measured_full_load(const StudyTask& task) {
  const BenchCode code{make_code(kFullLoadSpec), std::nullopt};
  const StudyTask reference{code, 0, task.run, task.machine};
  const TileCounts tile = encoding_explanation(reference).work.tile;
  return point_at(reference, tile, second_cache_chunk(reference), nullptr)["watts"].real();
}

/// Watts of measured_full_load(), measured once, so that all codes and sizes of a call have one
/// idle power.
double full_load_watts(const StudyTask& task) {
  static const double watts = measured_full_load(task);
  return watts;
}

/// Adds idle power and the sum. At full load the core takes `busy_watts` besides idle power, which
/// is then kIdleShare of both.
void add_idle(std::vector<Json>& rows, double busy_watts) {
  const double idle = busy_watts * kIdleShare / (1 - kIdleShare);
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

#if defined(__x86_64__) && defined(__linux__)
volatile std::uint64_t steps_counted;
volatile bool are_too_many;
Stopwatch since_first_step;

/// Counts an instruction. After kCountingSeconds the processor no longer stops.
void count_step(int, siginfo_t*, void* context) {
  constexpr std::uint64_t kStepsBetweenLooks = 1024;
  constexpr greg_t kTrapFlag = 0x100;
  steps_counted = steps_counted + 1;
  if (steps_counted % kStepsBetweenLooks != 0) return;
  if (since_first_step.seconds() < kCountingSeconds) return;
  are_too_many = true;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
}

/// The instructions of `work` on this thread: the processor stops after each, as for a debugger.
/// Each takes 1 to 20 microseconds then. 0 if the processor has no such mode, or if they are too
/// many.
std::uint64_t instructions_of(const std::function<void()>& work) {
  struct sigaction counting = {};
  struct sigaction before = {};
  counting.sa_sigaction = count_step;
  counting.sa_flags = SA_SIGINFO;
  if (sigaction(SIGTRAP, &counting, &before) != 0) return 0;
  steps_counted = 0;
  are_too_many = false;
  since_first_step = Stopwatch();
  // Sets and clears the trap flag, below the 128 bytes that functions may use past their stack.
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
  work();
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $-257, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
  sigaction(SIGTRAP, &before, nullptr);
  return are_too_many ? 0 : std::uint64_t{steps_counted};
}
#else
std::uint64_t instructions_of(const std::function<void()>&) { return 0; }
#endif

/// An encoder of chunks of some size.
using Encoder = std::function<void(std::uint8_t* const* chunks)>;

/// Instructions of a call that encodes chunks of `bytes`. 0: not counted.
double counted_instructions(const StudyTask& task, std::size_t bytes, const Encoder& encode) {
  if (!encode) return 0;
  const BenchFixture fixture = make_fixture(task.code(), bytes, Layout::kStaggered, task.run);
  const auto work = [&] { encode(fixture.stripe.pointers()); };
  work();  // a first call may make tables
  return static_cast<double>(instructions_of(work));
}

/// Instructions for a byte of data with chunks of `chunk_bytes`; 0: not counted. Counts two calls:
/// one on the smallest chunks of kCountedBytes or more for which there is an encoder, the other on
/// chunks of twice the size. The line through both counts gives the result.
double instructions_per_byte(const StudyTask& task, std::size_t chunk_bytes,
                             const std::function<Encoder(std::size_t chunk_bytes)>& encoder_of) {
  const std::size_t multiple = chunk_multiple(task.code());
  std::size_t bytes = (kCountedBytes + multiple - 1) / multiple * multiple;
  while (2 * bytes < chunk_bytes && !encoder_of(bytes)) bytes *= 2;
  const auto data_bytes = static_cast<double>(data_capacity(task.code(), chunk_bytes));
  if (2 * bytes >= chunk_bytes) {
    return counted_instructions(task, chunk_bytes, encoder_of(chunk_bytes)) / data_bytes;
  }
  const double once = counted_instructions(task, bytes, encoder_of(bytes));
  const double twice = counted_instructions(task, 2 * bytes, encoder_of(2 * bytes));
  if (once == 0 || twice == 0) return 0;
  const auto times = static_cast<double>(chunk_bytes) / static_cast<double>(bytes);
  return (once + (twice - once) * (times - 1)) / data_bytes;
}

/// Speed and energy of encoding, without loads and stores in L1, which are known for our own code
/// alone. `beyond`: joule for 10^9 bytes of data.
Json library_row(const std::string& name, Contender& contender, double instructions,
                 std::size_t data_bytes, double beyond, double idle_watts) {
  warm_up(contender);
  for (std::size_t i = 0; i < kStudyRounds; ++i) take_turn(contender);
  const double seconds = median_seconds(contender);
  const double idle = idle_watts * seconds * 1e9 / static_cast<double>(data_bytes);
  Json row{{"name", name},
           {"how", contender.name},
           {"data_gb_per_s", gigabytes_per_second(data_bytes, seconds)},
           {"instructions_per_byte", nullptr},
           {"instructions_joules_per_gb", nullptr},
           {"beyond_joules_per_gb", beyond},
           {"idle_joules_per_gb", idle},
           {"joules_per_gb", nullptr}};
  if (instructions == 0) return row;
  const double joules = instructions * 1e9 * kInstruction;
  row["instructions_per_byte"] = instructions;
  row["instructions_joules_per_gb"] = joules;
  row["joules_per_gb"] = joules + beyond + idle;
  return row;
}

/// The library's encoder for chunks of `chunk_bytes` that works as `how` says; empty: none.
Encoder encoder_of_peer(const Peer& peer, const Code& code, const std::string& how,
                        std::size_t chunk_bytes, Isa isa) {
  for (const PeerWay& way : peer.ways(code, encoding_map(code), chunk_bytes, isa)) {
    if (way.how == how) return way.run;
  }
  return {};
}

/// Encoding by Xorloom and by each library that has the code, with chunks of one size that fit L2.
Json library_rows(const StudyTask& task, double idle_watts, std::size_t chunk_bytes) {
  const Code& code = task.code();
  const Isa isa = choose_isa(task.run.isa);
  const BenchFixture fixture = make_fixture(code, chunk_bytes, Layout::kStaggered, task.run);
  std::uint8_t* const* chunks = fixture.stripe.pointers();
  const Plan encoding = task.codec(1).encoding();
  const std::size_t data_bytes = data_capacity(code, chunk_bytes);
  const std::string level = level_of(chunk_bytes * code.locations, task.machine.caches);
  // Every library reads the data and writes the redundancy, at least once.
  const double beyond = static_cast<double>(chunk_bytes * code.locations) * byte_energy(level) *
                        1e9 / static_cast<double>(data_bytes);
  const auto our_encoder = [&](std::size_t bytes) -> Encoder {
    return [&encoding, bytes](std::uint8_t* const* of) { check(encoding.run(of, bytes)); };
  };
  const auto contender_of = [chunks](const std::string& how, const Encoder& encode) {
    return Contender{how, [encode, chunks](std::size_t calls) {
                       for (std::size_t i = 0; i < calls; ++i) encode(chunks);
                     }};
  };
  const auto check_output = [&](const Encoder& encode) {
    ruin(fixture, encoding, code);
    encode(chunks);
    check_chunks(code, fixture, encoding.writes());
  };
  check_output(our_encoder(chunk_bytes));
  Contender ours = contender_of("", our_encoder(chunk_bytes));
  Json rows = Json::array();
  rows.push_back(library_row("xorloom", ours, instructions_per_byte(task, chunk_bytes, our_encoder),
                             data_bytes, beyond, idle_watts));
  for (const Peer& peer : built_peers()) {
    std::vector<Contender> ways;
    for (const PeerWay& way : peer.ways(code, encoding_map(code), chunk_bytes, isa)) {
      if (way.gives_our_bytes) check_output(way.run);
      ways.push_back(contender_of(way.how, way.run));
    }
    if (ways.empty()) continue;
    keep_fastest(ways, 1);
    const double instructions = instructions_per_byte(task, chunk_bytes, [&](std::size_t bytes) {
      return encoder_of_peer(peer, code, ways.front().name, bytes, isa);
    });
    rows.push_back(
        library_row(peer.name, ways.front(), instructions, data_bytes, beyond, idle_watts));
  }
  return rows;
}

Table library_table(const Json& rows) {
  return record_table(rows, {"encoding", "name"},
                      {{"",
                        {{"GB/s", "data_gb_per_s", to_three_digits},
                         {"instr./byte", "instructions_per_byte", to_three_digits}}},
                       {"joule per GB of data, without L1",
                        {{"instr.", "instructions_joules_per_gb", to_three_digits},
                         {"beyond", "beyond_joules_per_gb", to_three_digits},
                         {"idle", "idle_joules_per_gb", to_three_digits},
                         {"sum", "joules_per_gb", to_three_digits}}}});
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
  const TileCounts tile = encoding_explanation(task).work.tile;
  EnergyCounter counter;
  std::vector<Json> rows;
  for (const std::size_t bytes : sizes_of(task)) {
    rows.push_back(point_at(task, tile, bytes, &counter));
  }
  const double busy_watts = full_load_watts(task);
  add_idle(rows, busy_watts);
  std::size_t library_bytes = second_cache_chunk(task);
  if (task.chunk_bytes != 0) library_bytes = std::min(library_bytes, task.chunk_bytes);
  Json libraries = library_rows(task, rows.front()["idle_watts"].real(), library_bytes);
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
                  {"full_load", {{"spec", kFullLoadSpec}, {"watts", busy_watts}}},
                  {"why_not_measured", counter.why_none()},
                  {"levels", std::move(levels)},
                  {"library_chunk_bytes", library_bytes},
                  {"libraries", std::move(libraries)}};
  std::vector<DocumentPart> parts{
      Paragraph{"encoding on one core, with published energies of operations at 45 nm: take the "
                "sums to compare codes and sizes, not as what this machine takes"},
      Paragraph{fmt::format("idle power is {:.2g} W: as much as encoding {} in L2 takes besides",
                            busy_watts, kFullLoadSpec)},
      Pictures{{picture_of_energy(task, std::as_const(data)["levels"])}, {}, {}, true},
      std::move(table),
      Paragraph{fmt::format("beside other libraries, with chunks of {}; instructions are those of "
                            "two smaller calls, counted one by one if that takes {} s at most, and "
                            "extended to this size",
                            counted(library_bytes, "byte"), kCountingSeconds)},
      library_table(std::as_const(data)["libraries"])};
  if (!counter.why_none().empty()) parts.emplace_back(Paragraph{counter.why_none()});
  return {data, std::move(parts)};
}

}  // namespace xorloom::cli
