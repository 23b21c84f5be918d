#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"
#include "equations/files/text.hpp"

namespace xorloom {
namespace {

/// A name as it stands in the text; which element it is depends on the layout.
struct Name {
  enum class Kind : std::uint8_t { kCell, kDifference, kOld, kUpdated, kTemporary };
  Kind kind;
  Element number;

  bool is_temporary() const { return kind == Kind::kTemporary; }
  auto operator<=>(const Name&) const = default;
};

/// What a name says about a cell, if it is that of a virtual element.
std::optional<VirtualElement::Kind> virtual_kind(const Name& name) {
  switch (name.kind) {
    case Name::Kind::kDifference:
      return VirtualElement::Kind::kDifference;
    case Name::Kind::kOld:
      return VirtualElement::Kind::kOld;
    case Name::Kind::kUpdated:
      return VirtualElement::Kind::kUpdated;
    default:
      return std::nullopt;
  }
}

struct NamedEquation {
  Name target;
  std::vector<Name> operands;
  std::vector<Field::Symbol> coefficients;  ///< of the operands
  bool is_sum = false;                      ///< over symbols: SUM, not XOR
};

/// One line after the other, with what is left of the present one.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : rest_(text), number_(number) { skip_spaces(); }

  [[noreturn]] void bad(const std::string& sentence) const {
    fail(Status::kParse, fmt::format("line {}: {}", number_, sentence));
  }
  std::string_view rest() const { return rest_; }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_spaces();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) bad(fmt::format("expected '{}' before '{}'", token, rest_.substr(0, 30)));
  }
  std::size_t number() {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value >= kMaxElements) {
      bad(fmt::format("'{}' is not a number below {}", rest_.substr(0, 30), kMaxElements));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip_spaces();
    return value;
  }
  /// "0x1d": a number of 32 bits.
  std::uint64_t hexadecimal(const char* what) {
    expect("0x");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, 16);
    if (error != std::errc{}) {
      bad(fmt::format("{} '0x{}' is not a hexadecimal number", what, rest_.substr(0, 30)));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip_spaces();
    return value;
  }
  /// "0x1d*", or nothing for 1.
  Field::Symbol coefficient() {
    if (!rest_.starts_with("0x")) return 1;
    const std::uint64_t value = hexadecimal("coefficient");
    if (value > ~Field::Symbol{0}) bad(fmt::format("coefficient {:#x} exceeds 32 bits", value));
    expect("*");
    return static_cast<Field::Symbol>(value);
  }
  Name name() {
    for (const auto& [word, kind] : kPrefixes) {
      if (!is_number_after(word)) continue;
      rest_.remove_prefix(word.size());
      return {kind, static_cast<Element>(number())};
    }
    if (rest_.empty() || rest_.front() < 'A' || rest_.front() > 'Z') {
      bad(fmt::format(
          "'{}' is not an element: elements are numbers, d6, old15, new15, A to Z, T26, T27, …",
          rest_.substr(0, 30)));
    }
    const auto letter = static_cast<Element>(rest_.front() - 'A');
    rest_.remove_prefix(1);
    skip_spaces();
    return {Name::Kind::kTemporary, letter};
  }
  void expect_end() const {
    if (!rest_.empty()) bad(fmt::format("'{}' is left over", rest_.substr(0, 30)));
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
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
  std::size_t number_;
};

NamedEquation parse_equation(Line& line) {
  if (line.take("eq")) {  // "eq. 1:", and as the paper has it, "eq:11:"
    if (!line.take(".")) line.expect(":");
    line.number();
    line.expect(":");
  }
  NamedEquation equation{line.name(), {}, {}};
  line.expect("=");
  equation.is_sum = line.take("SUM");
  if (!equation.is_sum) line.expect("XOR");
  line.expect("(");
  if (!line.take(")")) {
    do {
      equation.coefficients.push_back(equation.is_sum ? line.coefficient() : 1);
      equation.operands.push_back(line.name());
    } while (line.take(","));
    line.expect(")");
  }
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
    if (first.is_temporary()) line.bad(fmt::format("'{}' is a temporary", excerpt(run)));
    if (last.kind != first.kind) line.bad(fmt::format("the run {} is of two kinds", excerpt(run)));
    if (last.number < first.number) line.bad(fmt::format("the run {} goes down", excerpt(run)));
    if (names.size() + (last.number - first.number) >= kMaxElements) {
      line.bad(fmt::format("more than {} elements are listed", kMaxElements));
    }
    for (Element e = first.number; e <= last.number; ++e) names.push_back({first.kind, e});
  } while (line.take(","));
  line.expect_end();
  return names;
}

/// One past the largest cell that is named, or spoken of by a virtual element.
template <typename Names>
std::size_t cells_of(const Names& names) {
  std::size_t cells = 0;
  for (const Name& name : names) {
    if (!name.is_temporary()) cells = std::max<std::size_t>(cells, name.number + 1);
  }
  return cells;
}

/// What inputs are if that is not said: what is only read.
std::vector<Name> inputs_of(const std::set<Name>& read, const std::set<Name>& assigned) {
  std::vector<Name> inputs;
  for (const Name& name : read) {
    if (!name.is_temporary() && !assigned.contains(name)) inputs.push_back(name);
  }
  return inputs;
}

/// What outputs are if that is not said: what is assigned, and all redundant elements if only such
/// are assigned.
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

/// A field in the basis of "basis=0x1+0xd6+…".
Field in_basis(const Field& field, Line& line) {
  line.expect("basis");
  line.expect("=");
  std::vector<Field::Symbol> basis;
  do {
    const std::uint64_t element = line.hexadecimal("element");
    if (element >= field.size()) {
      line.bad(fmt::format("basis element {:#x} is not below 2^w = {:#x}", element, field.size()));
    }
    basis.push_back(static_cast<Field::Symbol>(element));
  } while (line.take("+"));
  return {field.w(), field.polynomial(), basis};
}

struct Parsed {
  EquationFile file;
  std::optional<Code> code;  // the one the file names
  bool has_layout = false;
  bool has_style = false;
  bool has_field = false;
  std::optional<std::vector<Name>> inputs;
  std::optional<std::vector<Name>> outputs;
  std::vector<NamedEquation> equations;

  void parse_line(Line& line) {
    if (line.take("code:")) {
      if (code) line.bad("a second 'code:' begins another set of equations; give one of them");
      code =
          make_code(line.rest(),
                    {.packet_bytes = 0, .allow_non_mds = true, .limits = {.opens_files = false}});
      file.code = EquationFile::CodeName{code->family, code->spec, code->k, code->m, code->w};
    } else if (line.take("style:")) {
      if (has_style)
        line.bad("a second 'style:' begins another set of equations; give one of them");
      file.style = line.rest();
      has_style = true;
      if (file.style != "direct" && file.style != "iterative") {
        line.bad(fmt::format("style '{}' is not direct or iterative", excerpt(file.style)));
      }
    } else if (line.take("field:")) {
      line.expect("w");
      line.expect("=");
      const std::size_t w = line.number();
      line.expect(",");
      line.expect("poly");
      line.expect("=");
      file.program.field = Field(w, line.hexadecimal("polynomial"));
      if (line.take(",")) file.program.field = in_basis(file.program.field, line);
      line.expect_end();
      has_field = true;
    } else if (line.take("layout:")) {
      file.program.locations = line.number();
      line.expect("locations");
      line.expect("x");
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

}  // namespace

EquationFile parse_text(std::string_view text, const Code* code) {
  Parsed parsed;
  std::size_t line_number = 0;
  while (!text.empty()) {
    std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), content.size() + 1));
    ++line_number;
    const std::size_t last = content.find_last_not_of(" \t\r");
    content = content.substr(0, last == std::string_view::npos ? 0 : last + 1);
    Line line(content, line_number);
    if (line.rest().empty() || line.rest().front() == '#') continue;
    parsed.parse_line(line);
  }

  Program& program = parsed.file.program;
  if (parsed.code) code = &*parsed.code;
  std::set<Name> assigned;
  std::set<Name> read;
  for (const NamedEquation& equation : parsed.equations) {
    assigned.insert(equation.target);
    read.insert(equation.operands.begin(), equation.operands.end());
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
      if (virtual_kind(name)) virtuals.push_back(name);
    }
  };
  collect(read);
  collect(assigned);
  collect(*parsed.inputs);
  collect(*parsed.outputs);
  if (cells > program.num_cells()) {
    fail(Status::kParse,
         fmt::format("element {} is not one of the {} cells of {} locations of {} rows", cells - 1,
                     program.num_cells(), program.locations, program.rows));
  }
  // Virtual elements are numbered by kind, then by cell.
  std::ranges::sort(virtuals);
  virtuals.erase(std::unique(virtuals.begin(), virtuals.end()), virtuals.end());
  for (const Name& name : virtuals) program.virtuals.push_back({*virtual_kind(name), name.number});

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
    Equation& numbered = program.equations.emplace_back(Equation{element(equation.target), {}});
    for (std::size_t i = 0; i < equation.operands.size(); ++i) {
      numbered.operands.emplace_back(element(equation.operands[i]), equation.coefficients[i]);
    }
  }
  if (!parsed.has_style && std::ranges::any_of(assigned, &Name::is_temporary)) {
    parsed.file.style = "iterative";
  }
  return std::move(parsed.file);
}

}  // namespace xorloom
