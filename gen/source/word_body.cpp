#include "gen/source/word_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gen/source/source_body.hpp"
#include "gen/source/word_constants.hpp"
#include "gen/source/wrap.hpp"

namespace xorloom {
namespace {

/// At most this many sums and what they are made of fit the registers of 16.
constexpr std::size_t kMostSideBySide = 8;

class WordPartWriter {
 public:
  WordPartWriter(const Program& program, const SourcePart& part, const WordForm& form)
      : program_(program),
        part_(part),
        form_(form),
        equations_(std::span(program.equations).subspan(part.first, part.last - part.first)),
        to_load_(part.loaded.begin(), part.loaded.end()),
        stored_(part.stored.begin(), part.stored.end()) {
    for (const KeptValue& value : part.taken) to_take_.emplace(value.element, value.slot);
    for (const KeptValue& value : part.kept) to_keep_.emplace(value.element, value.slot);
  }

  std::string text(const std::string& restrict_word) {
    text_ = write_pointers(program_, part_, restrict_word);
    for (std::size_t first = 0; first < equations_.size();) {
      const std::size_t size = independent(first);
      add_sums(equations_.subspan(first, size));
      first += size;
    }
    return std::move(text_);
  }

 private:
  std::string name(Element element) const { return value_name(program_, element); }

  std::string cell(Element element) const {
    const std::size_t row = element % program_.rows;
    return fmt::format("c{}{}", element / program_.rows,
                       row == 0 ? "" : fmt::format(" + {} * sub", row));
  }

  void add_line(const std::string& head, const std::vector<std::string>& words) {
    text_ += wrap(head, words, "      ") + '\n';
  }

  /// One statement that declares: words that end with commas.
  void declare(const std::string& head, std::vector<std::string> words) {
    if (words.empty()) return;
    words.back().back() = ';';
    add_line(head, words);
  }

  /// How many equations from one on read nothing of one another, a few at most.
  std::size_t independent(std::size_t first) const {
    std::set<Element> targets;
    std::size_t last = first;
    for (; last < equations_.size() && last - first < kMostSideBySide; ++last) {
      const Equation& equation = equations_[last];
      if (std::ranges::any_of(equation.operands, [&](const Operand& operand) {
            return targets.contains(operand.element);
          })) {
        break;
      }
      targets.insert(equation.target);
    }
    return last - first;
  }

  void add_sums(std::span<const Equation> equations) {
    std::map<Element, std::vector<std::pair<Element, Field::Symbol>>> products;  // by element read
    std::vector<std::string> zeros;
    for (const Equation& equation : equations) {
      if (equation.operands.empty()) zeros.push_back(name(equation.target) + " = {0},");
      for (const Operand& operand : equation.operands) {
        products[operand.element].emplace_back(equation.target, operand.coefficient);
      }
    }
    declare(fmt::format("  {} ", form_.vec), std::move(zeros));
    std::set<Element> begun;
    for (const auto& [element, terms] : products) {
      declare_value(element);
      if (form_.is_portable()) declare_doublings(element, terms);
      std::vector<std::string> first;
      std::vector<std::string> further;
      for (const auto& [target, coefficient] : terms) {
        const bool is_first = begun.insert(target).second;
        add_words(is_first ? first : further, name(target) + (is_first ? " = " : " ^= "),
                  products_of(element, coefficient), is_first ? "," : ";");
      }
      declare(fmt::format("  {} ", form_.vec), std::move(first));
      if (!further.empty()) add_line("  ", further);
    }
    for (const Equation& equation : equations) finish(equation.target);
  }

  void declare_value(Element element) {
    std::string value;
    if (const auto taken = to_take_.find(element); taken != to_take_.end()) {
      value = fmt::format("kept[{}]", taken->second);
      to_take_.erase(taken);
    } else if (to_load_.erase(element) != 0) {
      value = fmt::format("{}({})", form_.get, cell(element));
    } else {
      return;
    }
    text_ += fmt::format("  const {} {} = {};\n", form_.vec, name(element), value);
  }

  static int num_bits(Field::Symbol polynomial) {
    return static_cast<int>(std::bit_width(polynomial));
  }

  /// "e0" or, doubled three times, "e0_3".
  std::string doubled(Element element, int times) const {
    return times == 0 ? name(element) : fmt::format("{}_{}", name(element), times);
  }

  void declare_doublings(Element element,
                         const std::vector<std::pair<Element, Field::Symbol>>& terms) {
    int& done = doublings_[element];
    std::vector<std::string> values;
    for (const auto& [target, coefficient] : terms) {
      while (done + 1 < num_bits(program_.field.polynomial_of(coefficient))) {
        values.push_back(fmt::format("{} = {}({}),", doubled(element, done + 1), form_.multiply,
                                     doubled(element, done)));
        ++done;
      }
    }
    declare(fmt::format("  const {} ", form_.vec), std::move(values));
  }

  /// What has to be added for a product.
  std::vector<std::string> products_of(Element element, Field::Symbol coefficient) const {
    if (!form_.is_portable()) {
      if (coefficient == 1) return {name(element)};
      return {fmt::format("{}({}, {})", form_.multiply, name(element),
                          constant_name(form_, program_.field, coefficient))};
    }
    const Field::Symbol polynomial = program_.field.polynomial_of(coefficient);
    std::vector<std::string> doublings;
    for (int bit = 0; bit < num_bits(polynomial); ++bit) {
      if ((polynomial >> bit & 1U) != 0) doublings.push_back(doubled(element, bit));
    }
    return doublings;
  }

  /// Adds "e4 ^= e0 ^", "e0_2;" to the words of a line, which may be broken between them.
  static void add_words(std::vector<std::string>& words, std::string head,
                        const std::vector<std::string>& terms, const char* end) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      words.push_back(head + terms[i] + (i + 1 < terms.size() ? " ^" : end));
      head.clear();
    }
  }

  void finish(Element target) {
    if (stored_.contains(target)) {
      text_ += fmt::format("  {}({}, {});\n", form_.put, cell(target), name(target));
    }
    if (const auto kept = to_keep_.find(target); kept != to_keep_.end()) {
      text_ += fmt::format("  kept[{}] = {};\n", kept->second, name(target));
    }
  }

  const Program& program_;
  const SourcePart& part_;
  const WordForm& form_;
  std::span<const Equation> equations_;
  std::set<Element> to_load_;
  std::set<Element> stored_;
  std::map<Element, std::size_t> to_take_;
  std::map<Element, std::size_t> to_keep_;
  std::map<Element, int> doublings_;  ///< declared so far
  std::string text_;
};

}  // namespace

std::string write_word_part(const Program& program, const SourcePart& part, const WordForm& form,
                            const std::string& restrict_word) {
  return WordPartWriter(program, part, form).text(restrict_word);
}

}  // namespace xorloom
