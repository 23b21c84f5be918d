// Several Zigzag units on one memory channel, for the clocks that they take: the channel moves RATE
// words in 256 clocks, one at a time, for whoever comes next in turn of those that ask. Data are 0.
module system #(
    parameter UNITS = 3,
    parameter RATE = 256,
    parameter LATENCY = 30,
    parameter OPERATION = 0,
    parameter ELEMENT_WORDS = 1,
    parameter STRIPES = 1
);
  reg clk;
  reg reset;
  reg start;
  initial clk = 1'b0;
  always #5 clk <= !clk;

  wire [UNITS-1:0] done;
  wire [2*UNITS-1:0] asks;  // for each unit to read, then for each to write
  reg [2*UNITS-1:0] grants;
  integer turn;
  integer credit;
  integer i;
  always @* begin
    grants = {2*UNITS{1'b0}};
    if (credit >= 256)
      for (i = 0; i < 2 * UNITS; i = i + 1)
        if (grants == 0 && asks[(turn+i)%(2*UNITS)]) grants[(turn+i)%(2*UNITS)] = 1'b1;
  end
  always @(posedge clk) begin
    credit <= reset ? 256 : (grants != 0 ? credit - 256 : credit > 256 ? 256 : credit) + RATE;
    if (reset) turn <= 0;
    for (i = 0; i < 2 * UNITS; i = i + 1) if (grants[i]) turn <= (i + 1) % (2 * UNITS);
  end

  genvar u;
  generate
    for (u = 0; u < UNITS; u = u + 1) begin : lane
      reg [LATENCY-1:0] delayed;
      always @(posedge clk)
        if (reset) delayed <= {LATENCY{1'b0}};
        else if (LATENCY == 1) delayed <= grants[u];
        else delayed <= {delayed[LATENCY-2:0], grants[u]};
      xl_t_zigzag_unit unit (
          .clk(clk), .reset(reset), .start(start), .operation(OPERATION),
          .element_words(ELEMENT_WORDS), .stripes(STRIPES), .busy(), .done(done[u]),
          .fetch_valid(asks[u]), .fetch_ready(grants[u]), .fetch_location(), .fetch_address(),
          .data_valid(delayed[LATENCY-1]), .data(0),
          .store_valid(asks[UNITS+u]), .store_ready(grants[UNITS+u]), .store_location(),
          .store_address(), .store_data());
    end
  endgenerate

  reg [UNITS-1:0] was_done;
  integer clocks;
  initial begin
    reset = 1'b1;
    start = 1'b0;
    was_done = 0;
    clocks = 0;
    repeat (LATENCY + 2) @(negedge clk);
    reset = 1'b0;
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    clocks = 1;
    while (was_done != {UNITS{1'b1}}) begin
      @(negedge clk);
      clocks = clocks + 1;
      was_done = was_done | done;
    end
    $display("%0d clocks", clocks);
    $finish;
  end
endmodule
