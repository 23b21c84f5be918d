#include "gen/verilog/engine_check.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "gen/source/source_tokens.hpp"

namespace xorloom {
namespace {

class BodyReader : SourceTokens {
 public:
  BodyReader(const Program& program, const EnginePorts& ports)
      : program_(program), ports_(ports), next_(program.end_of_elements()) {}

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
      } else if (take_word("genvar")) {
        expect("i;");
      } else if (take_word("generate")) {
        lanes();
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

  /// Where an element lies in the chunk of a port whose name is behind.
  Element place() {
    const std::size_t location = number();
    expect("[");
    std::size_t row = 0;
    if (ports_.symbol_bits == 1) {
      row = number();
      expect("*LANES +: LANES]");
    } else {
      expect("(");
      row = number() * ports_.symbol_bits;
      expect("*LANES+i)*");
      if (number() != ports_.symbol_bits) bad_here("symbols have another size");
      expect("+");
      const std::size_t bit = number();
      expect("]");
      if (bit >= ports_.symbol_bits) bad_here("a bit is in another symbol");
      row += bit;
    }
    if (row >= program_.rows) bad_here("a row is in another chunk");
    return static_cast<Element>(location * program_.rows + row);
  }

  void wire() {
    if (take_word("unused")) {
      expect("= &{1'b0, clk");
      while (!take("};")) {
        expect(",");
        if (take("in_e")) {
          number();
        } else {
          expect("in");
          place();
        }
      }
      return;
    }
    expect("[LANES-1:0]");
    if (take("in_e")) {  // a list of what is taken from symbols
      number();
      while (take(",")) {
        expect("in_e");
        number();
      }
      return expect(";");
    }
    const std::string name(word());
    expect("=");
    if (take("in_e")) {
      const auto element = static_cast<Element>(number());
      if (!from_symbols_.contains(element)) bad_here("a bit was taken from nowhere");
      define(name, {element, 0});
    } else if (take("in")) {
      define(name, {place(), 0});
    } else {
      sum(name);
    }
    expect(";");
  }

  void sum(const std::string& name) {
    Equation equation{next_++, {}};
    std::size_t stage = stage_;
    if (!take("{LANES{1'b0}}")) {
      std::set<Element> operands;
      do {
        const Value& operand = value();
        if (operand.stage != stage) bad_here("an operand is of another stage");
        if (!operands.insert(operand.element).second) bad_here("an operand stands twice");
      } while (take("^"));
      equation.operands.assign(operands.begin(), operands.end());
    }
    define(name, {equation.target, stage});
    equations_.push_back(std::move(equation));
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

  void lanes() {
    expect("for (i = 0; i < LANES; i = i + 1) begin :");
    const bool is_input = take_word("of_inputs");
    if (!is_input) expect("of_outputs");
    while (!take_word("end")) {
      if (!is_input) {
        put();
        continue;
      }
      expect("assign in_e");
      const std::size_t element = number();
      expect("[i] = in");
      if (place() != element) bad_here("a bit is taken from elsewhere");
      expect(";");
      from_symbols_.insert(static_cast<Element>(element));
    }
    expect("endgenerate");
  }

  void put() {
    expect("assign out");
    const Element target = place();
    expect("=");
    if (take("{LANES{1'b0}}") || take("1'b0")) {
      zeros_.insert(target);
    } else {
      const Value& from = value();
      if (ports_.symbol_bits != 1) expect("[i]");
      if (from.stage != ranks_) bad_here("an output comes too early");
      if (!outputs_.insert({target, from.element}).second) bad_here("an output is put twice");
    }
    expect(";");
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
    try {
      check_program(same);
      prove(program_, same);
    } catch (const Error& error) {
      bad(error.what());
    }
  }

  const Program& program_;
  const EnginePorts& ports_;
  Element next_;  ///< a sum that was read becomes a temporary of its own
  std::size_t ranks_ = 0;
  std::size_t stage_ = 0;
  std::set<Element> from_symbols_;
  std::map<std::string, Value, std::less<>> values_;
  std::vector<Equation> equations_;
  std::map<Element, Element> outputs_;
  std::set<Element> zeros_;
};

}  // namespace

void check_engine_body(const Program& program, const EnginePorts& ports, const std::string& body) {
  BodyReader(program, ports).read_all(body);
}

}  // namespace xorloom
