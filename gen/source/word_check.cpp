#include "gen/source/word_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "gen/source/source_body.hpp"
#include "gen/source/source_tokens.hpp"

namespace xorloom {
namespace {

using Constants = std::map<std::string, Field::Symbol, std::less<>>;

/// A sum, or a part of one: coefficients by element, none 0.
using Terms = std::map<Element, Field::Symbol>;

class WordReader : SourceTokens {
 public:
  WordReader(const Program& program, const WordForm& form, const Constants& constants)
      : program_(program), form_(form), constants_(constants) {
    for (const Element input : program.inputs) add_name(input);
    for (const Equation& equation : program.equations) add_name(equation.target);
    readable_.insert(program.inputs.begin(), program.inputs.end());
  }

  void read_part(std::string_view text) {
    read(text);
    pointers_.clear();
    known_.clear();
    doublings_.clear();
    while (!is_at_end()) {
      statement();
      expect(";");
    }
    while (!sums_.empty()) complete(sums_.begin());
  }

  void compare() const {
    std::map<Element, Terms> expected;
    for (const Equation& equation : program_.equations) {
      Terms& terms = expected[equation.target];
      for (const auto& [element, coefficient] : equation.operands) terms[element] = coefficient;
    }
    if (complete_ != expected) bad("its equations are others");
    std::vector<Element> outputs = program_.outputs;
    std::ranges::sort(outputs);
    if (!std::ranges::equal(outputs, stored_)) bad("it stores other elements than the outputs");
  }

 private:
  /// A value: an element, doubled some times.
  using Value = std::pair<Element, std::size_t>;

  void add_name(Element element) {
    if (!elements_.emplace(value_name(program_, element), element).second) {
      bad(fmt::format("two values are named '{}'", value_name(program_, element)));
    }
  }
  Element element_named(std::string_view name) const {
    const auto found = elements_.find(name);
    if (found == elements_.end()) bad(fmt::format("no value is named '{}'", name));
    return found->second;
  }

  /// The element of "c5" or "c5 + 2 * sub".
  Element cell() {
    const std::string_view pointer = word();
    const auto location = pointers_.find(pointer);
    if (location == pointers_.end()) bad_here(fmt::format("'{}' points nowhere", pointer));
    std::size_t row = 0;
    if (take("+")) {
      row = number();
      expect("*");
      expect("sub");
    }
    if (row >= program_.rows) bad_here(fmt::format("sub-chunk {} does not exist", row));
    return static_cast<Element>(location->second * program_.rows + row);
  }

  void complete(std::map<Element, Terms>::iterator sum) {
    if (!complete_.emplace(sum->first, std::move(sum->second)).second) {
      bad(fmt::format("'{}' is computed twice", value_name(program_, sum->first)));
    }
    sums_.erase(sum);
  }

  /// A value that is read: its sum is complete, if it is one.
  Value value_of(std::string_view name) {
    if (const auto doubled = doublings_.find(name); doubled != doublings_.end()) {
      return doubled->second;
    }
    const Element element = element_named(name);
    if (const auto sum = sums_.find(element); sum != sums_.end()) {
      complete(sum);
    } else if (!known_.contains(element)) {
      bad_here(fmt::format("{} is not known", name));
    }
    known_.insert(element);
    return {element, 0};
  }

  /// Adds "e0 ^ e0_2" or "tmul(e0, t8e)" to a sum.
  void add_terms(Terms& terms) {
    do {
      const std::string_view name = word();
      const bool is_product = !form_.is_portable() && name == form_.multiply && take("(");
      const auto [element, times] = value_of(is_product ? word() : name);
      Field::Symbol coefficient = program_.field.symbol_of(Field::Symbol{1} << times);
      if (is_product) {
        expect(",");
        const std::string_view constant = word();
        const auto found = constants_.find(constant);
        if (found == constants_.end()) bad_here(fmt::format("'{}' is no constant", constant));
        coefficient = found->second;
        expect(")");
      }
      if ((terms[element] ^= coefficient) == 0) terms.erase(element);
    } while (take("^"));
  }

  void statement() {
    if (take("kept[")) {
      const std::size_t slot = number();
      expect("] =");
      kept_[slot] = stored_value();
    } else if (take("const uint8_t *") || take("uint8_t *")) {
      word();
      const std::string_view pointer = word();
      expect("= chunks[");
      pointers_[pointer] = number();
      expect("] + at");
    } else if (take("const")) {
      expect(form_.vec);
      do known_value();
      while (take(","));
    } else if (take_word(form_.vec)) {
      do begun_sum();
      while (take(","));
    } else if (take_word(form_.put)) {
      expect("(");
      const Element target = cell();
      expect(",");
      if (stored_value() != target) bad_here("another value is stored there");
      expect(")");
      stored_.insert(target);
      readable_.insert(target);
    } else {
      const Element target = element_named(word());
      const auto sum = sums_.find(target);
      if (sum == sums_.end()) bad_here("what is added to is no sum");
      expect("^=");
      Terms terms = sum->second;
      add_terms(terms);
      if (!sums_.contains(target)) bad_here("a sum is added to itself");
      sums_[target] = std::move(terms);
    }
  }

  /// A value that stays: not one that was doubled.
  Element stored_value() {
    const auto [element, times] = value_of(word());
    if (times != 0) bad_here("a doubled value is stored");
    return element;
  }

  void known_value() {
    const std::string_view name = word();
    expect("=");
    if (form_.is_portable() && take_word(form_.multiply)) {
      expect("(");
      const auto [element, times] = value_of(word());
      expect(")");
      if (times + 1 >= program_.field.w()) bad_here("a value is doubled too often");
      const bool is_new =
          !elements_.contains(name) && doublings_.emplace(name, Value{element, times + 1}).second;
      if (!is_new) bad_here("a value is declared twice");
      return;
    }
    const Element element = element_named(name);
    if (take_word(form_.get)) {
      expect("(");
      if (cell() != element || !readable_.contains(element)) {
        bad_here("a value is loaded from elsewhere");
      }
      expect(")");
    } else {
      expect("kept[");
      const auto kept = kept_.find(number());
      expect("]");
      if (kept == kept_.end() || kept->second != element) bad_here("another value is kept there");
    }
    declare(element);
    known_.insert(element);
  }

  void begun_sum() {
    const Element target = element_named(word());
    expect("=");
    Terms terms;
    if (!take("{0}")) add_terms(terms);
    declare(target);
    sums_.emplace(target, std::move(terms));
  }

  void declare(Element element) {
    if (known_.contains(element) || sums_.contains(element)) bad_here("a value is declared twice");
  }

  const Program& program_;
  const WordForm& form_;
  const Constants& constants_;
  std::map<std::string, Element, std::less<>> elements_;
  std::set<Element> readable_;           ///< in chunks: inputs and what was stored
  std::map<std::size_t, Element> kept_;  ///< by slot
  std::set<Element> stored_;
  std::map<Element, Terms> complete_;  ///< sums that were read

  // Of the part that is read.
  std::map<std::string_view, std::size_t> pointers_;
  std::set<Element> known_;
  std::map<Element, Terms> sums_;  ///< that may be added to
  std::map<std::string_view, Value> doublings_;
};

}  // namespace

void check_word_source(const Program& program, const WordForm& form, const Constants& constants,
                       std::span<const std::string> parts) {
  WordReader reader(program, form, constants);
  for (const std::string& part : parts) reader.read_part(part);
  reader.compare();
}

}  // namespace xorloom
