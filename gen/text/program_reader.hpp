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
/// A reader of some language derives from it: it knows the grammar, and says here what the
/// statements do.
///
/// A value is a sum of elements of the program that is read. These are inputs, outputs that were
/// stored, and temporaries: one for each value of several operands that another value reads.
class ProgramReader : protected SourceTokens {
 public:
  /// Throws kInternal unless every output was stored, and each is what `wanted` says. The sentence
  /// names the first that is not.
  void compare() const;

 protected:
  using Sum = std::vector<Operand>;

  /// Keeps a reference.
  explicit ProgramReader(const Program& wanted);

  const Program& wanted() const { return wanted_; }

  /// Gives a new name to a value, which `assign` may change unless it is constant.
  void declare(std::string_view name, Sum sum, bool is_constant);
  /// Gives a value to a name that was declared.
  void assign(std::string_view name, Sum sum);
  /// The sum that a name stands for, as others read it. Errors: refuses an unknown name.
  Sum value(std::string_view name);
  /// The same for the statement that assigns to the name: all operands of the sum.
  const Sum& own_value(std::string_view name) { return known(name).sum; }
  /// Forgets all names.
  void forget_values() { values_.clear(); }

  void add(Sum& to, const Sum& sum, Field::Symbol scale = 1) const;

  /// What lies in memory where an element belongs. Errors: refuses all but inputs and what was
  /// stored.
  Sum loaded(Element element) const;
  /// Errors: refuses what is no output, and an output that was stored before.
  void store(Element element, Sum sum);

 private:
  struct Value {
    Sum sum;
    bool is_constant;
  };
  Value& known(std::string_view name);

  const Program& wanted_;
  Program read_;
  Element next_;  ///< temporary of the program that is read
  std::set<Element> outputs_;
  std::set<Element> readable_;  ///< in memory: inputs and what was stored
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace xorloom
