#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/text/source_tokens.hpp"

namespace xorloom {

/// Reads generated text back into a program, and proves that it computes what another program does.
/// A reader of a language derives from it: it knows the grammar, and reports here the effect of
/// each statement.
///
/// A value is a sum of elements of the program that is read. Elements are inputs, outputs that were
/// stored, and temporaries: one for each value of several operands that another value reads.
class ProgramReader : protected SourceTokens {
 public:
  /// Throws kInternal unless every output was stored and equals that of `wanted`. The message names
  /// the first that does not.
  void compare() const;

 protected:
  using Sum = std::vector<Operand>;

  /// Keeps a reference to `wanted`.
  explicit ProgramReader(const Program& wanted);

  const Program& wanted() const { return wanted_; }

  /// Gives a new name to a value, which `assign` may change unless it is constant.
  void declare(std::string_view name, Sum sum, bool is_constant);
  /// Gives a value to a name that was declared.
  void assign(std::string_view name, Sum sum);
  /// Value of a name for statements that read it: a sum of several operands becomes a temporary.
  /// Errors: refuses an unknown name.
  Sum value(std::string_view name);
  /// Value of a name for the statement that assigns to it: all operands of its sum.
  const Sum& own_value(std::string_view name) { return known(name).sum; }
  /// Forgets all names.
  void forget_values() { values_.clear(); }

  void add(Sum& to, const Sum& sum, Field::Symbol scale = 1) const;

  /// Value in memory of an element. Errors: refuses elements that are neither inputs nor stored.
  Sum loaded(Element element) const;
  /// Stores an output. Errors: refuses an element that is no output, or that was stored before.
  void store(Element element, Sum sum);

 private:
  struct Value {
    Sum sum;
    bool is_constant;
  };
  Value& known(std::string_view name);

  const Program& wanted_;
  Program read_;
  Element next_;  ///< next temporary of the program that is read
  std::set<Element> outputs_;
  std::set<Element> readable_;  ///< elements in memory: inputs and stored outputs
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace xorloom
