#include "gen/verilog/zigzag_unit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "codes/text/error.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::string_view kUnit = R"(module @module@ #(
    parameter LANES = @lanes@,
    parameter SLICE_BITS = @slice_bits@,
    parameter ADDRESS_BITS = 32
) (
    input wire clk,
    input wire reset,
    input wire start,
    input wire [@operation_high@:0] operation,
    input wire [ADDRESS_BITS-1:0] element_words,
    input wire [ADDRESS_BITS-1:0] stripes,
    output reg busy,
    output reg done,
    output reg fetch_valid,
    input wire fetch_ready,
    output reg [@location_high@:0] fetch_location,
    output reg [ADDRESS_BITS-1:0] fetch_address,
    input wire data_valid,
    input wire [@w@*LANES-1:0] data,
    output reg store_valid,
    input wire store_ready,
    output reg [@location_high@:0] store_location,
    output reg [ADDRESS_BITS-1:0] store_address,
    output reg [@w@*LANES-1:0] store_data
);
  localparam SYMBOL_BITS = @w@;
  localparam WORD_BITS = SYMBOL_BITS * LANES;
  localparam ROWS = @rows@;
  localparam ROW_BITS = @row_bits@;
  localparam [ROW_BITS-1:0] LAST_ROW = @last_row@;
  localparam LOADS = @loads@;
  localparam LOAD_BITS = @load_bits@;
  localparam SOURCE_BITS = @source_bits@;
  localparam PLACE_BITS = @place_bits@;
  localparam OUTPUTS = @outputs@;
  localparam OUTPUT_BITS = @output_bits@;
  localparam ENTRY_BITS = @entry_bits@;
  localparam [1:0] BUFFERS = 2'd@buffers@;
  localparam [ADDRESS_BITS-1:0] SLICE_WORDS =
      {{(ADDRESS_BITS-1){1'b0}}, 1'b1} << SLICE_BITS;
  localparam BANK_WORDS = @bank_slots@ << SLICE_BITS;

  // What is read: {location, row}, and where it is kept: {bank, slot}.
  reg [SOURCE_BITS-1:0] sources [0:LOADS-1];
  reg [PLACE_BITS-1:0] places [0:LOADS-1];
  initial begin
@table_of_loads@  end

  // What is written: {location, row}, and for bank 0, 1, ... its factor and slot.
  reg [ENTRY_BITS-1:0] outputs [0:OUTPUTS-1];
  initial begin
@table_of_outputs@  end

  // Where the loads and outputs of an operation stand in the tables.
  always @(posedge clk)
    if (start && !busy)
      case (operation)
@ranges@      endcase
@body@@?double@
  // Of each slot one half is loaded while the other is computed from.
  reg load_half;
  reg output_half;
  reg entry_half;
  always @(posedge clk) begin
    if (advances) entry_half <= output_half;
    if (compute_begins) begin
      output_half <= load_half;
      load_half <= !load_half;
    end
    if (reset) load_half <= 1'b0;
  end
@.@
  // The banks. Each is written at one port and read at the other.
  wire [PLACE_BITS-ROW_BITS-1:0] place_bank = place[PLACE_BITS-1:ROW_BITS];
  wire [ROW_BITS-1:0] place_slot = place[ROW_BITS-1:0];
@banks@@multipliers@
  // The pipeline from the banks: operands, products, sums.
  reg operand_valid;
  reg operand_is_final;
  reg [SOURCE_BITS-1:0] operand_target;
  reg [ADDRESS_BITS-1:0] operand_offset;
  always @(posedge clk) begin
    if (advances) begin
      operand_valid <= entry_valid;
      operand_is_final <= entry_is_final;
      operand_target <= entry[ENTRY_BITS-1:ENTRY_BITS-SOURCE_BITS];
      operand_offset <= entry_offset;
    end
    if (reset) operand_valid <= 1'b0;
  end
@product_stage@@product_registers@  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : lane
      always @(posedge clk)
        if (advances) begin
@products@        end
    end
  endgenerate
@sums@endmodule
)";

constexpr std::string_view kBank = R"(  reg [WORD_BITS-1:0] bank_@bank@ [0:BANK_WORDS-1];
  reg [WORD_BITS-1:0] operand_@bank@;
@?has_factor@  reg [@factor_high@:0] factor_@bank@;
@.@  always @(posedge clk) begin
    if (place_valid && place_bank == @number@)
      bank_@bank@[{place_slot, @?double@load_half, @.@place_word}] <= place_data;
    if (advances) begin
      operand_@bank@ <= bank_@bank@[{entry[@high@:@low@], @?double@entry_half, @.@entry_word}];
@?has_factor@      factor_@bank@ <= entry[@end_high@:@end_low@];
@.@    end
  end
)";

/// Registers of a pipeline stage beside its words: whether they are valid, and their target.
constexpr std::string_view kStage = R"(@!is_store@  reg @stage@_valid;
@.@  reg @stage@_is_final;
@!is_store@  reg [SOURCE_BITS-ROW_BITS-1:0] @stage@_location;
  reg [ADDRESS_BITS-1:0] @stage@_address;
@.@  always @(posedge clk) begin
    if (advances) begin
      @stage@_valid <= @before@_valid;
      @stage@_is_final <= @before@_is_final;
      @stage@_location <= @location@;
      @stage@_address <= @address@;
    end
    if (reset) @stage@_valid <= 1'b0;
  end
)";

/// Head comment of the file: the operations, how the ports work, and the clocks.
std::string unit_comment(const Code& code, const UnitPlan& plan, const ZigzagUnitOptions& options,
                         const std::string& module) {
  std::string operations;
  for (std::size_t i = 0; i < plan.operations.size(); ++i) {
    operations +=
        fmt::format("//   {}  {}: reads {} elements, writes {}\n", i, plan.operations[i].name(),
                    plan.operations[i].loads.size(), plan.operations[i].outputs.size());
  }
  std::string text = design_head(
      fmt::format("Erasure coding over {}, generated by xorloom emit: a processing unit in "
                  "Verilog-2005.",
                  field_text(plan.field)),
      code);
  text += verilog_comment(
      {fmt::format("{} locations of {} elements each. {} banks of {} slots hold what is read; a "
                   "slot takes 2^SLICE_BITS words, a word LANES symbols of {} bits. An element "
                   "lies in element_words words one after the other, a chunk in its elements, and "
                   "stripe after stripe follows in each location.",
                   plan.locations, plan.rows, plan.banks, options.buffers * plan.rows,
                   plan.field.w()),
       "start begins a task while busy is 0. operation is one of the numbers below; done is 1 for "
       "one clock at the end. For each stripe the unit works on elements in slices. It reads a "
       "slice of what the operation needs, each word once, and then writes one word of a result "
       "per clock."});
  text += "//\n" + operations + "//\n";
  text += verilog_comment(
      {"A word is asked for where fetch_valid and fetch_ready are 1. Words arrive in that order, "
       "each at least one clock later, where data_valid is 1; the unit takes them at any time. A "
       "result is taken where store_valid and store_ready are 1. Addresses count words of LANES "
       "symbols from the beginning of a location. ADDRESS_BITS exceeds SLICE_BITS.",
       fmt::format("With f loads, s stores, n = element_words up to 2^SLICE_BITS and words that "
                   "arrive M clocks after they are asked for, a slice takes {} clocks.",
                   options.buffers == 1 ? "(f + s)*n + M + 6" : "max(f*n + M + 5, s*n + 1)"),
       fmt::format("{} stands in this file alone and uses no other.", module)});
  return text + "\n" + kVerilogPragma;
}

std::string loads_text(const UnitTables& tables) {
  std::string text;
  for (std::size_t i = 0; i < tables.loads.size(); ++i) {
    const UnitLoad& load = tables.loads[i];
    text += fmt::format("    sources[{0}] = {{{1}, {2}}}; places[{0}] = {{{3}, {4}}};\n", i,
                        verilog_number(tables.location_bits, load.location),
                        verilog_number(tables.row_bits, load.row),
                        verilog_number(tables.bank_bits, load.bank),
                        verilog_number(tables.row_bits, load.slot));
  }
  return text;
}

std::string outputs_text(const UnitTables& tables) {
  std::string text;
  for (std::size_t i = 0; i < tables.outputs.size(); ++i) {
    const UnitOutput& output = tables.outputs[i];
    std::vector<std::string> entry{"{" + verilog_number(tables.location_bits, output.location),
                                   verilog_number(tables.row_bits, output.row)};
    for (std::size_t bank = 0; bank < output.terms.size(); ++bank) {
      const auto& [slot, factor] = output.terms[bank];
      const UnitFactors& factors = tables.factors[bank];
      if (factors.bits != 0) {
        entry.push_back(verilog_number(factors.bits, factors.number_of(factor)));
      }
      entry.push_back(verilog_number(tables.row_bits, slot));
    }
    text += verilog_list(fmt::format("    outputs[{}] = ", i), std::move(entry), "};", "        ");
  }
  return text;
}

std::string ranges_text(const UnitPlan& plan, const UnitTables& tables) {
  std::string text;
  for (std::size_t i = 0; i < tables.operations.size(); ++i) {
    const auto& [load, output] = tables.operations[i];
    const UnitOperation& operation = plan.operations[i];
    const bool is_last = i + 1 == tables.operations.size();
    text += fmt::format(
        "        {}: begin\n"
        "          first_load <= {}; last_load <= {};\n"
        "          first_output <= {}; last_output <= {};\n"
        "        end\n",
        is_last ? "default" : verilog_number(tables.operation_bits, i),
        verilog_number(tables.load_bits, load),
        verilog_number(tables.load_bits, load + operation.loads.size() - 1),
        verilog_number(tables.output_bits, output),
        verilog_number(tables.output_bits, output + operation.outputs.size() - 1));
  }
  return text;
}

/// The multiplier of a bank: a case for each factor, or the sum of one product per bit of the
/// factor.
std::string multiplier_text(const UnitPlan& plan, const UnitFactors& factors, std::size_t bank) {
  const std::string name = fmt::format("product_of_bank_{}", bank);
  std::string text = fmt::format("\n  function [SYMBOL_BITS-1:0] {};\n", name);
  const auto add = [&](const std::string& head, Field::Symbol factor, const char* end,
                       std::size_t indent) {
    text +=
        wrap_text(head + " ", verilog_product(plan.field, factor) + end, std::string(indent, ' ')) +
        "\n";
  };
  if (factors.bits != 0) text += fmt::format("    input [{}:0] factor;\n", factors.bits - 1);
  text += "    input [SYMBOL_BITS-1:0] a;\n";
  if (factors.bits == 0) {
    add(fmt::format("    {} =", name), factors.symbols[0], ";", 8);
  } else if (factors.is_general) {
    text += fmt::format("    {} =\n", name);
    for (std::size_t bit = 0; bit < factors.bits; ++bit) {
      add(fmt::format("        ({{SYMBOL_BITS{{factor[{}]}}}} &", bit), Field::Symbol{1} << bit,
          bit + 1 < factors.bits ? ") ^" : ");", 12);
    }
  } else {
    text += "    case (factor)\n";
    for (std::size_t i = 0; i < factors.symbols.size(); ++i) {
      if (factors.symbols[i] == 0) continue;
      text += fmt::format("      // {:#x}\n", factors.symbols[i]);
      add(fmt::format("      {}: {} =", verilog_number(factors.bits, i), name), factors.symbols[i],
          ";", 10);
    }
    text += fmt::format("      default: {} = {{SYMBOL_BITS{{1'b0}}}};\n    endcase\n", name);
  }
  return text + "  endfunction\n";
}

/// The banks: one port is written, one is read. An output-table entry is {location, row, factor_0,
/// slot_0, factor_1, slot_1, ...}, most significant first; a bank with one factor has no factor_N.
std::string banks_text(const UnitTables& tables, bool is_double) {
  std::string text;
  std::size_t end = tables.term_bits();
  for (std::size_t bank = 0; bank < tables.factors.size(); ++bank) {
    const std::size_t bits = tables.factors[bank].bits;
    const std::size_t low = end - bits - tables.row_bits;
    text += filled(kBank, {{"bank", bank},
                           {"number", verilog_number(tables.bank_bits, bank)},
                           {"double", is_double},
                           {"high", low + tables.row_bits - 1},
                           {"low", low},
                           {"has_factor", bits != 0},
                           {"factor_high", bits - 1},
                           {"end_high", end - 1},
                           {"end_low", end - bits}});
    end = low;
  }
  return text;
}

std::string stage_text(const std::string& stage, const std::string& before,
                       const std::string& location, const std::string& address) {
  return filled(kStage, {{"stage", stage},
                         {"is_store", stage == "store"},
                         {"before", before},
                         {"location", location},
                         {"address", address}});
}

/// The tree of sums of products; its last stage is the store.
std::string sums_text(std::size_t banks) {
  std::vector<std::string> terms;
  for (std::size_t bank = 0; bank < banks; ++bank) terms.push_back(fmt::format("product_{}", bank));
  std::string text;
  std::string before = "product";
  for (std::size_t level = 1; before != "store"; ++level) {
    const bool is_last = terms.size() <= kUnitTreeOperands;
    const std::string stage = is_last ? "store" : fmt::format("sum{}", level);
    text += "\n" + stage_text(stage, before, before + "_location", before + "_address");
    std::vector<std::string> results;
    std::string sums;
    for (std::size_t first = 0; first < terms.size(); first += kUnitTreeOperands) {
      const std::span<const std::string> rest = std::span(terms).subspan(first);
      results.push_back(is_last ? "store_data" : fmt::format("{}_{}", stage, results.size()));
      if (!is_last) text += fmt::format("  reg [WORD_BITS-1:0] {};\n", results.back());
      sums += fmt::format("      {} <= {};\n", results.back(),
                          fmt::join(rest.first(std::min(kUnitTreeOperands, rest.size())), " ^ "));
    }
    text += "  always @(posedge clk)\n    if (advances) begin\n" + sums + "    end\n";
    terms = std::move(results);
    before = stage;
  }
  return text;
}

}  // namespace

void check_unit_options(const Code& code, const UnitPlan& plan, const ZigzagUnitOptions& options) {
  check_bound("lanes", options.lanes, 1, kMostUnitLanes);
  check_bound("slice words", options.slice_words, 2, kMostSliceWords);
  check_bound("buffers", options.buffers, 1, 2);
  if (!std::has_single_bit(options.slice_words)) {
    fail(Status::kInvalidArgument, "slice words = {} is not a power of 2", options.slice_words);
  }
  const std::size_t bank_bytes =
      options.buffers * plan.rows * options.slice_words * options.lanes * plan.field.w() / 8;
  if (bank_bytes > kMostBankBytes) {
    fail(Status::kInvalidArgument,
         "a bank takes {} bytes for {} slots of {} words of {} symbols, more than {}", bank_bytes,
         options.buffers * plan.rows, options.slice_words, options.lanes, kMostBankBytes);
  }
  (void)verilog_prefix(code, options.name);
}

std::string write_zigzag_unit(const Code& code, const UnitPlan& plan,
                              const ZigzagUnitOptions& options) {
  check_unit_options(code, plan, options);
  const UnitTables tables = unit_tables(plan);
  const std::string module = verilog_prefix(code, options.name) + "_zigzag_unit";
  const std::size_t source_bits = tables.location_bits + tables.row_bits;
  const bool is_double = options.buffers == 2;
  std::string multipliers;
  std::string registers;
  std::string products;
  for (std::size_t bank = 0; bank < plan.banks; ++bank) {
    multipliers += multiplier_text(plan, tables.factors[bank], bank);
    registers += fmt::format("  reg [WORD_BITS-1:0] product_{};\n", bank);
    products += fmt::format(
        "          product_{0}[SYMBOL_BITS*i +: SYMBOL_BITS] <=\n"
        "              product_of_bank_{0}({1}operand_{0}[SYMBOL_BITS*i +: SYMBOL_BITS]);\n",
        bank, tables.factors[bank].bits == 0 ? "" : fmt::format("factor_{}, ", bank));
  }
  const auto slice_bits = static_cast<std::size_t>(std::countr_zero(options.slice_words));
  std::string text =
      unit_comment(code, plan, options, module) +
      filled(kUnit, {{"module", module},
                     {"lanes", options.lanes},
                     {"slice_bits", slice_bits},
                     {"operation_high", tables.operation_bits - 1},
                     {"location_high", tables.location_bits - 1},
                     {"w", plan.field.w()},
                     {"rows", plan.rows},
                     {"row_bits", tables.row_bits},
                     {"last_row", verilog_number(tables.row_bits, plan.rows - 1)},
                     {"loads", tables.loads.size()},
                     {"load_bits", tables.load_bits},
                     {"source_bits", source_bits},
                     {"place_bits", tables.bank_bits + tables.row_bits},
                     {"outputs", tables.outputs.size()},
                     {"output_bits", tables.output_bits},
                     {"entry_bits", source_bits + tables.term_bits()},
                     {"buffers", options.buffers},
                     {"double", is_double},
                     {"bank_slots", options.buffers * std::max<std::size_t>(plan.rows, 2)},
                     {"table_of_loads", loads_text(tables)},
                     {"table_of_outputs", outputs_text(tables)},
                     {"ranges", ranges_text(plan, tables)},
                     {"body", kUnitBody},
                     {"banks", banks_text(tables, is_double)},
                     {"multipliers", multipliers},
                     {"product_stage",
                      stage_text("product", "operand", "operand_target[SOURCE_BITS-1:ROW_BITS]",
                                 "row_address[operand_target[ROW_BITS-1:0]] + operand_offset")},
                     {"product_registers", registers},
                     {"products", products},
                     {"sums", sums_text(plan.banks)}});
  check_zigzag_unit(text, plan);
  return text;
}

VerilogText write_zigzag(const Code& code, std::span<const std::vector<std::size_t>> losses,
                         const ZigzagUnitOptions& options, const UnitTestOptions& test) {
  const UnitPlan plan = unit_plan(code, losses);
  return {write_zigzag_unit(code, plan, options),
          write_zigzag_unit_testbench(code, plan, options, test)};
}

}  // namespace xorloom
