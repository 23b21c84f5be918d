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

/// Reads sums back from generated Verilog as a program, which is then proved. A table says which
/// value each operand stands for, such as "e5_1" or "in5[2*LANES+:LANES]": without blanks.
class VerilogReader : protected SourceTokens {
 protected:
  /// An element, and the stage of registers in which it is there.
  struct Value {
    Element element;
    std::size_t stage = 0;
  };

  /// The elements that may be read are those of `frame`, whose equations do not count.
  explicit VerilogReader(const Program& frame);

  /// Reads a text in which each % stands for a number, and each $ for a number of so many bits,
  /// "3'd5". Returns the numbers, 3 and 5 for the latter.
  std::vector<std::size_t> scan(std::string_view pattern);

  /// Reads an operand: a name, with what stands in brackets behind it, or a product in brackets.
  std::string operand();

  void define(const std::string& operand, Value value);

  /// What an operand stands for, which has to be of some stage; and what the next one does.
  Element known(const std::string& operand, std::size_t stage) const;
  Element value(std::size_t stage) { return known(operand(), stage); }
  Element value() { return value(stage_); }

  /// "a ^ b ^ c", or what stands for zero.
  std::vector<Operand> sum(std::string_view zero);

  /// Adds an equation of a new element, which a name stands for from now on.
  void assign(const std::string& name, std::vector<Operand> operands);

  /// Makes an output a copy of a value.
  void put(Element output, Element value) { read_.equations.push_back({output, {value}}); }

  /// Throws kInternal unless the equations that were read compute a program, or a matrix.
  template <typename Wanted>
  void compare(const Wanted& wanted) {
    try {
      check_program(read_);
      prove(read_, wanted);
    } catch (const Error& error) {
      bad(error.what());
    }
  }

  std::size_t stage_ = 0;  ///< the stage that is read

 private:
  Program read_;
  Element next_ = 0;
  std::map<std::string, Value> values_;
};

}  // namespace xorloom
