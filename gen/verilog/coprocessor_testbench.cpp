#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "equations/ir/random.hpp"
#include "gen/verilog/coprocessor.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostUnits = 256;  ///< words with one bit that is 1, of all matrices together
constexpr std::size_t kRandomWords = 64;  ///< random words of a matrix
/// Most products of the oracle per matrix; a matrix has at least 4 words in any case.
constexpr std::size_t kMostProducts = 1 << 22;

constexpr std::string_view kCoprocessorTestbench = R"(
/* verilator lint_off WIDTH */
module @name@ #(
  parameter CLOCKS = 1000  // at least, with some more until the last results are out
);
  localparam LATENCY = @latency@;
  localparam ROWS = @rows@;
  localparam COLUMNS = @columns@;
  localparam W = @w@;
  localparam LANES = @lanes@;
  localparam USED_TILES = @used@;
  localparam MATRICES = @matrices@;
  localparam WORDS = @words@;
  localparam DENSE_CLOCKS = @dense@;  // that all words take: rows times columns of tiles for each

  // What the matrices are, the words of each, and the tiles row by row.
  reg [@tile_high@:0] first_tile [0:MATRICES-1];
  reg [@row_high@:0] last_row [0:MATRICES-1];
  reg [@tile_high@:0] last_column [0:MATRICES-1];
  reg [31:0] matrix_of [0:WORDS-1];
  reg [31:0] slice_of [0:WORDS-1];
  reg [31:0] result_of [0:WORDS-1];
  reg [COLUMNS*LANES*W-1:0] slices [0:@last_slice@];
  reg [ROWS*LANES*W-1:0] results [0:@last_result@];
  reg [COLUMNS*W-1:0] rows_of_tiles [0:USED_TILES*ROWS-1];
  initial begin
@content@  end

  // Phase 0 resets, 1 computes each word once, 2 clears the tiles, 3 computes with these, 4 loads
  // the tiles again, 5 computes words at random.
  reg clk;
  reg [2:0] phase;
  reg [31:0] clocks;
  reg [31:0] random;
  reg [31:0] sent;  // words of this phase
  reg [31:0] word;
  reg [31:0] column;
  reg in_valid;
  reg [31:0] loaded;  // rows of tiles
  wire load = phase == 2 || phase == 4;
  wire in_ready;
  wire out_valid;
  wire [ROWS*LANES*W-1:0] out;
  wire [COLUMNS*LANES*W-1:0] row_spread;
  wire [31:0] matrix = matrix_of[word];
  wire [31:0] row_index = loaded < USED_TILES*ROWS ? loaded : 0;
  wire [@tile_high@:0] load_tile = row_index / ROWS;
  wire [@load_row_high@:0] load_row = row_index % ROWS;

  // A row of coefficients as the port takes it: each in the first symbol of an element.
  genvar j;
  generate
    for (j = 0; j < COLUMNS; j = j + 1) begin : spread
      assign row_spread[j*LANES*W +: LANES*W] =
          {{(LANES*W){1'b0}} | rows_of_tiles[row_index][j*W +: W]};
    end
  endgenerate

  @module@ coprocessor (
      .clk(clk), .reset(phase == 0), .load(load), .load_tile(load_tile),
      .load_row(load_row), .in_valid(in_valid), .in_ready(in_ready),
      .in(phase == 2 ? {(COLUMNS*LANES*W){1'b0}}
          : phase == 4 ? row_spread : slices[slice_of[word] + column]),
      .first_tile(first_tile[matrix]),@?tall@ .last_row(last_row[matrix]),@.@
      .last_column(last_column[matrix]), .out_valid(out_valid), .out(out));

  // Words that are computed: when their results are due, first come first.
  reg [31:0] due_word [0:15];
  reg [31:0] due_clock [0:15];
  reg [3:0] head;
  reg [3:0] tail;
  reg [31:0] row;
  wire is_due = head != tail && clocks == due_clock[head] + row;
  wire [ROWS*LANES*W-1:0] wanted = phase == 3 ? {(ROWS*LANES*W){1'b0}}
                                   : results[result_of[due_word[head]] + row];

  wire takes = in_valid && in_ready;
  wire ends_word = column == last_column[matrix];
  wire is_random = phase == 5;
  wire is_computing = phase == 1 || phase == 3 || is_random;
  wire is_enough = is_random ? clocks >= CLOCKS : sent + (takes && ends_word) >= WORDS;
  wire stops = is_enough && (takes ? ends_word : column == 0);
  reg [31:0] first_clock;
  reg is_over;

  initial begin
    clk = 1'b0;
    phase = 0;
    clocks = 0;
    random = 32'h2545f491;
    sent = 0;
    word = 0;
    column = 0;
    in_valid = 1'b0;
    loaded = 0;
    head = 0;
    tail = 0;
    row = 0;
    first_clock = 0;
    is_over = 1'b0;
  end
  always #5 clk = !clk;

@xorshift@  always @(posedge clk) begin
    clocks <= clocks + 1;
    random <= three;
    case (phase)
      0: if (clocks == 2) phase <= 1;
      2, 4: begin
        loaded <= loaded + 1;
        if (loaded == USED_TILES*ROWS - 1) begin
          phase <= phase + 1;
          loaded <= 0;
        end
      end
      default: if (is_over && head == tail) begin
        if (is_random) begin
          $display("PASS: %0d clocks; %0d words took %0d clocks", clocks, WORDS, DENSE_CLOCKS);
          $finish;
        end
        phase <= phase + 1;
        sent <= 0;
        is_over <= 1'b0;
      end
    endcase

    if (is_computing) begin
      if (stops && !is_over) is_over <= 1'b1;
      in_valid <= !stops && !is_over && (!is_random || random[17:16] != 0);
    end
    if (takes) begin
      if (sent == 0 && column == 0) first_clock <= clocks;
      column <= ends_word ? 0 : column + 1;
      if (ends_word) begin
        sent <= sent + 1;
        word <= is_random ? random % WORDS : word == WORDS - 1 ? 0 : word + 1;
        due_word[tail] <= word;
        due_clock[tail] <= clocks + LATENCY;
        tail <= tail + 1;
        if (sent == WORDS - 1 && phase == 1
            && clocks + last_row[matrix] + 1 - first_clock != DENSE_CLOCKS) begin
          $display("FAIL: all words took %0d clocks instead of %0d",
                   clocks + last_row[matrix] + 1 - first_clock, DENSE_CLOCKS);
          $stop;
        end
      end
    end

    if (phase != 0 && out_valid !== is_due) begin
      $display("FAIL: out_valid is %b at clock %0d", out_valid, clocks);
      $stop;
    end else if (phase != 0 && out_valid) begin
      if (out !== wanted) begin
        $display("FAIL: out is %h", out);
        $display("      instead of %h", wanted);
        $stop;
      end
      if (row == last_row[matrix_of[due_word[head]]]) begin
        head <= head + 1;
        row <= 0;
      end else row <= row + 1;
    end
  end
endmodule
)";

/// Contents of a testbench: words of all lanes, as slices and as results.
struct Content {
  std::string text{};
  std::size_t words = 0;
  std::size_t slices = 0;
  std::size_t results = 0;
  std::size_t dense_clocks = 0;
};

Content content_of(const Code& code, const Coprocessor& coprocessor) {
  const std::vector<TiledMatrix>& matrices = coprocessor.matrices;
  const std::size_t lanes = coprocessor.shape.lanes;
  const std::size_t w = code.field.w();
  Content content;
  const auto assign = [&](const char* name, std::size_t index,
                          const std::vector<Field::Symbol>& list) {
    content.text +=
        fmt::format("    {}[{}] = {}'h{};\n", name, index, list.size() * w, hexadecimal(list, w));
  };
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    content.text += fmt::format(
        "    first_tile[{0}] = {1}; last_row[{0}] = {2}; last_column[{0}] = {3};\n", i,
        matrices[i].first_tile, matrices[i].row_tiles - 1, matrices[i].column_tiles - 1);
  }
  std::size_t index = 0;
  const auto row_size = static_cast<std::ptrdiff_t>(coprocessor.shape.columns);
  for (const std::vector<Field::Symbol>& tile : tiles_of(coprocessor)) {
    for (auto row = tile.begin(); row != tile.end(); row += row_size) {
      assign("rows_of_tiles", index++, {row, row + row_size});
    }
  }
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const TiledMatrix& matrix = matrices[i];
    const std::size_t cells = matrix.map.inputs.size() * matrix.map.outputs.size();
    const std::size_t most_words =
        std::max<std::size_t>(4, std::min(kMostProducts / cells, kMostUnits / matrices.size()));
    const std::size_t units = std::min(most_words, matrix.map.inputs.size() * w);
    const std::size_t random = std::min(most_words, kRandomWords);
    // Rounded up to whole words of all lanes.
    const std::size_t count = (units + random + lanes - 1) / lanes;
    const BenchStripes stripes = bench_words(code, matrix.map, units, count * lanes, i + 1);
    for (std::size_t word = 0; word < count; ++word) {
      content.text +=
          fmt::format("    matrix_of[{0}] = {1}; slice_of[{0}] = {2}; result_of[{0}] = {3};\n",
                      content.words++, i, content.slices, content.results);
      content.dense_clocks += matrix.row_tiles * matrix.column_tiles;
      // Assigns `list` in parts of `size` cells, each with an element of all lanes; 0 past the end.
      const auto assign_parts = [&](const char* name, std::size_t& next,
                                    const std::vector<Cell>& list, std::size_t size) {
        for (std::size_t first = 0; first < list.size(); first += size) {
          std::vector<Field::Symbol> symbols(size * lanes);
          for (std::size_t s = 0; s < symbols.size(); ++s) {
            const std::size_t cell = first + s / lanes;
            if (cell < list.size())
              symbols[s] = stripes.symbol(list[cell], word * lanes + s % lanes);
          }
          assign(name, next++, symbols);
        }
      };
      assign_parts("slices", content.slices, matrix.map.inputs, coprocessor.shape.columns);
      assign_parts("results", content.results, matrix.map.outputs, coprocessor.shape.rows);
    }
  }
  return content;
}

}  // namespace

BenchStripes bench_words(const Code& code, const LinearMap& map, std::size_t units,
                         std::size_t words, std::uint64_t seed) {
  const std::size_t w = code.field.w();
  BenchStripes stripes(code, words);
  for (std::size_t i = 0; i < units; ++i) {
    const std::size_t unit = i * map.inputs.size() * w / units;
    stripes.add(map.inputs[unit / w], i, std::uint64_t{1} << unit % w);
  }
  Random random(seed);
  for (std::size_t i = units; i < words; ++i) {
    for (const Cell cell : map.inputs) stripes.add(cell, i, random());
  }
  stripes.compute(map);
  return stripes;
}

std::string write_coprocessor_testbench(const Code& code, const Coprocessor& coprocessor) {
  const auto [rows, columns, tiles, lanes] = coprocessor.shape;
  const Content content = content_of(code, coprocessor);
  const std::string name = coprocessor.module + "_testbench";
  return testbench_head(
             "A testbench of a coprocessor for Reed-Solomon codes, generated by xorloom emit: "
             "Verilog-2005. It computes words of each matrix, and compares what comes out, and "
             "when, with results that were computed from the matrix of the code. It also loads the "
             "matrix memory anew. It ends with PASS and $finish, or at the first wrong bit with "
             "FAIL and $stop.",
             name, "DESIGN.v") +
         filled(kCoprocessorTestbench, {{"name", name},
                                        {"tile_high", bits_below(tiles) - 1},
                                        {"row_high", bits_below(coprocessor.row_tiles) - 1},
                                        {"load_row_high", bits_below(rows) - 1},
                                        {"module", coprocessor.module},
                                        {"latency", kCoprocessorLatency},
                                        {"rows", rows},
                                        {"columns", columns},
                                        {"w", code.field.w()},
                                        {"lanes", lanes},
                                        {"used", coprocessor.used_tiles()},
                                        {"matrices", coprocessor.matrices.size()},
                                        {"words", content.words},
                                        {"dense", content.dense_clocks},
                                        {"last_slice", content.slices - 1},
                                        {"last_result", content.results - 1},
                                        {"xorshift", xorshift_wires("one", "two", "three")},
                                        {"tall", coprocessor.row_tiles > 1},
                                        {"content", content.text}});
}

}  // namespace xorloom
