#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom {

const char* const kUnitBody = R"(
  // A task: element_words words of each element, in slices, for each stripe.
  reg [LOAD_BITS-1:0] first_load;
  reg [LOAD_BITS-1:0] last_load;
  reg [OUTPUT_BITS-1:0] first_output;
  reg [OUTPUT_BITS-1:0] last_output;
  reg [ADDRESS_BITS-1:0] task_words;
  wire is_empty = element_words == 0 || stripes == 0;
  wire task_begins = start && !busy && !is_empty;
  wire task_ends = store_valid && store_ready && store_is_final;

  // The first address of each row within a chunk; its end is the size of a chunk.
  reg [ADDRESS_BITS-1:0] row_address [0:ROWS-1];
  reg is_adding_rows;
  reg [ROW_BITS-1:0] added_row;
  reg [ADDRESS_BITS-1:0] row_sum;
  always @(posedge clk) begin
    if (is_adding_rows) begin
      row_address[added_row] <= row_sum;
      row_sum <= row_sum + task_words;
      added_row <= added_row + 1'b1;
      if (added_row == LAST_ROW) is_adding_rows <= 1'b0;
    end
    if (task_begins) begin
      is_adding_rows <= 1'b1;
      added_row <= {ROW_BITS{1'b0}};
      row_sum <= {ADDRESS_BITS{1'b0}};
      task_words <= element_words;
    end
    if (reset) is_adding_rows <= 1'b0;
  end

  // The slice that is loaded, or will be: its words, and where they begin in row 0.
  reg is_pending;
  reg is_loading;
  reg is_loaded;
  reg is_computing;
  reg [1:0] held_buffers;
  reg [ADDRESS_BITS-1:0] slice_address;
  reg [ADDRESS_BITS-1:0] stripe_address;
  reg [ADDRESS_BITS-1:0] words_left;  // of the element, with those of the slice
  reg [ADDRESS_BITS-1:0] stripes_left;
  wire [SLICE_BITS-1:0] words_over = words_left[SLICE_BITS-1:0];  // whole slices
  wire is_last_slice =
      words_left[ADDRESS_BITS-1:SLICE_BITS] == 0 ||
      (words_left[ADDRESS_BITS-1:SLICE_BITS] == 1 && words_over == 0);
  wire is_last_stripe = stripes_left == 1;
  wire [SLICE_BITS-1:0] last_word =
      is_last_slice ? words_over - 1'b1 : {SLICE_BITS{1'b1}};
  wire [ADDRESS_BITS-1:0] next_stripe = stripe_address + row_sum;
  wire load_begins = is_pending && !is_loading && !is_loaded && !is_adding_rows &&
                     held_buffers != BUFFERS;
  wire load_ends;
  wire compute_begins = is_loaded && !is_computing;
  wire buffer_is_free;  // the last word of a slice was read from the banks

  always @(posedge clk) begin
    done <= 1'b0;
    held_buffers <= held_buffers + {1'b0, load_begins} - {1'b0, buffer_is_free};
    if (load_begins) is_loading <= 1'b1;
    if (load_ends) begin
      is_loading <= 1'b0;
      is_loaded <= 1'b1;
    end
    if (compute_begins) begin
      is_loaded <= 1'b0;
      if (!is_last_slice) begin
        slice_address <= slice_address + SLICE_WORDS;
        words_left <= words_left - SLICE_WORDS;
      end else if (!is_last_stripe) begin
        stripe_address <= next_stripe;
        slice_address <= next_stripe;
        words_left <= task_words;
        stripes_left <= stripes_left - 1'b1;
      end else begin
        is_pending <= 1'b0;
      end
    end
    if (task_ends) begin
      busy <= 1'b0;
      done <= 1'b1;
    end
    if (start && !busy) begin
      done <= is_empty;
      busy <= !is_empty;
      is_pending <= !is_empty;
      slice_address <= {ADDRESS_BITS{1'b0}};
      stripe_address <= {ADDRESS_BITS{1'b0}};
      words_left <= element_words;
      stripes_left <= stripes;
    end
    if (reset) begin
      busy <= 1'b0;
      done <= 1'b0;
      is_pending <= 1'b0;
      is_loading <= 1'b0;
      is_loaded <= 1'b0;
      held_buffers <= 2'd0;
    end
  end

  // Read phase, asking: one word per clock, element by element.
  reg is_asking;
  reg [LOAD_BITS-1:0] asked_load;
  reg [SLICE_BITS-1:0] asked_word;
  reg [ADDRESS_BITS-1:0] asked_offset;
  reg source_valid;
  reg [SOURCE_BITS-1:0] source;
  reg [ADDRESS_BITS-1:0] source_offset;
  wire fetch_advances = !fetch_valid || fetch_ready;
  always @(posedge clk) begin
    if (fetch_advances) begin
      source_valid <= is_asking;
      source <= sources[asked_load];
      source_offset <= asked_offset;
      fetch_valid <= source_valid;
      fetch_location <= source[SOURCE_BITS-1:ROW_BITS];
      fetch_address <= row_address[source[ROW_BITS-1:0]] + source_offset;
      asked_word <= asked_word + 1'b1;
      asked_offset <= asked_offset + 1'b1;
      if (asked_word == last_word) begin
        asked_word <= {SLICE_BITS{1'b0}};
        asked_offset <= slice_address;
        asked_load <= asked_load + 1'b1;
        if (asked_load == last_load) is_asking <= 1'b0;
      end
    end
    if (load_begins) begin
      is_asking <= 1'b1;
      asked_load <= first_load;
      asked_word <= {SLICE_BITS{1'b0}};
      asked_offset <= slice_address;
    end
    if (reset) begin
      is_asking <= 1'b0;
      source_valid <= 1'b0;
      fetch_valid <= 1'b0;
    end
  end

  // Read phase, taking: words arrive in the order in which they were asked for.
  reg [LOAD_BITS-1:0] taken_load;
  reg [SLICE_BITS-1:0] taken_word;
  reg place_valid;
  reg place_is_last;
  reg [PLACE_BITS-1:0] place;
  reg [SLICE_BITS-1:0] place_word;
  reg [WORD_BITS-1:0] place_data;
  assign load_ends = place_valid && place_is_last;
  always @(posedge clk) begin
    place_valid <= data_valid;
    place_is_last <= taken_load == last_load && taken_word == last_word;
    place <= places[taken_load];
    place_word <= taken_word;
    place_data <= data;
    if (load_begins) begin
      taken_load <= first_load;
      taken_word <= {SLICE_BITS{1'b0}};
    end else if (data_valid) begin
      taken_word <= taken_word + 1'b1;
      if (taken_word == last_word) begin
        taken_word <= {SLICE_BITS{1'b0}};
        taken_load <= taken_load + 1'b1;
      end
    end
    if (reset) place_valid <= 1'b0;
  end

  // Computation and write phase: output by output, one word per clock, unless a store waits.
  wire advances = !store_valid || store_ready;
  reg [OUTPUT_BITS-1:0] output_index;
  reg [SLICE_BITS-1:0] output_word;
  reg [SLICE_BITS-1:0] output_last_word;
  reg [ADDRESS_BITS-1:0] output_offset;
  reg [ADDRESS_BITS-1:0] output_address;
  reg output_is_final;  // no slice follows
  wire output_ends = output_index == last_output && output_word == output_last_word;
  reg entry_valid;
  reg entry_is_last;
  reg entry_is_final;
  reg [ENTRY_BITS-1:0] entry;
  reg [SLICE_BITS-1:0] entry_word;
  reg [ADDRESS_BITS-1:0] entry_offset;
  assign buffer_is_free = entry_valid && entry_is_last && advances;
  always @(posedge clk) begin
    if (advances) begin
      entry_valid <= is_computing;
      entry_is_last <= output_ends;
      entry_is_final <= output_ends && output_is_final;
      entry <= outputs[output_index];
      entry_word <= output_word;
      entry_offset <= output_offset;
      output_word <= output_word + 1'b1;
      output_offset <= output_offset + 1'b1;
      if (output_word == output_last_word) begin
        output_word <= {SLICE_BITS{1'b0}};
        output_offset <= output_address;
        output_index <= output_index + 1'b1;
      end
      if (output_ends) is_computing <= 1'b0;
    end
    if (compute_begins) begin
      is_computing <= 1'b1;
      output_index <= first_output;
      output_word <= {SLICE_BITS{1'b0}};
      output_last_word <= last_word;
      output_offset <= slice_address;
      output_address <= slice_address;
      output_is_final <= is_last_slice && is_last_stripe;
    end
    if (reset) begin
      is_computing <= 1'b0;
      entry_valid <= 1'b0;
    end
  end
)";

}  // namespace xorloom
