#include "gen/source/source_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "codes/text/error.hpp"
#include "gen/source/source_body.hpp"

namespace xorloom {
namespace {

class SourceReader {
 public:
  explicit SourceReader(const Program& program) : program_(program) {
    for (const Element input : program.inputs) add_name(input);
    for (const Equation& equation : program.equations) add_name(equation.target);
    readable_.insert(program.inputs.begin(), program.inputs.end());
  }

  void read_part(std::string_view text) {
    rest_ = text;
    pointers_.clear();
    known_.clear();
    skip_blanks();
    while (!rest_.empty()) {
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
  [[noreturn]] void bad(const std::string& what) const {
    fail(Status::kInternal,
         fmt::format("the source that was written is not that of its equations: {}", what));
  }
  [[noreturn]] void bad_here(const std::string& what) const {
    bad(fmt::format("{} before '{}'", what, rest_.substr(0, 40)));
  }

  void add_name(Element element) {
    if (!elements_.emplace(value_name(program_, element), element).second) {
      bad(fmt::format("two values are named '{}'", value_name(program_, element)));
    }
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(" \n")));
  }

  std::string_view word() {
    std::size_t size = 0;
    while (size < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[size])) != 0 || rest_[size] == '_')) {
      ++size;
    }
    if (size == 0) bad_here("no name");
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    skip_blanks();
    return word;
  }
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_blanks();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) bad_here(fmt::format("no '{}'", token));
  }
  std::size_t number() {
    const std::string_view digits = word();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) bad_here("no number");
    return value;
  }

  Element element_named(std::string_view name) const {
    const auto found = elements_.find(name);
    if (found == elements_.end()) bad(fmt::format("no value is named '{}'", name));
    return found->second;
  }
  /// The element of "c5, 0)" or "c5, 0,": a pointer and a row.
  Element cell() {
    const std::string_view pointer = word();
    const auto location = pointers_.find(pointer);
    if (location == pointers_.end()) bad_here(fmt::format("'{}' points nowhere", pointer));
    expect(",");
    const std::size_t row = number();
    if (row >= program_.rows) bad_here(fmt::format("row {} does not exist", row));
    return static_cast<Element>(location->second * program_.rows + row);
  }
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
  std::string_view rest_;
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
