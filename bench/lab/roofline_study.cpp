#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/measuring/xor_roofline.hpp"
#include "cli/shell/running.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {
namespace {

constexpr Element kStreams = 4;  ///< inputs, and outputs; all stay in registers
constexpr int kPeakTurns = 32;
constexpr std::size_t kPeakChunkBytes = 1024;
constexpr std::size_t kPeakRounds = 9;

/// A compute-bound program: each output is a long chain of sums, independent of the others. On
/// packets, values rotate between the outputs; on words, products of inputs are added.
Program busy_program(Arrangement arrangement, const Field& field) {
  Program program;
  program.locations = 2 * kStreams;
  program.rows = 1;
  const bool is_words = arrangement == Arrangement::kWord;
  if (is_words) program.field = field;
  std::vector<Element> last;
  for (Element i = 0; i < kStreams; ++i) {
    program.inputs.push_back(i);
    program.outputs.push_back(kStreams + i);
    last.push_back(i);
  }
  Element next = 2 * kStreams;
  Field::Symbol factor = 2;
  for (int turn = 0; turn < kPeakTurns; ++turn) {
    for (Element i = 0; i < kStreams; ++i) {
      const bool is_end = turn + 1 == kPeakTurns;
      const Element target = is_end ? kStreams + i : next++;
      // All values are distinct sums, so that no XOR yields zero.
      const Element other = (i + static_cast<Element>(turn) % (kStreams - 1) + 1) % kStreams;
      const Operand second(turn == 0 || is_words ? other : last[other],
                           is_words ? factor : Field::Symbol{1});
      if (is_words) factor = factor % 251 + 2;
      if (last[i] == second.element) continue;
      std::vector<Operand> operands{Operand(last[i]), second};
      program.equations.push_back({target, std::move(operands)});
      last[i] = target;
    }
  }
  sort_equations(program);
  check_program(program);
  return program;
}

/// Peak throughput with all operands in registers, in result bytes per second.
double peak_operations(Isa isa, Arrangement arrangement) {
  Code code = make_code(arrangement == Arrangement::kWord ? "rs:k=4,m=4" : "parity:k=7");
  const auto computation =
      make_computation(code, busy_program(arrangement, code.field), {.isa = isa});
  std::vector<std::uint8_t> bytes(code.locations * kPeakChunkBytes, 0x5a);
  std::vector<std::uint8_t*> chunks;
  for (std::size_t l = 0; l < code.locations; ++l)
    chunks.push_back(bytes.data() + l * kPeakChunkBytes);
  const std::size_t columns = computation->columns(kPeakChunkBytes);
  const double seconds = timed_alone(
      [&](std::size_t calls) {
        for (std::size_t i = 0; i < calls; ++i) {
          computation->run(chunks.data(), kPeakChunkBytes, 0, columns);
        }
      },
      false, kPeakRounds);
  const TileCounts& tile = computation->counts();
  const auto tiles = static_cast<double>(kPeakChunkBytes * kStreams) /
                     static_cast<double>(tile.vectors_written * tile.vector_bytes);
  return tiles * static_cast<double>(tile.operations * tile.vector_bytes) / seconds;
}

/// Encoding in one level of memory, beside the roof: the least of `peak` and `intensity` *
/// bandwidth.
Json point_at(const StudyTask& task, std::size_t chunk_bytes, double intensity, double peak) {
  const BenchFixture fixture = make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
  const std::size_t stripe_bytes = chunk_bytes * task.code().locations;
  const bool is_cold = task.is_cold(chunk_bytes);
  const Plan encoding = task.codec(1).encoding();
  const double seconds = seconds_of_encoding(task.code(), encoding, fixture, is_cold, kStudyRounds);
  std::vector<const std::uint8_t*> reads;
  std::vector<std::uint8_t*> writes;
  for (const std::size_t l : encoding.reads()) reads.push_back(fixture.stripe.pointers()[l]);
  for (const std::size_t l : encoding.writes()) writes.push_back(fixture.stripe.pointers()[l]);
  const PlainXorStreams streams{reads.data(), reads.size(), writes.data(), writes.size()};
  double best = 0;
  for (Contender& limit : limit_contenders(streams, chunk_bytes, 1)) {
    const double limit_seconds = timed_alone(limit.run, is_cold, 3);
    if (best == 0 || limit_seconds < best) best = limit_seconds;
  }
  const auto bytes = static_cast<double>((reads.size() + writes.size()) * chunk_bytes);
  const double bandwidth = bytes / best;
  const double allowed = std::min(peak, intensity * bandwidth);
  const double reached = bytes * intensity / seconds;
  return {{"level", level_of(stripe_bytes, task.machine.caches)},
          {"chunk_bytes", chunk_bytes},
          {"bandwidth_bytes_per_s", bandwidth},
          {"allowed_operations_per_s", allowed},
          {"operations_per_s", reached},
          {"share", reached / allowed}};
}

Picture picture_of_roofline(const StudyTask& task, const Json& data) {
  const double intensity = data["operations_per_byte"].real();
  const double peak = data["peak_operations_per_s"].real();
  Chart chart{fmt::format("{}: operations a second, and what allows them", task.code().name()),
              {"operations for each byte read or written", ChartAxis::Scale::kLog2, false, false},
              {"10^9 operations a second, each on a byte", ChartAxis::Scale::kLog10, false, false},
              {},
              "Lines: what bandwidth and registers allow. Markers: encoding, with its chunks in "
              "each level."};
  const double least = intensity / 8;
  const double most = intensity * 8;
  for (const Json& level : data["levels"]) {
    const std::string& name = level["level"].text();
    const double bandwidth = level["bandwidth_bytes_per_s"].real();
    const double knee = peak / bandwidth;
    ChartSeries roof{fmt::format("{} allows", name), {}, ChartSeries::Form::kPlain, false, {}};
    roof.points.emplace_back(least, std::min(peak, least * bandwidth) / 1e9);
    if (knee > least && knee < most) roof.points.emplace_back(knee, peak / 1e9);
    roof.points.emplace_back(most, std::min(peak, most * bandwidth) / 1e9);
    chart.series.push_back(std::move(roof));
    chart.series.push_back({fmt::format("encoding in {}", name),
                            {{intensity, level["operations_per_s"].real() / 1e9}},
                            ChartSeries::Form::kMarkers,
                            false,
                            {}});
  }
  return draw_chart(chart);
}

}  // namespace

StudyResult study_roofline(const StudyTask& task) {
  const TileCounts tile = encoding_explanation(task).tile;
  const double intensity = static_cast<double>(tile.operations * tile.vector_bytes) /
                           static_cast<double>(bytes_of(tile));
  const double peak = peak_operations(plan_options(task.run).isa, task.code().arrangement);
  std::vector<std::size_t> sizes =
      chunk_sizes(task.code(), task.machine.caches, task.machine.memory_bytes);
  if (task.chunk_bytes != 0) sizes = {task.chunk_bytes};
  Json levels = Json::array();
  for (const std::size_t bytes : sizes) levels.push_back(point_at(task, bytes, intensity, peak));
  Table table = record_table(levels, {"cache", "level"},
                             {{"", {{"chunk", "chunk_bytes", in_full}}},
                              {"plain XOR", {{"GB/s moved", "bandwidth_bytes_per_s", in_billions}}},
                              {"10^9 operations a second",
                               {{"allowed", "allowed_operations_per_s", in_billions},
                                {"reached", "operations_per_s", in_billions},
                                {"share", "share", to_two_decimals}}}});
  const Json data{{"operations_per_byte", intensity},
                  {"peak_operations_per_s", peak},
                  {"levels", std::move(levels)}};
  return {
      data,
      {Paragraph{"encoding on one core; an operation is an instruction that computes, for each "
                 "byte of its registers"},
       Pictures{{picture_of_roofline(task, data)}, {}, {}, true},
       facts_of(
           data,
           {{"operations for each byte read or written", "operations_per_byte", to_three_digits},
            {"10^9 operations a second from registers", "peak_operations_per_s", in_billions}}),
       std::move(table)}};
}

}  // namespace xorloom::cli
