#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gen/verilog/verilog_reader.hpp"
#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom {
namespace {

/// Factors of a multiplier.
struct Multiplier {
  bool has_factor = false;  ///< true if the table has a factor; otherwise its number counts as 0
  bool is_general = false;  ///< true if the table has the factor itself
  /// Factor by its number in the table; 0 for other numbers.
  std::map<std::size_t, Field::Symbol> cases{};

  Field::Symbol symbol_of(std::size_t number) const {
    if (is_general) return static_cast<Field::Symbol>(number);
    const auto found = cases.find(number);
    return found == cases.end() ? 0 : found->second;
  }
};

class UnitReader : VerilogReader {
 public:
  UnitReader(std::string_view text, const UnitPlan& plan)
      : VerilogReader(layout_of_matrix(0, plan.field.w())), text_(text), plan_(plan) {
    for (Element bit = 0; bit < plan.field.w(); ++bit) define(fmt::format("a[{}]", bit), {bit});
  }

  void read_all() {
    read_loads();
    read_outputs();
    for (std::size_t bank = 0; bank < plan_.banks; ++bank) read_bank(bank);
    read_operations();
  }

 private:
  /// Continues behind `mark`, which occurs once in the file.
  void go_behind(const std::string& mark) {
    const std::size_t place = text_.find(mark);
    if (place == std::string_view::npos) bad(fmt::format("there is no '{}'", mark));
    read(text_.substr(place + mark.size()));
  }

  void check_line(std::size_t line, std::size_t expected) const {
    if (line != expected) bad_here(fmt::format("line {} of a table is not in its place", line));
  }

  void read_loads() {
    go_behind("reg [PLACE_BITS-1:0] places [0:LOADS-1];\n  initial begin\n");
    while (take_word("sources")) {
      const std::vector<std::size_t> line = scan("[%] = {$, $}; places[%] = {$, $};");
      check_line(line[0], loads_.size());
      check_line(line[5], loads_.size());
      loads_.push_back({line[2], line[4], line[7], line[9]});
    }
    expect("end");
  }

  void read_outputs() {
    go_behind("reg [ENTRY_BITS-1:0] outputs [0:OUTPUTS-1];\n  initial begin\n");
    while (take_word("outputs")) {
      const std::vector<std::size_t> line = scan("[%] = {$, $");
      check_line(line[0], outputs_.size());
      outputs_.push_back({line[2], line[4], {}});
      std::string& entry = entries_.emplace_back(line[1] + line[3], '0');
      while (take(",")) {
        const std::vector<std::size_t> field = scan("$");
        entry += fmt::format("{:0{}b}", field[1], field[0]);
      }
      scan("};");
      if (entry.size() != entries_[0].size()) bad_here("an entry is longer");
    }
    expect("end");
    if (entries_.empty()) bad("it has no outputs");
  }

  /// Reads "entry[7:4]". Returns these bits of each entry of the table.
  std::vector<std::size_t> slice() {
    const std::vector<std::size_t> bits = scan("entry[%:%]");
    const std::size_t size = entries_[0].size();
    if (bits[0] < bits[1] || bits[0] >= size) bad_here("a slice is outside");
    std::vector<std::size_t> values;
    for (const std::string& entry : entries_) {
      values.push_back(
          std::stoull(entry.substr(size - 1 - bits[0], bits[0] - bits[1] + 1), nullptr, 2));
    }
    return values;
  }

  /// Reads the product of a constant and a, "{a[6], a[5] ^ a[7], …}" or "a". Returns the constant.
  Field::Symbol product() {
    const std::size_t w = plan_.field.w();
    if (!take("{")) {
      expect("a");
      return 1;
    }
    std::vector<Field::Symbol> columns(w);
    for (std::size_t bit = w; bit-- > 0;) {
      for (const Operand& operand : sum("1'b0")) {
        columns[operand.element] ^= Field::Symbol{1} << bit;
      }
      expect(bit == 0 ? "}" : ",");
    }
    for (std::size_t bit = 0; bit < w; ++bit) {
      if (plan_.field.multiply_by_shifts(columns[0], Field::Symbol{1} << bit) != columns[bit]) {
        bad_here("a multiplier is that of no symbol");
      }
    }
    return columns[0];
  }

  Multiplier multiplier(const std::string& name) {
    constexpr std::string_view kSymbol = "input [SYMBOL_BITS-1:0] a;";
    Multiplier multiplier;
    go_behind(fmt::format("function [SYMBOL_BITS-1:0] {};\n", name));
    multiplier.has_factor = !take(kSymbol);
    if (multiplier.has_factor) {
      scan("input [%:0] factor;");
      expect(kSymbol);
    }
    if (take("case (factor)")) {
      while (!take("default:")) {
        const std::vector<std::size_t> factor = scan("// % $:");
        scan(name + " =");
        if (multiplier.cases[factor[2]] = product(); multiplier.cases[factor[2]] != factor[0]) {
          bad_here("a comment names another factor");
        }
        expect(";");
      }
      return multiplier;
    }
    scan(name + " =");
    if (take("(")) {
      multiplier.is_general = true;
      for (std::size_t bit = 0; bit < plan_.field.w(); ++bit) {
        if (bit != 0) scan("^ (");
        const std::size_t number = scan("{SYMBOL_BITS{factor[%]}} &")[0];
        if (number != bit || product() != Field::Symbol{1} << bit) {
          bad_here("a bit of a factor multiplies otherwise");
        }
        expect(")");
      }
    } else {
      multiplier.cases[0] = product();
    }
    expect(";");
    return multiplier;
  }

  /// Reads a bank, and appends its term to each output.
  void read_bank(std::size_t bank) {
    const Multiplier multiplier = this->multiplier(fmt::format("product_of_bank_{}", bank));
    go_behind(fmt::format("operand_{0} <= bank_{0}[{{", bank));
    const std::vector<std::size_t> slots = slice();
    std::vector<std::size_t> factors(slots.size());
    if (multiplier.has_factor) {
      go_behind(fmt::format("factor_{} <= ", bank));
      factors = slice();
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      outputs_[i].terms.push_back({slots[i], multiplier.symbol_of(factors[i])});
    }
  }

  /// True if lines `first` to `last` of a table are `lines`.
  template <typename Line>
  bool is_same(const std::vector<Line>& table, std::size_t first, std::size_t last,
               const std::vector<Line>& lines) const {
    if (first > last || last >= table.size()) bad_here("an operation is outside the tables");
    return std::ranges::equal(std::span(table).subspan(first, last + 1 - first), lines);
  }

  void read_operations() {
    go_behind("case (operation)\n");
    for (std::size_t i = 0; i < plan_.operations.size(); ++i) {
      const UnitOperation& operation = plan_.operations[i];
      if (i + 1 == plan_.operations.size()) {
        expect("default");
      } else {
        check_line(scan("$")[1], i);
      }
      const std::vector<std::size_t> range =
          scan(": begin first_load <= $; last_load <= $; first_output <= $; last_output <= $; end");
      if (!is_same(loads_, range[1], range[3], operation.loads)) {
        bad(fmt::format("to {} it reads other elements", operation.name()));
      }
      if (!is_same(outputs_, range[5], range[7], operation.outputs)) {
        bad(fmt::format("to {} it computes other sums", operation.name()));
      }
    }
    expect("endcase");
  }

  std::string_view text_;
  const UnitPlan& plan_;
  std::vector<UnitLoad> loads_{};
  std::vector<UnitOutput> outputs_{};
  /// Bits of each entry of the outputs' table, the highest first.
  std::vector<std::string> entries_{};
};

}  // namespace

void check_zigzag_unit(std::string_view text, const UnitPlan& plan) {
  UnitReader(text, plan).read_all();
}

}  // namespace xorloom
