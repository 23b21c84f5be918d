#include "codes/text/counted.hpp"
#include "equations/files/equation_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// A name in the text; its element depends on the layout.
struct Name {
  /// The order of inputs and outputs that are not listed: cells first. The values for virtual
  /// elements are those of VirtualElement::Kind.
  enum class Kind : std::int8_t { kCell = -1, kDifference, kOld, kUpdated, kTemporary };
  Kind kind;
  Element number;

  bool is_temporary() const { return kind == Kind::kTemporary; }
  bool is_virtual() const { return kind != Kind::kCell && kind != Kind::kTemporary; }
  auto operator<=>(const Name&) const = default;
};

struct NamedEquation {
  struct Term {
    Name name;
    Field::Symbol coefficient;
  };
  Name target;
  std::vector<Term> terms{};
  bool is_sum = false;  ///< written as SUM, over symbols
};

/// Parser of a line: takes tokens from its beginning.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : rest_(text), number_(number) { skip_spaces(); }

  template <typename... Values>
  [[noreturn]] void bad(fmt::format_string<Values...> sentence, Values&&... values) const {
    fail(Status::kParse, "line {}: {}", number_,
         fmt::format(sentence, std::forward<Values>(values)...));
  }
  std::string_view rest() const { return rest_; }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_spaces();
    return true;
  }
  void expect(const std::same_as<const char*> auto... tokens) {
    for (const char* const token : {tokens...}) {
      if (take(token)) continue;
      if (rest_.empty()) bad("expected '{}' before the end of the line", token);
      bad("expected '{}' before '{}'", token, beginning());
    }
  }
  std::size_t number() {
    const std::string_view before = beginning();
    const std::optional<std::uint64_t> value = digits(10);
    if (!value || *value >= kMaxElements) {
      const std::size_t end = before.find_first_not_of("0123456789");
      bad("'{}' is not a number below {}", end == 0 ? before : before.substr(0, end), kMaxElements);
    }
    return *value;
  }
  /// "0x1d".
  std::uint64_t hexadecimal(const char* what) {
    expect("0x");
    const std::string_view before = beginning();
    const std::optional<std::uint64_t> value = digits(16);
    if (!value) bad("{} '0x{}' is not a hexadecimal number", what, before);
    return *value;
  }
  /// Takes "0x1d*"; 1 if there is no coefficient.
  Field::Symbol coefficient() {
    if (!rest_.starts_with("0x")) return 1;
    const std::uint64_t value = hexadecimal("coefficient");
    if (value > ~Field::Symbol{0}) bad("coefficient {:#x} exceeds 32 bits", value);
    expect("*");
    return static_cast<Field::Symbol>(value);
  }
  bool begins_name() const {
    return !rest_.empty() && ((rest_.front() >= 'A' && rest_.front() <= 'Z') ||
                              std::ranges::any_of(kPrefixes, [this](const auto& prefix) {
                                return is_number_after(prefix.first);
                              }));
  }
  Name name() {
    for (const auto& [word, kind] : kPrefixes) {
      if (!is_number_after(word)) continue;
      rest_.remove_prefix(word.size());
      return {kind, static_cast<Element>(number())};
    }
    if (rest_.empty()) bad("expected an element before the end of the line");
    const std::string_view word = first_word();
    const std::string_view tail = word.substr(std::min<std::size_t>(1, word.size()));
    const bool is_longer =
        !tail.empty() && !tail.starts_with("XOR") &&
        ((tail[0] >= 'A' && tail[0] <= 'Z') || (tail[0] >= '0' && tail[0] <= '9'));
    if (rest_.front() < 'A' || rest_.front() > 'Z' || is_longer) {
      if (word.empty()) bad("expected an element before '{}'", beginning());
      bad("'{}' is not an element: write numbers for inputs and outputs, A to Z, T26, T27, … for "
          "sums on the way, and in an update dN, oldN or newN",
          word);
    }
    const auto letter = static_cast<Element>(rest_.front() - 'A');
    rest_.remove_prefix(1);
    skip_spaces();
    return {Name::Kind::kTemporary, letter};
  }
  void expect_end() const {
    if (!rest_.empty()) bad("'{}' is left over", beginning());
  }

 private:
  static constexpr std::array<std::pair<std::string_view, Name::Kind>, 5> kPrefixes{{
      {"", Name::Kind::kCell},
      {"d", Name::Kind::kDifference},
      {"old", Name::Kind::kOld},
      {"new", Name::Kind::kUpdated},
      {"T", Name::Kind::kTemporary},
  }};

  bool is_number_after(std::string_view word) const {
    return rest_.starts_with(word) && rest_.size() > word.size() && rest_[word.size()] >= '0' &&
           rest_[word.size()] <= '9';
  }
  /// The rest, shortened to quote it in a message.
  std::string_view beginning() const { return rest_.substr(0, 30); }

  /// The text before the next space or sign.
  std::string_view first_word() const {
    return beginning().substr(0, std::min(rest_.find_first_of(" \t,()=*^+"), rest_.find("⊕")));
  }

  /// Takes a whole number; nullopt if there is none, or if it exceeds 64 bits.
  std::optional<std::uint64_t> digits(int base) {
    std::uint64_t value = 0;
    const char* const end = rest_.data() + rest_.size();
    const auto [after, error] = std::from_chars(rest_.data(), end, value, base);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(after - rest_.data()));
    skip_spaces();
    return value;
  }
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
  std::size_t number_;
};

/// Parses "XOR(4,12,A)", "SUM(0x1d*4,A)", or handwritten "4 ⊕ 12 ⊕ A", also with ^, + or xor.
void parse_sum(Line& line, NamedEquation& equation) {
  equation.is_sum = line.take("SUM");
  if (!equation.is_sum && !line.take("XOR")) {
    if (!line.begins_name()) line.expect("XOR");  // throws
    do {
      equation.terms.push_back({line.name(), 1});
    } while (line.take("⊕") || line.take("^") || line.take("+") || line.take("xor") ||
             line.take("XOR"));
    if (!line.rest().empty()) line.expect("⊕ or xor");  // throws
    return;
  }
  line.expect("(");
  if (line.take(")")) return;
  do {
    const Field::Symbol coefficient = equation.is_sum ? line.coefficient() : 1;
    equation.terms.push_back({line.name(), coefficient});
  } while (line.take(","));
  line.expect(")");
}

NamedEquation parse_equation(Line& line) {
  if (line.take("eq")) {  // "eq. 1:", or as in the paper "eq:11:"
    if (!line.take(".")) line.expect(":");
    line.number();
    line.expect(":");
  }
  NamedEquation equation{line.name()};
  line.expect("=");
  parse_sum(line, equation);
  line.expect_end();
  return equation;
}

std::vector<Name> parse_runs(Line& line) {
  std::vector<Name> names;
  if (line.rest().empty()) return names;
  do {
    const std::string_view before = line.rest();
    const Name first = line.name();
    const Name last = line.take("-") ? line.name() : first;
    const std::string_view run = before.substr(0, before.find(','));
    if (first.is_temporary()) line.bad("'{}' is a temporary", excerpt(run));
    if (last.kind != first.kind) line.bad("the run {} is of two kinds", excerpt(run));
    if (last.number < first.number) line.bad("the run {} goes down", excerpt(run));
    if (names.size() + (last.number - first.number) >= kMaxElements) {
      line.bad("more than {} elements are listed", kMaxElements);
    }
    for (Element e = first.number; e <= last.number; ++e) names.push_back({first.kind, e});
  } while (line.take(","));
  line.expect_end();
  return names;
}

/// 1 + the largest cell that is named or described by a virtual element.
std::size_t cells_of(const auto& names) {
  std::size_t cells = 0;
  for (const Name& name : names) {
    if (!name.is_temporary()) cells = std::max<std::size_t>(cells, name.number + 1);
  }
  return cells;
}

/// The inputs if they are not listed: the elements that are only read.
std::vector<Name> inputs_of(const std::set<Name>& read, const std::set<Name>& assigned) {
  std::vector<Name> inputs;
  for (const Name& name : read) {
    if (!name.is_temporary() && !assigned.contains(name)) inputs.push_back(name);
  }
  return inputs;
}

/// The outputs if they are not listed: the elements assigned; all redundant elements of `code` if
/// only such are assigned.
std::vector<Name> outputs_of(const std::set<Name>& assigned, const Code* code, Over over) {
  const std::size_t of_cell = code == nullptr || over == Over::kSymbols ? 1 : code->field.w();
  std::vector<Name> outputs;
  bool encodes = code != nullptr;
  for (const Name& name : assigned) {
    if (name.is_temporary()) continue;
    outputs.push_back(name);
    encodes = encodes && name.kind == Name::Kind::kCell &&
              code->role(static_cast<Cell>(name.number / of_cell)) == Role::kRedundant;
  }
  if (!encodes) return outputs;
  outputs.clear();
  for (const Element element :
       over == Over::kSymbols ? code->redundant : elements_of(*code, code->redundant)) {
    outputs.push_back({Name::Kind::kCell, element});
  }
  return outputs;
}

/// Parses "basis=0x1+0xd6+…" and returns `field` in this basis.
Field in_basis(const Field& field, Line& line) {
  line.expect("basis", "=");
  std::vector<Field::Symbol> basis;
  do {
    const std::uint64_t element = line.hexadecimal("element");
    if (element >= field.size()) {
      line.bad("basis element {:#x} is not below 2^w = {:#x}", element, field.size());
    }
    basis.push_back(static_cast<Field::Symbol>(element));
  } while (line.take("+"));
  return {field.w(), field.polynomial(), basis};
}

struct Parsed {
  EquationFile file;
  std::optional<Code> code;  // the code that the file names
  std::optional<std::string> style;
  bool has_layout = false;
  bool has_field = false;
  std::optional<std::vector<Name>> inputs;
  std::optional<std::vector<Name>> outputs;
  std::vector<NamedEquation> equations;

  /// True if `line` begins another set of equations.
  bool ends_before(std::string_view line) const {
    return !equations.empty() &&
           (line.starts_with("code:") || (style && line.starts_with("style:")));
  }

  void parse_line(Line& line) {
    if (line.take("sites:")) {
      line.bad("the equations of a repair by sites are several programs: read those of one site");
    } else if (line.take("code:")) {
      if (code) line.bad("the equations have a code already");
      code = named_code(line.rest());
      file.code = EquationFile::CodeName::of(*code);
    } else if (line.take("style:")) {
      if (style) line.bad("the equations have a style already");
      style = line.rest();
      if (style != "direct" && style != "iterative") {
        line.bad("style '{}' is not direct or iterative", excerpt(*style));
      }
    } else if (line.take("field:")) {
      line.expect("w", "=");
      const std::size_t w = line.number();
      line.expect(",", "poly", "=");
      file.program.field = Field(w, line.hexadecimal("polynomial"));
      if (line.take(",")) file.program.field = in_basis(file.program.field, line);
      line.expect_end();
      has_field = true;
    } else if (line.take("layout:")) {
      file.program.locations = line.number();
      line.expect("locations", "x");
      file.program.rows = line.number();
      line.expect("rows");
      line.expect_end();
      has_layout = true;
    } else if (line.take("inputs:")) {
      inputs = parse_runs(line);
    } else if (line.take("outputs:")) {
      outputs = parse_runs(line);
    } else {
      equations.push_back(parse_equation(line));
    }
  }
};

/// Returns the file of one set, with elements instead of names.
EquationFile numbered(Parsed parsed, const Code* code) {
  Program& program = parsed.file.program;
  if (parsed.code) code = &*parsed.code;
  std::set<Name> assigned;
  std::set<Name> read;
  for (const NamedEquation& equation : parsed.equations) {
    assigned.insert(equation.target);
    for (const auto& [name, coefficient] : equation.terms) read.insert(name);
  }
  const bool has_sums = std::ranges::any_of(parsed.equations, &NamedEquation::is_sum);
  if (has_sums && !parsed.has_field) {
    if (code == nullptr) {
      fail(Status::kParse, "SUM adds symbols: a line 'field:' or a code has to say of which field");
    }
    program.field = code->field;
  }
  const Over over = program.is_xor() ? Over::kBits : Over::kSymbols;
  if (!parsed.has_layout) {
    program.locations =
        code != nullptr ? code->locations : std::max(cells_of(read), cells_of(assigned));
    program.rows = code == nullptr ? 1 : over == Over::kSymbols ? code->subchunks : code->rows();
  }
  check_size(program);
  if (!parsed.inputs) parsed.inputs = inputs_of(read, assigned);
  if (!parsed.outputs) parsed.outputs = outputs_of(assigned, code, over);

  std::size_t cells = 0;
  std::vector<Name> virtuals;
  const auto collect = [&](const auto& names) {
    cells = std::max(cells, cells_of(names));
    for (const Name& name : names) {
      if (name.is_virtual()) virtuals.push_back(name);
    }
  };
  collect(read);
  collect(assigned);
  collect(*parsed.inputs);
  collect(*parsed.outputs);
  if (cells > program.num_cells()) {
    fail(Status::kParse, "element {} is not one of the {} cells of {} of {}", cells - 1,
         program.num_cells(), counted(program.locations, "location"), counted(program.rows, "row"));
  }
  // Virtual elements are numbered by kind, then by cell.
  std::ranges::sort(virtuals);
  virtuals.erase(std::unique(virtuals.begin(), virtuals.end()), virtuals.end());
  for (const auto& [kind, number] : virtuals) {
    program.virtuals.push_back({static_cast<VirtualElement::Kind>(kind), number});
  }

  const auto element = [&](const Name& name) {
    if (name.kind == Name::Kind::kCell) return name.number;
    if (name.is_temporary()) return program.first_temporary() + name.number;
    const auto index = std::ranges::lower_bound(virtuals, name) - virtuals.begin();
    return program.num_cells() + static_cast<Element>(index);
  };
  const auto elements = [&](const std::vector<Name>& names) {
    std::vector<Element> result;
    result.reserve(names.size());
    for (const Name& name : names) result.push_back(element(name));
    return result;
  };
  program.inputs = elements(*parsed.inputs);
  program.outputs = elements(*parsed.outputs);
  for (const NamedEquation& equation : parsed.equations) {
    std::vector<Operand> operands;
    for (const auto& [name, coefficient] : equation.terms) {
      operands.emplace_back(element(name), coefficient);
    }
    program.equations.push_back({element(equation.target), std::move(operands)});
  }
  parsed.file.style = parsed.style.value_or("");
  return std::move(parsed.file);
}

}  // namespace

std::vector<EquationFile> parse_text(std::string_view text, const Code* code) {
  std::vector<Parsed> sets(1);
  std::size_t line_number = 0;
  while (!text.empty()) {
    std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), content.size() + 1));
    ++line_number;
    content = content.substr(0, content.find_last_not_of(" \t\r") + 1);  // npos + 1 is 0
    Line line(content, line_number);
    if (line.rest().empty() || line.rest().front() == '#') continue;
    if (sets.back().ends_before(line.rest())) sets.emplace_back();
    sets.back().parse_line(line);
  }
  std::vector<EquationFile> files;
  for (Parsed& parsed : sets) files.push_back(numbered(std::move(parsed), code));
  return files;
}

}  // namespace xorloom
