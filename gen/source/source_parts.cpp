#include "gen/source/source_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "equations/ir/live_slots.hpp"

namespace xorloom {
namespace {

std::vector<SourcePart> cut(const Program& program, std::size_t most_operands) {
  std::vector<SourcePart> parts;
  std::size_t operands = 0;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const std::size_t more = program.equations[i].operands.size();
    if (parts.empty() || operands + more > most_operands) {
      parts.push_back({i, i, {}, {}, {}, {}});
      operands = 0;
    }
    parts.back().last = i + 1;
    operands += more;
  }
  return parts;
}

/// Most sums that fit 16 registers together with their operands.
constexpr std::size_t kMostSideBySide = 8;

class PartWriter {
 public:
  PartWriter(const Program& program, const SourcePart& part, const WordForm* form,
             const Language& language)
      : program_(program),
        form_(form),
        lines_({line_words(form, language), program}),
        equations_(std::span(program.equations).subspan(part.first, part.last - part.first)),
        stored_(part.stored.begin(), part.stored.end()) {
    for (const KeptValue& value : part.kept) to_keep_.emplace(value.element, value.slot);
    for (const KeptValue& value : part.taken) {
      sources_.emplace(value.element, fmt::format("kept[{}]", value.slot));
    }
    std::map<std::size_t, bool> is_written;  // by location
    for (const Element element : part.loaded) {
      sources_.emplace(element, lines_.loaded(element));
      is_written.emplace(element / program.rows, false);
    }
    for (const Element element : part.stored) is_written[element / program.rows] = true;
    for (const auto& [location, written] : is_written) {
      lines_.point_at(static_cast<Element>(location * program.rows), written);
    }
  }

  std::string text() && {
    form_ == nullptr ? add_xors() : add_sums();
    return std::move(lines_).text();
  }

 private:
  std::string name(Element element) const { return lines_.name(element); }

  /// Declares the elements that come from memory and are not declared yet.
  template <typename Elements>
  void declare(const Elements& elements) {
    std::vector<std::string> values;
    for (const Element element : elements) {
      const auto source = sources_.find(element);
      if (source == sources_.end()) continue;
      values.push_back(fmt::format("{} = {}", name(element), source->second));
      sources_.erase(source);
    }
    lines_.declare(values, true);
  }

  /// Stores and keeps the value of an equation.
  void finish(Element target) {
    if (stored_.contains(target)) lines_.store(target, {name(target)});
    if (const auto kept = to_keep_.find(target); kept != to_keep_.end()) {
      lines_.sum(fmt::format("kept[{}] = ", kept->second), {name(target)});
    }
  }

  /// On packets: the equations, one after the other.
  void add_xors() {
    std::set<Element> read;
    for (const Equation& equation : equations_) {
      read.insert(equation.operands.begin(), equation.operands.end());
    }
    const bool has_zeros = std::ranges::any_of(
        equations_, [](const Equation& equation) { return equation.operands.empty(); });
    if (has_zeros) lines_.declare({"zero = {0}"}, true);
    for (const auto& [target, operands] : equations_) {
      declare(operands);
      std::vector<std::string> sum;
      for (const Element operand : operands) sum.push_back(name(operand));
      if (sum.empty()) sum.emplace_back("zero");
      if (stored_.contains(target) && !read.contains(target)) {
        lines_.store(target, sum);
      } else {
        lines_.sum(fmt::format("const vec {} = ", name(target)), sum);
        finish(target);
      }
    }
  }

  /// On words: groups of equations, side by side.
  void add_sums() {
    for (std::size_t first = 0; first < equations_.size();) {
      const std::size_t size = independent(first);
      add_side_by_side(equations_.subspan(first, size));
      first += size;
    }
  }

  /// Number of equations from `first` on that do not read one another; at most kMostSideBySide.
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

  void add_side_by_side(std::span<const Equation> equations) {
    std::map<Element, std::vector<Operand>> products;  // targets and factors, by element read
    std::vector<std::string> zeros;
    for (const Equation& equation : equations) {
      if (equation.operands.empty()) zeros.push_back(name(equation.target) + " = {0}");
      for (const Operand& operand : equation.operands) {
        products[operand.element].emplace_back(equation.target, operand.coefficient);
      }
    }
    lines_.declare(zeros, false);
    for (const auto& [element, terms] : products) {
      declare(std::span(&element, 1));
      if (form_->is_portable()) declare_doublings(element, terms);
      std::vector<LineWriter::Addition> additions;
      for (const auto& [target, coefficient] : terms) {
        additions.push_back({target, products_of(element, coefficient)});
      }
      lines_.add(additions);
    }
    for (const Equation& equation : equations) finish(equation.target);
  }

  static int num_bits(Field::Symbol polynomial) {
    return static_cast<int>(std::bit_width(polynomial));
  }

  /// "e0" or, doubled three times, "e0_3".
  std::string doubled(Element element, int times) const {
    return times == 0 ? name(element) : fmt::format("{}_{}", name(element), times);
  }

  void declare_doublings(Element element, const std::vector<Operand>& terms) {
    int& done = doublings_[element];
    std::vector<std::string> values;
    for (const auto& [target, coefficient] : terms) {
      for (; done + 1 < num_bits(program_.field.polynomial_of(coefficient)); ++done) {
        values.push_back(fmt::format("{} = {}{})", doubled(element, done + 1), form_->words.twice,
                                     doubled(element, done)));
      }
    }
    lines_.declare(values, true);
  }

  /// Terms whose sum is a product.
  std::vector<std::string> products_of(Element element, Field::Symbol coefficient) const {
    if (!form_->is_portable()) {
      if (coefficient == 1) return {name(element)};
      return {fmt::format("{}{}, {})", form_->words.product, name(element),
                          constant_name(*form_, program_.field, coefficient))};
    }
    const Field::Symbol polynomial = program_.field.polynomial_of(coefficient);
    std::vector<std::string> doublings;
    for (int bit = 0; bit < num_bits(polynomial); ++bit) {
      if ((polynomial >> bit & 1U) != 0) doublings.push_back(doubled(element, bit));
    }
    return doublings;
  }

  const Program& program_;
  const WordForm* form_;
  LineWriter lines_;
  std::span<const Equation> equations_;
  std::set<Element> stored_;
  std::map<Element, std::string> sources_;  ///< by element that is not declared yet: its expression
  std::map<Element, std::size_t> to_keep_;
  std::map<Element, int> doublings_;  ///< by element: doublings declared so far
};

}  // namespace

SourceParts split_into_parts(const Program& program, std::size_t most_operands) {
  SourceParts result{cut(program, most_operands), 0};
  const std::size_t end = program.end_of_elements();
  std::vector<bool> is_output(end);
  for (const Element output : program.outputs) is_output[output] = true;

  // By element: the part that assigns it, and the last part that reads it.
  std::vector<std::size_t> assigned(end, kNone);
  std::vector<std::size_t> last_read(end, kNone);
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    for (std::size_t i = result.parts[p].first; i < result.parts[p].last; ++i) {
      assigned[program.equations[i].target] = p;
      for (const Element operand : program.equations[i].operands) last_read[operand] = p;
    }
  }

  std::vector<std::optional<std::uint32_t>> slot(end);
  // By element: the last part that loads or takes it.
  std::vector<std::size_t> known_to(end, kNone);
  LiveSlots slots;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    SourcePart& part = result.parts[p];
    for (std::size_t i = part.first; i < part.last; ++i) {
      const Element target = program.equations[i].target;
      for (const Element operand : program.equations[i].operands) {
        if (assigned[operand] == p || known_to[operand] == p) continue;
        known_to[operand] = p;
        if (!slot[operand]) {
          part.loaded.push_back(operand);
        } else {
          part.taken.push_back({operand, *slot[operand]});
        }
      }
      if (is_output[target]) {
        part.stored.push_back(target);
      } else if (last_read[target] != kNone && last_read[target] > p) {
        slot[target] = slots.take();
        part.kept.push_back({target, *slot[target]});
      }
    }
    for (const KeptValue& value : part.taken) {
      if (last_read[value.element] == p) slots.release(value.slot);
    }
  }
  result.slots = slots.count();
  return result;
}

LineWords line_words(const WordForm* form, const Language& language) {
  LineWords words =
      form != nullptr ? form->words : LineWords{.vec = "vec", .get = "get(", .put = "put("};
  words.restrict_word = language.restrict_word;
  return words;
}

std::string write_part(const Program& program, const SourcePart& part, const WordForm* form,
                       const Language& language) {
  return PartWriter(program, part, form, language).text();
}

}  // namespace xorloom
