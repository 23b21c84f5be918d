#include <fmt/format.h>

#include <set>
#include <vector>

#include "gen/verilog/engine.hpp"
#include "gen/verilog/verilog_reader.hpp"

namespace xorloom {
namespace {

class EngineReader : VerilogReader {
 public:
  EngineReader(const EngineStages& engine, const EngineForm& form)
      : VerilogReader(engine.program), engine_(engine), program_(engine.program), form_(form) {
    for (const std::size_t location : locations_of(program_, program_.inputs)) {
      for (std::size_t row = 0; row < program_.rows; ++row) {
        define(taken(location, row), {element(location, row)});
      }
    }
  }

  void read_all(const std::string& body) {
    read(body);
    scan(engine_frame(engine_, form_));
    while (!is_at_end()) {
      if (take_word("wire")) {
        wire();
      } else if (take("// Rank")) {
        expect(fmt::format("{}.", ++stage_));
      } else if (take_word("reg")) {
        rank();
      } else if (!form_.gate.empty() && take(form_.gate)) {
        gate();
      } else {
        put_outputs();
      }
    }
    for (const Element output : program_.outputs) {
      if (outputs_.erase(output) == 0) bad(fmt::format("output {} is missing", output));
    }
    if (!outputs_.empty()) bad("there are other outputs");
    if (stage_ != engine_.ranks) bad("there are other ranks");
    if (!undriven_.empty()) bad("a wire or register is not driven");
    compare(program_);
  }

 private:
  Element element(std::size_t location, std::size_t row) const {
    return static_cast<Element>(location * program_.rows + row);
  }

  /// Expression for a row of an input chunk. On words the symbols of all lanes lie one after the
  /// other, so bit b of the symbols is every w-th bit of the chunk from b on.
  std::string taken(std::size_t location, std::size_t row) const {
    const std::size_t w = form_.symbol_bits;
    if (w == 1) return fmt::format("in{}[{}*LANES+:LANES]", location, row);
    return row < w ? fmt::format("plane(in{},{})", location, row)
                   : fmt::format("plane(in{},{}*LANES+{})", location, row / w * w, row % w);
  }

  void wire() {
    if (take_word("unused")) {
      scan("= &{1'b0, clk");
      while (take(",")) value();
      expect("};");
      return;
    }
    expect("[LANES-1:0]");
    const std::string name(word());
    if (!take("=")) return declare(name);
    assign(name, sum(kZeroBits));
    expect(";");
  }

  /// Reads a declaration of wires of gates, or of registers.
  void declare(std::string name) {
    while (undriven_.insert(name).second) {
      if (take(";")) return;
      expect(",");
      name = word();
    }
    bad_here(fmt::format("{} is declared twice", name));
  }

  void drive(const std::string& name) {
    if (undriven_.erase(name) == 0) bad_here(fmt::format("{} is driven twice, or unknown", name));
  }

  /// Reads a gate from the number of its inputs on: "4 #(LANES) sum_A (A, e1, e2, e3, e4);"
  void gate() {
    const std::size_t size = number();
    expect("#(LANES) sum_");
    const std::string name(word());
    expect("(");
    if (word() != name) bad_here("a gate has the name of another sum");
    std::set<Operand> operands;
    while (take(",")) operands.emplace(value());
    expect(");");
    if (operands.size() != size) bad_here("a gate has another number of inputs");
    drive(name);
    assign(name, {operands.begin(), operands.end()});
  }

  void rank() {
    expect("[LANES-1:0]");
    declare(std::string(word()));
    scan("always @(posedge clk) begin");
    while (!take_word("end")) {
      const std::string name(word());
      drive(name);
      expect("<=");
      define(name, {value(stage_ - 1), stage_});
      expect(";");
    }
  }

  void put_outputs() {
    const std::size_t w = form_.symbol_bits;
    const std::vector<std::size_t> place = scan("assign out%[%*LANES +:");
    scan(w == 1 ? "LANES] =" : fmt::format("{}*LANES] = symbols(", w));
    if (place[1] % w != 0 || place[1] + w > program_.rows) bad_here("a row is in another chunk");
    for (std::size_t bit = 0; bit < w; ++bit) {
      if (bit != 0) expect(",");
      const Element output = element(place[0], place[1] + bit);
      if (!written_.insert(output).second) bad_here("an output is put twice");
      if (take(kZeroBits)) continue;
      outputs_.insert(output);
      put(output, value(engine_.ranks));
    }
    expect(w == 1 ? ";" : ");");
  }

  const EngineStages& engine_;
  const Program& program_;
  const EngineForm& form_;
  std::set<std::string, std::less<>> undriven_;  ///< declared names that nothing drives yet
  std::set<Element> written_;                    ///< elements of output chunks
  std::set<Element> outputs_;                    ///< elements of `written_` that are not 0
};

}  // namespace

void check_engine_body(const EngineStages& engine, const EngineForm& form,
                       const std::string& body) {
  EngineReader(engine, form).read_all(body);
}

}  // namespace xorloom
