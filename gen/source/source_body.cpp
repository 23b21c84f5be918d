#include "gen/source/source_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gen/source/wrap.hpp"

namespace xorloom {
namespace {

class PartWriter {
 public:
  PartWriter(const Program& program, const SourcePart& part)
      : program_(program),
        part_(part),
        equations_(std::span(program.equations).subspan(part.first, part.last - part.first)),
        to_load_(part.loaded.begin(), part.loaded.end()),
        stored_(part.stored.begin(), part.stored.end()) {
    for (const KeptValue& value : part.taken) to_take_.emplace(value.element, value.slot);
    for (const KeptValue& value : part.kept) to_keep_.emplace(value.element, value.slot);
    for (const Equation& equation : equations_) {
      read_.insert(equation.operands.begin(), equation.operands.end());
    }
  }

  std::string text(const std::string& restrict_word) {
    text_ = write_pointers(program_, part_, restrict_word);
    if (std::ranges::any_of(equations_,
                            [](const Equation& equation) { return equation.operands.empty(); })) {
      text_ += "  const vec zero = {0};\n";
    }
    for (const Equation& equation : equations_) {
      declare_operands(equation);
      assign(equation);
    }
    return std::move(text_);
  }

 private:
  std::string name(Element element) const { return value_name(program_, element); }

  /// The first arguments of get and put.
  std::string cell(Element element) const {
    return fmt::format("c{}, {}", element / program_.rows, element % program_.rows);
  }

  /// The words of a statement, which may go on in further lines.
  void add(const std::string& head, std::vector<std::string> words) {
    words.back() += ';';
    text_ += wrap(head, words, "      ") + '\n';
  }

  void declare_operands(const Equation& equation) {
    std::vector<std::string> values;
    for (const Element operand : equation.operands) {
      if (const auto taken = to_take_.find(operand); taken != to_take_.end()) {
        values.push_back(fmt::format("{} = kept[{}],", name(operand), taken->second));
        to_take_.erase(taken);
      } else if (to_load_.erase(operand) != 0) {
        values.push_back(fmt::format("{} = get({}),", name(operand), cell(operand)));
      }
    }
    if (values.empty()) return;
    values.back().pop_back();
    add("  const vec ", std::move(values));
  }

  void assign(const Equation& equation) {
    const Element target = equation.target;
    const bool is_output = stored_.contains(target);
    std::vector<std::string> sum;
    for (const Element operand : equation.operands) sum.push_back(name(operand) + " ^");
    if (sum.empty()) sum.emplace_back("zero ^");
    sum.back().resize(sum.back().size() - 2);
    if (is_output && !read_.contains(target)) {
      sum.back() += ')';
      add(fmt::format("  put({}, ", cell(target)), std::move(sum));
      return;
    }
    add(fmt::format("  const vec {} = ", name(target)), std::move(sum));
    if (is_output) text_ += fmt::format("  put({}, {});\n", cell(target), name(target));
    if (const auto kept = to_keep_.find(target); kept != to_keep_.end()) {
      text_ += fmt::format("  kept[{}] = {};\n", kept->second, name(target));
    }
  }

  const Program& program_;
  const SourcePart& part_;
  std::span<const Equation> equations_;
  std::set<Element> to_load_;
  std::set<Element> stored_;
  std::set<Element> read_;
  std::map<Element, std::size_t> to_take_;
  std::map<Element, std::size_t> to_keep_;
  std::string text_;
};

}  // namespace

std::string value_name(const Program& program, Element element) {
  return (element < program.first_temporary() ? "e" : "") + element_name(program, element);
}

std::string write_pointers(const Program& program, const SourcePart& part,
                           const std::string& restrict_word) {
  std::map<std::size_t, bool> is_written;  // by location
  for (const Element element : part.loaded) is_written.emplace(element / program.rows, false);
  for (const Element element : part.stored) is_written[element / program.rows] = true;
  std::string text;
  for (const auto& [location, written] : is_written) {
    text += fmt::format("  {}uint8_t *{} c{} = chunks[{}] + at;\n", written ? "" : "const ",
                        restrict_word, location, location);
  }
  return text;
}

std::string write_part(const Program& program, const SourcePart& part,
                       const std::string& restrict_word) {
  return PartWriter(program, part).text(restrict_word);
}

}  // namespace xorloom
