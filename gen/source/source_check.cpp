#include "gen/source/source_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "gen/source/source_body.hpp"
#include "gen/source/source_tokens.hpp"

namespace xorloom {
namespace {

class SourceReader : SourceTokens {
 public:
  explicit SourceReader(const Program& program) : program_(program) {
    for (const Element input : program.inputs) add_name(input);
    for (const Equation& equation : program.equations) add_name(equation.target);
    readable_.insert(program.inputs.begin(), program.inputs.end());
  }

  void read_part(std::string_view text) {
    read(text);
    pointers_.clear();
    known_.clear();
    while (!is_at_end()) {
      statement();
      expect(";");
    }
  }

  void compare() const {
    if (equations_ != program_.equations) bad("its equations are others");
    std::vector<Element> outputs = program_.outputs;
    std::ranges::sort(outputs);
    if (!std::ranges::equal(outputs, stored_)) bad("it stores other elements than the outputs");
  }

 private:
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

  Element cell() { return static_cast<Element>(cell_number(pointers_, program_.rows)); }

  std::vector<Element> sum() {
    if (take("zero")) return {};
    std::vector<Element> operands;
    do {
      const std::string_view name = word();
      operands.push_back(element_named(name));
      if (!known_.contains(operands.back())) bad_here(fmt::format("{} is not known", name));
    } while (take("^"));
    return operands;
  }

  void statement() {
    if (take("put(")) {
      put();
    } else if (take("kept[")) {
      const std::size_t slot = number();
      expect("] =");
      const Element element = element_named(word());
      if (!known_.contains(element)) bad_here("a value that is kept is not known");
      kept_[slot] = element;
    } else if (take("const vec zero = {0}")) {
      return;
    } else if (take("const vec")) {
      do declaration();
      while (take(","));
    } else {
      take("const");
      expect("uint8_t *");
      word();
      const std::string_view pointer = word();
      expect("= chunks[");
      pointers_[pointer] = number();
      expect("] + at");
    }
  }

  void declaration() {
    const Element element = element_named(word());
    expect("=");
    if (take("get(")) {
      const Element from = cell();
      expect(")");
      if (from != element || !readable_.contains(from))
        bad_here("a value is loaded from elsewhere");
    } else if (take("kept[")) {
      const auto kept = kept_.find(number());
      expect("]");
      if (kept == kept_.end() || kept->second != element) bad_here("another value is kept there");
    } else {
      const std::vector<Element> operands = sum();
      equations_.push_back({element, {operands.begin(), operands.end()}});
    }
    if (!known_.insert(element).second) bad_here("a value is declared twice");
  }

  void put() {
    const Element target = cell();
    expect(",");
    const std::vector<Element> operands = sum();
    expect(")");
    if (operands != std::vector{target}) {
      equations_.push_back({target, {operands.begin(), operands.end()}});
    }
    stored_.insert(target);
    readable_.insert(target);
  }

  const Program& program_;
  std::map<std::string, Element, std::less<>> elements_;
  std::set<Element> readable_;           ///< in chunks: inputs and what was stored
  std::map<std::size_t, Element> kept_;  ///< by slot
  std::set<Element> stored_;
  std::vector<Equation> equations_;

  // Of the part that is read.
  std::map<std::string_view, std::size_t> pointers_;
  std::set<Element> known_;
};

}  // namespace

void check_source(const Program& program, std::span<const std::string> parts) {
  SourceReader reader(program);
  for (const std::string& part : parts) reader.read_part(part);
  reader.compare();
}

}  // namespace xorloom
