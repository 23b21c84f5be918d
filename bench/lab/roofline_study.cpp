#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
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
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {
namespace {

constexpr Element kWordStreams = 4;    ///< inputs, and outputs; all stay in registers
constexpr Element kPacketStreams = 8;  ///< inputs, and outputs; all stay in registers
constexpr int kPeakTurns = 32;
constexpr std::size_t kPeakChunkBytes = 1024;
constexpr std::size_t kPeakRounds = 9;

/// Makes a compute-bound program: outputs that are long sums, in registers.
class BusySums {
 public:
  BusySums(Element streams, const Field* field) : streams_(streams) {
    program_.locations = 2 * streams;
    program_.rows = 1;
    if (field != nullptr) program_.field = *field;
    for (Element i = 0; i < streams; ++i) {
      program_.inputs.push_back(i);
      program_.outputs.push_back(streams + i);
      last_.push_back(i);
    }
    next_ = 2 * streams;
  }

  Element last(Element i) const { return last_[i]; }

  /// Adds `second` to sum i. `is_last`: the result is output i.
  void add(Element i, Operand second, bool is_last) {
    const Element target = is_last ? streams_ + i : next_++;
    std::vector<Operand> operands{Operand(last_[i]), second};
    program_.equations.push_back({target, std::move(operands)});
    last_[i] = target;
  }

  Program take() {
    sort_equations(program_);
    check_program(program_);
    return std::move(program_);
  }

 private:
  Element streams_;
  Element next_ = 0;
  Program program_;
  std::vector<Element> last_;
};

/// Products of inputs are added to each sum, independently of the other sums.
Program busy_words(const Field& field) {
  BusySums sums(kWordStreams, &field);
  Field::Symbol factor = 2;
  for (int turn = 0; turn < kPeakTurns; ++turn) {
    for (Element i = 0; i < kWordStreams; ++i) {
      const Element other =
          (i + static_cast<Element>(turn) % (kWordStreams - 1) + 1) % kWordStreams;
      sums.add(i, Operand(other, factor), turn + 1 == kPeakTurns);
      factor = factor % 251 + 2;
    }
  }
  return sums.take();
}

/// One half of the sums is added to the other half, in turns. The sums of a turn are independent of
/// one another, so an instruction waits for the turn before alone. Each step can be undone, so all
/// sums stay linearly independent, and none is zero.
Program busy_packets() {
  constexpr Element kHalf = kPacketStreams / 2;
  BusySums sums(kPacketStreams, nullptr);
  for (int turn = 0; turn < 2 * kPeakTurns; ++turn) {
    const Element to = turn % 2 == 0 ? 0 : kHalf;
    for (Element i = 0; i < kHalf; ++i) {
      const Element from = (i + static_cast<Element>(turn / 2)) % kHalf + kHalf - to;
      sums.add(to + i, Operand(sums.last(from)), turn + 2 >= 2 * kPeakTurns);
    }
  }
  return sums.take();
}

/// Seconds of a call in the fastest of `rounds` turns: what limits is not slowed by other programs.
double least_seconds(const std::function<void(std::size_t calls)>& run, bool begins_cold,
                     std::size_t rounds) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rounds; ++i)
    least = std::min(least, timed_alone(run, begins_cold, 1));
  return least;
}

/// Peak throughput with all operands in registers, in result bytes per second.
double peak_operations(Isa isa, Arrangement arrangement) {
  const bool is_words = arrangement == Arrangement::kWord;
  const Element streams = is_words ? kWordStreams : kPacketStreams;
  Code code = make_code(is_words ? "rs:k=4,m=4" : "parity:k=15");
  const auto computation =
      make_computation(code, is_words ? busy_words(code.field) : busy_packets(), {.isa = isa});
  std::vector<std::uint8_t> bytes(code.locations * kPeakChunkBytes, 0x5a);
  std::vector<std::uint8_t*> chunks;
  for (std::size_t l = 0; l < code.locations; ++l)
    chunks.push_back(bytes.data() + l * kPeakChunkBytes);
  const std::size_t columns = computation->columns(kPeakChunkBytes);
  const double seconds = least_seconds(
      [&](std::size_t calls) {
        for (std::size_t i = 0; i < calls; ++i) {
          computation->run(chunks.data(), kPeakChunkBytes, 0, columns);
        }
      },
      false, kPeakRounds);
  const TileCounts& tile = computation->counts();
  const auto tiles = static_cast<double>(kPeakChunkBytes * streams) /
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
    const double limit_seconds = least_seconds(limit.run, is_cold, 3);
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
  const TileCounts tile = encoding_explanation(task).work.tile;
  const double intensity = static_cast<double>(tile.operations * tile.vector_bytes) /
                           static_cast<double>(bytes_of(tile));
  const double peak = peak_operations(plan_options(task.run).isa, task.code().arrangement);
  Json levels = Json::array();
  for (const std::size_t bytes : sizes_of(task))
    levels.push_back(point_at(task, bytes, intensity, peak));
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
