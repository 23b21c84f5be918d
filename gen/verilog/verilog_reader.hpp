#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/proof.hpp"
#include "gen/text/source_tokens.hpp"

namespace xorloom {

/// Reads sums back from generated Verilog as a program, which is then proved. A table maps each
/// operand, such as "e5_1" or "in5[2*LANES+:LANES]", to a value. Operands have no blanks.
class VerilogReader : protected SourceTokens {
 protected:
  /// An element, and the stage of registers in which it is available.
  struct Value {
    Element element;
    std::size_t stage = 0;
  };

  /// Elements of `frame` may be read; its equations are ignored.
  explicit VerilogReader(const Program& frame);

  /// Reads text that matches `pattern`: each % is a number, each $ a number with its width, such as
  /// "3'd5". Returns the numbers; for "3'd5" 3 and 5.
  std::vector<std::size_t> scan(std::string_view pattern);

  /// Reads an operand: a name and the brackets behind it, or a product in brackets.
  std::string operand();

  void define(const std::string& operand, Value value);

  /// known() returns the element of an operand, value() reads the operand first.
  ///
  /// Errors: throws kInternal if the operand is unknown or of another stage.
  Element known(const std::string& operand, std::size_t stage) const;
  Element value(std::size_t stage) { return known(operand(), stage); }
  Element value() { return value(stage_); }

  /// Reads "a ^ b ^ c", or `zero`.
  std::vector<Operand> sum(std::string_view zero);

  /// Adds an equation for a new element, which `name` stands for from now on.
  void assign(const std::string& name, std::vector<Operand> operands);

  /// Makes `output` a copy of a value.
  void put(Element output, Element value) { read_.equations.push_back({output, {value}}); }

  /// Throws kInternal unless the equations that were read compute `wanted`, a program or a matrix.
  template <typename Wanted>
  void compare(const Wanted& wanted) {
    try {
      check_program(read_);
      prove(read_, wanted);
    } catch (const Error& error) {
      bad(error.what());
    }
  }

  std::size_t stage_ = 0;  ///< the stage that is being read

 private:
  Program read_;
  Element next_ = 0;
  std::map<std::string, Value> values_;
};

}  // namespace xorloom
