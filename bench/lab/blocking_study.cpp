#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array<std::size_t, 7> kBlocks = {4, 8, 16, 24, 32, 48, 64};

/// Bytes of cache for the columns of a tile: B inputs, B sums before and B sums after fill half of
/// an L1 of 48 KiB.
constexpr std::size_t kColumnBytes = std::size_t{24} << 10;
constexpr std::size_t kLeastColumns = 256;

/// Encoding matrix of a code on words with one symbol per location.
struct Rows {
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> outputs;
  const Matrix& coefficients;
};

/// A tile of the matrix: sums of some inputs, added to earlier sums of the same outputs.
///
///   locations   inputs … | sums before … | sums after …
struct Tile {
  std::size_t first_input, inputs;
  std::size_t first_output, outputs;
  bool adds;  ///< adds to earlier sums
  std::unique_ptr<const Computation> computation;
};

Tile tile_of(const Code& code, const Rows& rows, std::size_t first_input, std::size_t first_output,
             std::size_t block, const PlanOptions& plan) {
  Tile tile{first_input,      std::min(block, rows.inputs.size() - first_input),
            first_output,     std::min(block, rows.outputs.size() - first_output),
            first_input != 0, nullptr};
  Program program;
  program.rows = 1;
  program.field = code.field;
  program.locations = tile.inputs + 2 * tile.outputs;
  const std::size_t read = tile.inputs + (tile.adds ? tile.outputs : 0);
  for (std::size_t i = 0; i < read; ++i) program.inputs.push_back(static_cast<Element>(i));
  for (std::size_t o = 0; o < tile.outputs; ++o) {
    const auto target = static_cast<Element>(tile.inputs + tile.outputs + o);
    Equation equation{target, {}};
    for (std::size_t i = 0; i < tile.inputs; ++i) {
      const Field::Symbol factor = rows.coefficients(first_output + o, first_input + i);
      if (factor != 0) equation.operands.emplace_back(static_cast<Element>(i), factor);
    }
    if (tile.adds) equation.operands.emplace_back(static_cast<Element>(tile.inputs + o));
    program.outputs.push_back(target);
    program.equations.push_back(std::move(equation));
  }
  check_program(program);
  Code wide = code;
  wide.locations = program.locations;
  tile.computation = make_computation(wide, program, plan);
  return tile;
}

/// Encodes tile by tile, over columns that stay in cache.
class Blocked {
 public:
  Blocked(const Code& code, const Rows& rows, std::size_t block, const PlanOptions& plan)
      : rows_(rows),
        columns_(
            std::max(kLeastColumns, kColumnBytes / (3 * block) / kLeastColumns * kLeastColumns)),
        sums_(2 * rows.outputs.size() * columns_) {
    for (std::size_t o = 0; o < rows.outputs.size(); o += block) {
      for (std::size_t i = 0; i < rows.inputs.size(); i += block) {
        tiles_.push_back(tile_of(code, rows, i, o, block, plan));
        longest_code_ = std::max(longest_code_, tiles_.back().computation->counts().code_bytes);
        all_have_code_ = all_have_code_ && tiles_.back().computation->has_code();
      }
    }
  }

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes) {
    std::vector<std::uint8_t*> pointers;
    for (std::size_t begin = 0; begin < chunk_bytes; begin += columns_) {
      const std::size_t count = std::min(columns_, chunk_bytes - begin);
      for (const Tile& tile : tiles_) {
        const std::size_t turn = tile.first_input == 0 ? turn_ = 0 : ++turn_;
        const bool is_last = tile.first_input + tile.inputs == rows_.inputs.size();
        pointers.clear();
        for (std::size_t i = 0; i < tile.inputs; ++i) {
          pointers.push_back(chunks[rows_.inputs[tile.first_input + i]] + begin);
        }
        for (std::size_t o = 0; o < tile.outputs; ++o) {
          pointers.push_back(sum(tile.first_output + o, turn + 1));
        }
        for (std::size_t o = 0; o < tile.outputs; ++o) {
          pointers.push_back(is_last ? chunks[rows_.outputs[tile.first_output + o]] + begin
                                     : sum(tile.first_output + o, turn));
        }
        tile.computation->run(pointers.data(), count, 0, tile.computation->columns(count));
      }
    }
  }

  std::size_t num_tiles() const { return tiles_.size(); }
  std::size_t longest_code() const { return longest_code_; }
  bool all_have_code() const { return all_have_code_; }
  std::size_t columns() const { return columns_; }

 private:
  std::uint8_t* sum(std::size_t output, std::size_t turn) {
    return sums_.data() + (2 * output + turn % 2) * columns_;
  }

  const Rows& rows_;
  std::size_t columns_;
  std::vector<std::uint8_t> sums_;
  std::vector<Tile> tiles_;
  std::size_t turn_ = 0;
  std::size_t longest_code_ = 0;
  bool all_have_code_ = true;
};

Rows rows_of(const Code& code, const LinearMap& map) {
  if (code.arrangement != Arrangement::kWord || code.subchunks != 1) {
    fail(Status::kUnsupported,
         fmt::format("{} has no matrix of a symbol a chunk on words, which study blocking cuts "
                     "into tiles",
                     code.name()));
  }
  Rows rows{{}, {}, map.coefficients};
  for (const Cell cell : map.inputs) rows.inputs.push_back(code.location_of_cell(cell));
  for (const Cell cell : map.outputs) rows.outputs.push_back(code.location_of_cell(cell));
  return rows;
}

}  // namespace

StudyResult study_blocking(const StudyTask& task) {
  const LinearMap map = encoding_map(task.code());
  const Rows rows = rows_of(task.code(), map);
  const std::size_t unit = chunk_multiple(task.code());
  const std::size_t chunk_bytes =
      task.chunk_bytes != 0 ? task.chunk_bytes : (std::size_t{4096} + unit - 1) / unit * unit;
  const BenchFixture fixture = make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
  const PlanOptions plan = for_encoding(plan_options(task.run));
  const std::size_t data_bytes = data_capacity(task.code(), chunk_bytes);
  Json tiles = Json::array();
  for (const std::size_t block : kBlocks) {
    Blocked blocked(task.code(), rows, block, plan);
    const auto run = [&](std::size_t calls) {
      for (std::size_t i = 0; i < calls; ++i) blocked.run(fixture.stripe.pointers(), chunk_bytes);
    };
    ruin(fixture, rows.outputs);
    run(1);
    check_chunks(task.code(), fixture, rows.outputs);
    const double seconds = timed_alone(run, false, kStudyRounds);
    tiles.push_back({{"block", block},
                     {"tiles", blocked.num_tiles()},
                     {"columns", blocked.columns()},
                     {"code_bytes", blocked.all_have_code() ? blocked.longest_code() : 0},
                     {"data_gb_per_s", gigabytes_per_second(data_bytes, seconds)}});
  }
  const double whole = gigabytes_per_second(
      data_bytes,
      seconds_of_encoding(task.code(), task.codec(1).encoding(), fixture, false, kStudyRounds));
  const ChartSeries series{"in tiles of B x B", points_of(tiles, "block", "data_gb_per_s")};
  const ChartSeries as_it_is{
      "without tiles",
      {{series.points.front().first, whole}, {series.points.back().first, whole}},
      ChartSeries::Form::kPlain,
      true,
      {}};
  const Chart chart{
      fmt::format("{}: encoding chunks of {}", task.code().name(), counted(chunk_bytes, "byte")),
      {"B, inputs and outputs of a tile", ChartAxis::Scale::kLinear, false, false},
      {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
      {series, as_it_is},
      ""};
  Table table = record_table(
      tiles, {"B", "block", in_full},
      {{"", {{"tiles", "tiles", in_full}, {"columns", "columns", in_full}}},
       {"code",
        {{"bytes", "code_bytes",
          [](const Json& bytes) { return bytes.whole() == 0 ? "kernels" : in_full(bytes); }}}},
       {"data", {{"GB/s", "data_gb_per_s", to_three_digits}}}});
  const Json data{{"chunk_bytes", chunk_bytes},
                  {"without_tiles_data_gb_per_s", whole},
                  {"rows", std::move(tiles)}};
  return {data,
          {Paragraph{fmt::format("encoding chunks of {} on one core, the matrix in tiles of B x B",
                                 counted(chunk_bytes, "byte"))},
           Pictures{{draw_chart(chart)}, {}, {}, true}, std::move(table),
           facts_of(data, {{"GB/s as bench runs it, without such tiles",
                            "without_tiles_data_gb_per_s", to_three_digits}})}};
}

}  // namespace xorloom::cli
