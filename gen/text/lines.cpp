#include "gen/text/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"
#include "gen/text/source_tokens.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

/// Reads lines back into a program, and proves that it computes what `layout.program` does.
///
/// A value is a sum of elements of the program that is read. Elements are inputs, outputs that were
/// stored, and temporaries: one for each value of several operands that another value reads.
class LineReader : SourceTokens {
 public:
  LineReader(const LineLayout& layout, const LineConstants& constants)
      : wanted_(layout.program),
        read_(without_equations(wanted_)),
        next_(wanted_.first_temporary()),
        outputs_(wanted_.outputs.begin(), wanted_.outputs.end()),
        readable_(wanted_.inputs.begin(), wanted_.inputs.end()),
        words_(layout.words),
        chunks_(layout.chunks),
        planes_(layout.planes),
        rows_(layout.program.rows / layout.planes),
        constants_(constants) {}

  void read_part(std::string_view text) {
    read(text);
    begin_part(false);
    while (!is_at_end()) statement();
    if (in_part_) bad("a part does not end");
  }

  /// Throws kInternal unless every output was stored and equals that of the program. The message
  /// names the first that does not.
  void compare() const {
    for (const Element output : wanted_.outputs) {
      if (readable_.contains(output)) continue;
      bad(fmt::format("{} is not stored", element_name(wanted_, output)));
    }
    if (const auto wrong = find_disagreement(read_, wanted_)) bad(*wrong);
  }

 private:
  using Sum = std::vector<Operand>;

  struct Value {
    Sum sum;
    bool is_constant;
  };

  void begin_part(bool in_part) {
    in_part_ = in_part;
    values_.clear();
    pointers_.clear();
  }

  /// Gives a new name to a value, which an assignment may change unless it is constant.
  void declare(std::string_view name, Sum sum, bool is_constant) {
    if (!values_.emplace(name, Value{std::move(sum), is_constant}).second) {
      bad_here(fmt::format("'{}' is declared twice", name));
    }
  }

  Value& known(std::string_view name) {
    const auto found = values_.find(name);
    if (found == values_.end()) bad_here(fmt::format("'{}' is not known", name));
    return found->second;
  }

  /// Value of a name for statements that read it: a sum of several operands becomes a temporary.
  Sum value(std::string_view name) {
    Sum& sum = known(name).sum;
    if (sum.size() > 1) {
      read_.equations.push_back({next_, std::move(sum)});
      sum = {next_++};
    }
    return sum;
  }

  void add(Sum& to, const Sum& sum, Field::Symbol scale = 1) const {
    add_scaled(wanted_.field, to, scale, sum);
  }

  /// Value in memory of an element. Errors: refuses elements that are neither inputs nor stored.
  Sum loaded(Element element) const {
    if (!readable_.contains(element)) bad_here("what is loaded is neither input nor stored");
    return {element};
  }

  /// Stores an output. Errors: refuses an element that is no output, or that was stored before.
  void store(Element element, Sum sum) {
    if (!outputs_.contains(element)) bad_here("what is stored is no output");
    if (!readable_.insert(element).second) bad_here("an output is stored twice");
    read_.equations.push_back({element, std::move(sum)});
  }

  /// True if `word` comes next and is not empty; it is then skipped.
  bool takes(std::string_view word) { return !word.empty() && take(word); }

  void statement() {
    if (take("{")) {
      if (in_part_) bad_here("a part within a part");
      return begin_part(true);
    }
    if (take("}")) {
      if (!in_part_) bad_here("no part ends");
      return begin_part(false);
    }
    if (takes(words_.in_order)) {
    } else if (take(words_.read_bytes) || take(words_.bytes)) {
      pointer();
    } else if (take_word("const")) {
      expect(words_.vec);
      declarations(true);
    } else if (take_word(words_.vec)) {
      declarations(false);
    } else if (take(words_.put)) {
      put(1);
    } else if (takes(words_.put_planes)) {
      put(planes_);
    } else if (takes(words_.get_planes)) {
      get_planes();
    } else if (take("kept[")) {
      const std::uint64_t slot = number();
      expect("] =");
      kept_[slot] = value(word());
    } else {
      assignment();
    }
    expect(";");
  }

  void pointer() {
    expect(words_.restrict_word);
    const std::string_view name = word();
    expect("=");
    expect(words_.chunk);
    const std::uint64_t chunk = number();
    expect("] +");
    expect(words_.place);
    if (!chunks_.empty() && chunk >= chunks_.size()) {
      bad_here(fmt::format("chunk {} does not exist", chunk));
    }
    const std::size_t location = chunks_.empty() ? chunk : chunks_[chunk];
    if (!pointers_.emplace(name, location).second) bad_here("a pointer is declared twice");
  }

  /// The first element of a cell.
  Element cell() {
    const std::string_view pointer = word();
    const auto location = pointers_.find(pointer);
    if (location == pointers_.end()) bad_here(fmt::format("'{}' points nowhere", pointer));
    const bool is_sum = *words_.row != '\0';
    std::size_t row = 0;
    if (!is_sum) {
      expect(",");
      row = number();
    } else if (take("+")) {
      row = number();
      expect(words_.row);
    }
    if (row >= rows_) bad_here(fmt::format("row {} does not exist", row));
    return static_cast<Element>((location->second * rows_ + row) * planes_);
  }

  void declarations(bool is_constant) {
    do {
      const std::string_view name = word();
      expect("=");
      declare(name, sum(), is_constant);
    } while (take(","));
  }

  void assignment() {
    assigned_ = word();
    const bool grows = take("^=");
    if (!grows) expect("=");
    Sum made = sum();
    const std::string_view name = std::exchange(assigned_, "");
    Value& value = known(name);
    if (grows) add(made, value.sum);
    if (value.is_constant) bad_here(fmt::format("'{}' does not change", name));
    value.sum = std::move(made);
  }

  void put(std::size_t planes) {
    const Element first = cell();
    for (Element bit = 0; bit < planes; ++bit) {
      expect(",");
      store(first + bit, sum());
    }
    expect(")");
  }

  void get_planes() {
    const Element first = cell();
    for (Element bit = 0; bit < planes_; ++bit) {
      expect(",");
      declare(word(), loaded(first + bit), true);
    }
    expect(")");
  }

  Sum sum() {
    Sum sum = term();
    while (take("^")) add(sum, term());
    return sum;
  }

  Sum term() {
    if (take(words_.get)) {
      const Element element = cell();
      expect(")");
      return loaded(element);
    }
    if (take("kept[")) {
      const auto kept = kept_.find(number());
      expect("]");
      if (kept == kept_.end()) bad_here("nothing is kept there");
      return kept->second;
    }
    if (takes(words_.sum_of_three)) {
      Sum all = sum();
      for (int i = 0; i < 2; ++i) {
        expect(",");
        add(all, sum());
      }
      expect(")");
      return all;
    }
    if (takes(words_.twice)) {
      const Sum once = sum();
      expect(")");
      return times(once, wanted_.field.symbol_of(2));
    }
    if (takes(words_.product)) return product();
    if (take_word(words_.zero)) return {};
    const std::string_view name = word();
    return name == assigned_ ? known(name).sum : value(name);
  }

  Sum times(const Sum& sum, Field::Symbol by) const {
    Sum product;
    add(product, sum, by);
    return product;
  }

  Sum product() {
    if (words_.has_numbers) {
      const std::uint64_t coefficient = number();
      if (coefficient >= wanted_.field.size()) bad_here("a number is no symbol");
      expect(",");
      const Sum factor = sum();
      expect(")");
      return times(factor, static_cast<Field::Symbol>(coefficient));
    }
    const Sum factor = sum();
    expect(",");
    const std::string_view name = word();
    const auto constant = constants_.find(name);
    if (constant == constants_.end()) bad_here(fmt::format("'{}' is no constant", name));
    expect(")");
    return times(factor, constant->second);
  }

  const Program& wanted_;
  Program read_;
  Element next_;  ///< next temporary of the program that is read
  std::set<Element> outputs_;
  std::set<Element> readable_;  ///< elements in memory: inputs and stored outputs
  const LineWords& words_;
  const std::vector<std::size_t>& chunks_;
  std::size_t planes_;
  std::size_t rows_;  ///< cells of a chunk
  const LineConstants& constants_;
  std::map<std::uint64_t, Sum> kept_;  ///< by slot
  // State of the part that is being read.
  bool in_part_ = false;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string_view, std::size_t> pointers_;
  std::string_view assigned_;  ///< the name that the current statement assigns to
};

}  // namespace

std::string value_name(const Program& program, Element element, std::size_t planes) {
  if (planes != 1) return fmt::format("e{}_{}", element / planes, element % planes);
  return element < program.first_temporary() ? fmt::format("e{}", element)
                                             : element_name(program, element);
}

void LineWriter::open_part() {
  text_ += "  {\n";
  indent_ = "    ";
}

void LineWriter::close_part() {
  text_ += "  }\n";
  indent_ = "  ";
  begun_.clear();
  loads_.clear();
  pointed_.clear();
}

void LineWriter::line(const std::string& head, const std::vector<std::string>& words) {
  text_ += wrap(indent_ + head, words, indent_ + "    ") + "\n";
}

std::string LineWriter::cell(Element element) const {
  const std::size_t rows = layout_.program.rows / layout_.planes;
  const std::size_t location = element / layout_.planes / rows;
  const std::size_t row = element / layout_.planes % rows;
  if (*layout_.words.row == '\0') return fmt::format("c{}, {}", location, row);
  return row == 0 ? fmt::format("c{}", location)
                  : fmt::format("c{} + {} {}", location, row, layout_.words.row);
}

void LineWriter::point_at(Element element, bool is_written) {
  const LineWords& words = layout_.words;
  const std::size_t location = element / layout_.program.rows;
  if (!pointed_.insert(location).second) return;
  const std::size_t chunk =
      layout_.chunks.empty()
          ? location
          : static_cast<std::size_t>(std::ranges::lower_bound(layout_.chunks, location) -
                                     layout_.chunks.begin());
  text_ += fmt::format("{}{}{}{}c{} = {}{}] + {};\n", indent_,
                       is_written ? words.bytes : words.read_bytes, words.restrict_word,
                       *words.restrict_word == '\0' ? "" : " ", location, words.chunk, chunk,
                       words.place);
}

std::string LineWriter::loaded(Element element) const {
  return fmt::format("{}{})", layout_.words.get, cell(element));
}

std::string LineWriter::load(Element element) {
  const std::size_t planes = layout_.planes;
  const std::size_t number = ++loads_[element / planes];
  if (planes == 1) {
    std::string as = name(element) + (number == 1 ? "" : fmt::format("_{}", number));
    point_at(element);
    declare({fmt::format("{} = {}", as, loaded(element))}, true);
    return as;
  }
  if (number == 1) {
    point_at(element);
    std::vector<std::string> words{cell(element)};
    const Element first = static_cast<Element>(element / planes * planes);
    for (Element bit = 0; bit < planes; ++bit) words.push_back(name(first + bit));
    line(layout_.words.get_planes, list_words(std::move(words), ",", ");"));
  }
  return name(element);
}

void LineWriter::declare(const std::vector<std::string>& values, bool is_constant) {
  if (values.empty()) return;
  line(fmt::format("{}{} ", is_constant ? "const " : "", layout_.words.vec),
       list_words(values, ",", ";"));
}

void LineWriter::add(const std::vector<Addition>& additions) {
  std::vector<std::string> begun;
  std::vector<std::string> further;
  for (const auto& [sum, terms] : additions) {
    const bool is_new = begun_.insert(sum).second;
    std::vector<std::string> words = list_words(terms, " ^", is_new ? "," : ";");
    words.front().insert(0, name(sum) + (is_new ? " = " : " ^= "));
    std::vector<std::string>& all = is_new ? begun : further;
    all.insert(all.end(), words.begin(), words.end());
  }
  if (!begun.empty()) {
    begun.back().back() = ';';
    line(fmt::format("{} ", layout_.words.vec), begun);
  }
  if (!further.empty()) text_ += wrap(indent_, further, indent_ + layout_.words.more) + "\n";
}

void LineWriter::sum(const std::string& head, const std::vector<std::string>& terms,
                     const char* end) {
  line(head, list_words(terms, " ^", end));
}

void LineWriter::store(Element element, const std::vector<std::string>& terms) {
  point_at(element);
  sum(fmt::format("{}{}, ", layout_.words.put, cell(element)), terms, ");");
}

void LineWriter::store_planes(Element first, const std::vector<std::string>& values) {
  if (layout_.planes == 1) return store(first, values);
  point_at(first);
  line(fmt::format("{}{}, ", layout_.words.put_planes, cell(first)), list_words(values, ",", ");"));
}

std::set<Field::Symbol> factors_of(const Program& program) {
  std::set<Field::Symbol> factors;
  for (const Equation& equation : program.equations) {
    for (const Operand& operand : equation.operands) factors.insert(operand.coefficient);
  }
  factors.erase(1);
  return factors;
}

void check_lines(const LineLayout& layout, std::span<const std::string> parts,
                 const LineConstants& constants) {
  LineReader reader(layout, constants);
  for (const std::string& part : parts) reader.read_part(part);
  reader.compare();
}

}  // namespace xorloom
