#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codes/linear_map.hpp"
#include "gen/verilog/verilog_bench.hpp"
#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom {
namespace {

constexpr std::uint32_t kSeed = 0x2545f491;
/// Usual words of redundancy in a testbench; most words and bytes, if elements have to exceed a
/// slice.
constexpr std::size_t kUsualWords = 2560;
constexpr std::size_t kMostWords = 32'768;
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

/// Xorshift of 32 bits (G. Marsaglia 2003), which the testbench computes, too.
std::uint32_t next_random(std::uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

/// Words of each location, stripe by stripe. The oracle computes the redundancy.
class TestMemory {
 public:
  TestMemory(const Code& code, std::size_t lanes, std::size_t element_words, std::size_t stripes)
      : code_(code),
        lanes_(lanes),
        element_words_(element_words),
        location_words_(stripes * code.subchunks * element_words),
        symbols_(code, stripes * element_words * lanes) {
    const std::size_t w = code.field.w();
    const std::vector<bool> is_data = holds_data(code);
    std::uint32_t random = kSeed;
    for (std::size_t location = 0; location < code.locations; ++location) {
      for (std::size_t word = 0; is_data[location] && word < location_words_; ++word) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          if (lane * w % 32 == 0) random = next_random(random);
          symbols_.add(cell(location, word), first_symbol(word) + lane, random >> lane * w % 32);
        }
      }
    }
    symbols_.compute(encoding_map(code));
  }

  /// A word as "64'h0123456789abcdef".
  std::string word(std::size_t location, std::size_t number) const {
    const std::size_t w = code_.field.w();
    std::vector<Field::Symbol> list;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      list.push_back(symbols_.symbol(cell(location, number), first_symbol(number) + lane));
    }
    return fmt::format("{}'h{}", lanes_ * w, hexadecimal(list, w));
  }

  std::size_t location_words() const { return location_words_; }

 private:
  Cell cell(std::size_t location, std::size_t word) const {
    return static_cast<Cell>(location * code_.subchunks + word / element_words_ % code_.subchunks);
  }

  /// The number of a word's first symbol among those of its cell in all stripes.
  std::size_t first_symbol(std::size_t word) const {
    const std::size_t stripe = word / element_words_ / code_.subchunks;
    return (stripe * element_words_ + word % element_words_) * lanes_;
  }

  const Code& code_;
  std::size_t lanes_;
  std::size_t element_words_;
  std::size_t location_words_;
  BenchStripes symbols_;
};

constexpr std::string_view kUnitTestbench = R"(module @name@ #(
    parameter LATENCY = @latency@  // clocks until a word arrives
);
  localparam WORD_BITS = @word_bits@;
  localparam PARTS = (WORD_BITS + 31) / 32;
  localparam LOCATIONS = @locations@;
  localparam LOCATION_BITS = @location_bits@;
  localparam [LOCATIONS-1:0] HOLDS_DATA = @holds_data@;
  localparam ELEMENT_WORDS = @element_words@;
  localparam STRIPES = @stripes@;
  localparam LOCATION_WORDS = @location_words@;
  localparam OPERATIONS = @operations@;
  localparam OPERATION_BITS = @operation_bits@;
  localparam MOST_CLOCKS = @most_clocks@;

  reg clk;
  reg reset;
  initial clk = 1'b0;
  always #5 clk <= !clk;

  // What is true, what the memory unit holds, and how often a word was read.
  reg [WORD_BITS-1:0] truth [0:LOCATIONS*LOCATION_WORDS-1];
  reg [WORD_BITS-1:0] memory [0:LOCATIONS*LOCATION_WORDS-1];
  reg [1:0] reads [0:LOCATIONS*LOCATION_WORDS-1];

  reg start;
  reg [OPERATION_BITS-1:0] operation;
  wire busy;
  wire done;
  wire fetch_valid;
  reg fetch_ready;
  wire [LOCATION_BITS-1:0] fetch_location;
  wire [31:0] fetch_address;
  wire store_valid;
  reg store_ready;
  wire [LOCATION_BITS-1:0] store_location;
  wire [31:0] store_address;
  wire [WORD_BITS-1:0] store_data;
  reg [LATENCY-1:0] is_delayed;
  reg [WORD_BITS-1:0] delayed [0:LATENCY-1];

  // A random number of 32 bits follows the other (xorshift, G. Marsaglia 2003).
  function [31:0] next_random;
    input [31:0] x;
    reg [31:0] y;
    begin
      y = x ^ (x << 13);
      y = y ^ (y >> 17);
      next_random = y ^ (y << 5);
    end
  endfunction

  // The memory unit.
  reg is_waiting;  // whether it makes the unit wait at random
  reg [31:0] random;
  reg is_outside;
  integer words_read;
  integer words_written;
  integer clocks;
  integer stage;
  wire [31:0] fetched =
      {{(32-LOCATION_BITS){1'b0}}, fetch_location} * LOCATION_WORDS + fetch_address;
  wire [31:0] stored =
      {{(32-LOCATION_BITS){1'b0}}, store_location} * LOCATION_WORDS + store_address;
  wire is_fetched = fetch_valid && fetch_ready;
  always @(posedge clk) begin
    clocks <= clocks + 1;
    random <= next_random(random);
    fetch_ready <= !is_waiting || random[1:0] != 0;
    store_ready <= !is_waiting || random[3:2] != 0;
    is_delayed[0] <= is_fetched;
    delayed[0] <= memory[fetched];
    for (stage = 1; stage < LATENCY; stage = stage + 1) begin
      is_delayed[stage] <= is_delayed[stage-1];
      delayed[stage] <= delayed[stage-1];
    end
    if (is_fetched) begin
      words_read <= words_read + 1;
      if (fetch_address >= LOCATION_WORDS) is_outside <= 1'b1;
      else if (reads[fetched] != 2'd3) reads[fetched] <= reads[fetched] + 2'd1;
    end
    if (store_valid && store_ready) begin
      words_written <= words_written + 1;
      if (store_address >= LOCATION_WORDS) is_outside <= 1'b1;
      else memory[stored] <= store_data;
    end
    if (start) begin
      clocks <= 1;
      words_read <= 0;
      words_written <= 0;
      is_outside <= 1'b0;
    end
    if (reset) begin
      random <= 32'd1;
      is_delayed <= {LATENCY{1'b0}};
    end
  end

  @module@ unit (
      .clk(clk), .reset(reset), .start(start), .operation(operation),
      .element_words(ELEMENT_WORDS), .stripes(STRIPES), .busy(busy), .done(done),
      .fetch_valid(fetch_valid), .fetch_ready(fetch_ready),
      .fetch_location(fetch_location), .fetch_address(fetch_address),
      .data_valid(is_delayed[LATENCY-1]), .data(delayed[LATENCY-1]),
      .store_valid(store_valid), .store_ready(store_ready),
      .store_location(store_location), .store_address(store_address),
      .store_data(store_data)
  );

  // Whether an operation computes a location.
  function is_lost;
    input integer operation_number;
    input integer location;
    reg [LOCATIONS-1:0] lost;
    begin
      case (operation_number)
@lost@        default: lost = {LOCATIONS{1'b0}};
      endcase
      is_lost = lost[location];
    end
  endfunction

  integer i;
  integer b;
  integer run_number;
  integer wrong;
  integer wrong_words;
  integer read_again;
  integer checked;
  reg [31:0] filler;
  reg [32*PARTS-1:0] filled;
  initial begin
    // The data; redundancy is at the end of this file.
    filler = 32'h@seed@;
    for (i = 0; i < LOCATIONS * LOCATION_WORDS; i = i + 1)
      if (HOLDS_DATA[i / LOCATION_WORDS]) begin
        for (b = 0; b < PARTS; b = b + 1) begin
          filler = next_random(filler);
          filled[32*b +: 32] = filler;
        end
        truth[i] = filled[WORD_BITS-1:0];
      end
    reset = 1'b1;
    start = 1'b0;
    operation = {OPERATION_BITS{1'b0}};
    is_waiting = 1'b0;
    wrong = 0;
    checked = 0;
    repeat (LATENCY + 2) @(negedge clk);
    reset = 1'b0;
    for (run_number = 0; run_number < 2 * OPERATIONS; run_number = run_number + 1) begin
      // The locations that are computed hold what is wrong in every bit.
      for (i = 0; i < LOCATIONS * LOCATION_WORDS; i = i + 1) begin
        memory[i] = is_lost(run_number / 2, i / LOCATION_WORDS) ? ~truth[i] : truth[i];
        reads[i] = 2'd0;
      end
      @(negedge clk);
      operation = run_number[OPERATION_BITS:1];
      is_waiting = run_number[0];
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      while (!done && clocks < MOST_CLOCKS) @(negedge clk);
      wrong_words = 0;
      read_again = 0;
      for (i = 0; i < LOCATIONS * LOCATION_WORDS; i = i + 1) begin
        if (memory[i] !== truth[i]) wrong_words = wrong_words + 1;
        if (reads[i] > 2'd1) read_again = read_again + 1;
      end
      $write("operation %0d", run_number / 2);
      if (is_waiting) $write(", with waiting");
      $display(": %0d clocks, %0d words read, %0d written, %0d wrong", clocks,
               words_read, words_written, wrong_words);
      if (!done) $display("FAIL: it does not end");
      if (is_outside) $display("FAIL: it asks for words that do not exist");
      if (read_again != 0) $display("FAIL: %0d words were read again", read_again);
      if (wrong_words != 0) $display("FAIL: %0d words are wrong", wrong_words);
      if (!done || is_outside || read_again != 0) wrong = wrong + 1;
      wrong = wrong + wrong_words;
      checked = checked + words_written;
      if (!done) run_number = 2 * OPERATIONS;
    end
    if (wrong != 0) $stop;
    else $display("PASS: %0d words, none wrong", checked);
    $finish;
  end

  // The redundancy.
  initial begin
@redundancy@  end
endmodule
)";

/// Words of an element: two slices and a half. Fewer if the testbench would be long, but one more
/// than a slice if its limits permit.
std::size_t usual_element_words(const Code& code, const ZigzagUnitOptions& options,
                                const UnitTestOptions& test) {
  const std::size_t word_bytes = options.lanes * code.field.w() / 8 + 1;
  const std::size_t elements = test.stripes * code.redundant.size();
  const std::size_t most = std::min(kMostWords, kMostBytes / word_bytes) / elements;
  const std::size_t wanted = std::min(options.slice_words * 5 / 2, kUsualWords / elements);
  return std::max<std::size_t>(std::min(std::max(wanted, options.slice_words + 1), most), 2);
}

/// "6'b110000": a bit for each location, the last first.
std::string location_bits(const Code& code, const std::vector<std::size_t>& locations) {
  std::string bits(code.locations, '0');
  for (const std::size_t location : locations) bits[code.locations - 1 - location] = '1';
  return fmt::format("{}'b{}", code.locations, bits);
}

}  // namespace

std::string write_zigzag_unit_testbench(const Code& code, const UnitPlan& plan,
                                        const ZigzagUnitOptions& options,
                                        const UnitTestOptions& test) {
  check_unit_options(code, plan, options);
  const UnitTables tables = unit_tables(plan);
  const std::size_t word_bits = options.lanes * plan.field.w();
  std::size_t element_words = test.element_words.value_or(usual_element_words(code, options, test));
  if (word_bits % 8 != 0) element_words += element_words % 2;  // so that an element has whole bytes
  const TestMemory memory(code, options.lanes, element_words, test.stripes);
  const std::string prefix = verilog_prefix(code, options.name);
  const std::vector<bool> is_data = holds_data(code);
  std::vector<std::size_t> data;
  std::vector<std::size_t> redundant;
  std::string redundancy;
  for (std::size_t location = 0; location < code.locations; ++location) {
    (is_data[location] ? data : redundant).push_back(location);
    if (is_data[location]) continue;
    for (std::size_t word = 0; word < memory.location_words(); ++word) {
      redundancy += fmt::format("    truth[{}] = {};\n", location * memory.location_words() + word,
                                memory.word(location, word));
    }
  }
  std::size_t most_moved = 0;
  std::string lost;
  for (std::size_t i = 0; i < plan.operations.size(); ++i) {
    const UnitOperation& operation = plan.operations[i];
    most_moved = std::max(most_moved, operation.loads.size() + operation.outputs.size());
    lost += fmt::format("        {}: lost = {};  // {}\n", i,
                        location_bits(code, operation.lost.empty() ? redundant : operation.lost),
                        operation.name());
  }
  return testbench_head(
             fmt::format("A testbench of {}_zigzag_unit, generated by xorloom emit: Verilog-2005. "
                         "A memory unit holds {} stripes of random data. Each operation runs "
                         "twice: in the second run the memory unit makes the unit wait at random. "
                         "All words are compared with results that were computed from the matrix "
                         "of the code. It ends with PASS and $finish, or with FAIL and $stop.",
                         prefix, test.stripes),
             prefix + "_testbench", "UNIT.v") +
         "\n" + kVerilogPragma + "/* verilator lint_off UNUSED */\n" +
         filled(kUnitTestbench,
                {{"name", prefix + "_testbench"},
                 {"module", prefix + "_zigzag_unit"},
                 {"latency", test.latency},
                 {"word_bits", word_bits},
                 {"locations", code.locations},
                 {"location_bits", tables.location_bits},
                 {"holds_data", location_bits(code, data)},
                 {"element_words", element_words},
                 {"stripes", test.stripes},
                 {"location_words", memory.location_words()},
                 {"operations", plan.operations.size()},
                 {"operation_bits", tables.operation_bits},
                 {"most_clocks",
                  4 * test.stripes * element_words * (most_moved + 4 + test.latency) + 10'000},
                 {"lost", lost},
                 {"seed", fmt::format("{:08x}", kSeed)},
                 {"redundancy", redundancy}});
}

}  // namespace xorloom
