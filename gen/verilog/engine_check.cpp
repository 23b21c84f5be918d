#include "gen/verilog/engine_check.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "gen/text/source_tokens.hpp"

namespace xorloom {
namespace {

class EngineReader : SourceTokens {
 public:
  EngineReader(const Program& program, const EngineForm& form)
      : program_(program), form_(form), next_(program.end_of_elements()) {}

  void read_all(const std::string& body) {
    read(body);
    valid();
    while (!is_at_end()) {
      if (take_word("wire")) {
        wire();
      } else if (take("// Rank")) {
        expect(fmt::format("{}.", ++stage_));
      } else if (take_word("reg")) {
        rank();
      } else if (!form_.gate.empty() && take(form_.gate)) {
        gate();
      } else if (take_word("function")) {
        function();
      } else {
        put();
      }
    }
    compare();
  }

 private:
  /// A value: an element of the program that was read, in the stage in which it is there.
  struct Value {
    Element element;
    std::size_t stage;
  };

  void valid() {
    expect("localparam LATENCY =");
    ranks_ = number();
    expect(";");
    if (ranks_ == 0) {
      expect("wire [LATENCY:0] valid = in_valid;");
    } else {
      expect("reg [LATENCY:1] was_valid;");
      expect("wire [LATENCY:0] valid = {was_valid, in_valid};");
      expect("always @(posedge clk) was_valid <= valid[LATENCY-1:0];");
    }
    expect("assign out_valid = valid[LATENCY];");
  }

  Element element(std::size_t location, std::size_t row) const {
    if (row >= program_.rows) bad_here("a row is in another chunk");
    return static_cast<Element>(location * program_.rows + row);
  }

  /// What is taken from a chunk, behind "in" or "plane(in".
  Element taken(bool is_plane) {
    const std::size_t location = number();
    expect(is_plane ? "," : "[");
    std::size_t row = number();
    if (is_plane && take("*LANES+")) {
      const std::size_t bit = number();
      if (row % form_.symbol_bits != 0 || bit >= form_.symbol_bits) bad_here("a bit is elsewhere");
      row += bit;
    } else if (is_plane && row >= form_.symbol_bits) {
      bad_here("a bit is in another symbol");
    }
    expect(is_plane ? ")" : "*LANES +: LANES]");
    if (is_plane != (form_.symbol_bits != 1)) bad_here("bits are taken in another order");
    return element(location, row);
  }

  /// The functions for words, of which there is one form for each size of a chunk and a symbol.
  void function() {
    const std::size_t w = form_.symbol_bits;
    if (take("[LANES-1:0] plane")) {
      expect(fmt::format("(input [{}*LANES-1:0] chunk, input integer first);", program_.rows));
      expect("integer i;");
      expect("for (i = 0; i < LANES; i = i + 1)");
      expect(fmt::format("plane[i] = chunk[first + {0}*i];", w));
    } else {
      expect(fmt::format("[{}*LANES-1:0] symbols;", w));
      expect("input [LANES-1:0]");
      for (std::size_t bit = 0; bit < w; ++bit) {
        expect(fmt::format("b{}", bit));
        expect(bit + 1 < w ? "," : ";");
      }
      expect("integer i;");
      expect("for (i = 0; i < LANES; i = i + 1) begin");
      for (std::size_t bit = 0; bit < w; ++bit) {
        expect(fmt::format("symbols[i*{}+{}] = b{}[i];", w, bit, bit));
      }
      expect("end");
    }
    expect("endfunction");
  }

  void wire() {
    if (take_word("unused")) {
      expect("= &{1'b0, clk");
      while (!take("};")) {
        expect(",");
        const bool is_plane = take("plane(");
        expect("in");
        taken(is_plane);
      }
      return;
    }
    expect("[LANES-1:0]");
    const std::string name(word());
    if (!take("=")) return wires_of_gates(name);
    if (take("plane(in")) {
      define(name, {taken(true), 0});
    } else if (take("in")) {
      define(name, {taken(false), 0});
    } else {
      sum(name);
    }
    expect(";");
  }

  void add_operand(std::set<Element>& operands) {
    const Value& operand = value();
    if (operand.stage != stage_) bad_here("an operand is of another stage");
    if (!operands.insert(operand.element).second) bad_here("an operand stands twice");
  }

  void add_sum(const std::string& name, const std::set<Element>& operands) {
    Equation equation{next_++, {operands.begin(), operands.end()}};
    define(name, {equation.target, stage_});
    equations_.push_back(std::move(equation));
  }

  void sum(const std::string& name) {
    std::set<Element> operands;
    if (!take("{LANES{1'b0}}")) {
      do add_operand(operands);
      while (take("^"));
    }
    add_sum(name, operands);
  }

  void wires_of_gates(std::string name) {
    for (;;) {
      if (!undriven_.insert(name).second) bad_here("a wire is declared twice");
      if (take(";")) return;
      expect(",");
      name = word();
    }
  }

  /// A gate, as far as the number of its inputs: "4 #(LANES) sum_A (A, e1, e2, e3, e4);"
  void gate() {
    const std::size_t size = number();
    expect("#(LANES) sum_");
    const std::string name(word());
    expect("(");
    if (word() != name) bad_here("a gate has the name of another sum");
    std::set<Element> operands;
    while (take(",")) add_operand(operands);
    expect(");");
    if (operands.size() != size) bad_here("a gate has another number of inputs");
    if (undriven_.erase(name) == 0) bad_here("a gate drives no wire, or one that is driven");
    add_sum(name, operands);
  }

  void rank() {
    expect("[LANES-1:0]");
    std::set<std::string, std::less<>> registers;
    do registers.emplace(word());
    while (take(","));
    expect(";");
    expect("always @(posedge clk) begin");
    std::map<std::string, Value> held;
    while (!take_word("end")) {
      const std::string name(word());
      if (registers.erase(name) == 0) bad_here("a register is not declared, or set twice");
      expect("<=");
      const Value& from = value();
      if (from.stage + 1 != stage_) bad_here("a register skips a stage");
      held.insert({name, {from.element, stage_}});
      expect(";");
    }
    if (!registers.empty()) bad_here("a register is never set");
    for (const auto& [name, value] : held) define(name, value);
  }

  void put() {
    const std::size_t w = form_.symbol_bits;
    expect("assign out");
    const std::size_t location = number();
    expect("[");
    const std::size_t row = number();
    expect(w == 1 ? "*LANES +: LANES] =" : fmt::format("*LANES +: {}*LANES] = symbols(", w));
    if (row % w != 0) bad_here("a symbol is put between others");
    for (std::size_t bit = 0; bit < w; ++bit) {
      if (bit != 0) expect(",");
      put_value(element(location, row + bit));
    }
    expect(w == 1 ? ";" : ");");
  }

  void put_value(Element target) {
    if (take("{LANES{1'b0}}")) {
      zeros_.insert(target);
      return;
    }
    const Value& from = value();
    if (from.stage != ranks_) bad_here("an output comes too early");
    if (!outputs_.insert({target, from.element}).second) bad_here("an output is put twice");
  }

  const Value& value() {
    const auto found = values_.find(word());
    if (found == values_.end()) bad_here("an unknown value stands");
    return found->second;
  }

  void define(const std::string& name, const Value& value) {
    if (!values_.insert({name, value}).second) bad_here("a value is declared twice");
  }

  /// The sums that were read have to give the outputs of the program.
  void compare() {
    Program same = program_;
    same.equations = equations_;
    for (const Element output : program_.outputs) {
      const auto from = outputs_.find(output);
      if (from == outputs_.end()) bad(fmt::format("output {} is missing", output));
      same.equations.push_back({output, {from->second}});
      if (zeros_.contains(output)) bad(fmt::format("output {} is 0", output));
    }
    if (outputs_.size() != program_.outputs.size()) bad("there are other outputs");
    if (stage_ != ranks_) bad("there are other ranks");
    if (!undriven_.empty()) bad("a wire is not driven");
    try {
      check_program(same);
      prove(program_, same);
    } catch (const Error& error) {
      bad(error.what());
    }
  }

  const Program& program_;
  const EngineForm& form_;
  Element next_;  ///< a sum that was read becomes a temporary of its own
  std::size_t ranks_ = 0;
  std::size_t stage_ = 0;
  std::map<std::string, Value, std::less<>> values_;
  std::set<std::string, std::less<>> undriven_;  ///< wires for gates that are still to come
  std::vector<Equation> equations_;
  std::map<Element, Element> outputs_;
  std::set<Element> zeros_;
};

}  // namespace

void check_engine_body(const Program& program, const EngineForm& form, const std::string& body) {
  EngineReader(program, form).read_all(body);
}

}  // namespace xorloom
