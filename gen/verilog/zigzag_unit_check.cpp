#include "gen/verilog/zigzag_unit_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/field/field.hpp"
#include "gen/text/source_tokens.hpp"

namespace xorloom {
namespace {

using Bits = std::vector<bool>;  ///< the highest first

std::size_t value_of(const Bits& bits, std::size_t first, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = first; i < first + count; ++i) value = value << 1 | (bits[i] ? 1U : 0U);
  return value;
}

/// Which bits of an entry a register takes.
struct Slice {
  std::size_t high = 0;
  std::size_t low = 0;
};

/// What a multiplier does: by what is in the table the symbol it multiplies by. A general one
/// multiplies by what is in the table.
struct Multiplier {
  bool is_general = false;
  std::optional<Field::Symbol> constant{};
  std::map<std::size_t, Field::Symbol> cases{};
};

class UnitReader : SourceTokens {
 public:
  UnitReader(std::string_view text, const UnitPlan& plan) : text_(text), plan_(plan) {}

  void compare() {
    read_loads();
    read_outputs();
    for (std::size_t bank = 0; bank < plan_.banks; ++bank) read_bank(bank);
    read_operations();
  }

 private:
  /// Goes on behind a text that stands once in the file.
  void go_behind(const std::string& mark) {
    const std::size_t place = text_.find(mark);
    if (place == std::string_view::npos) bad(fmt::format("there is no '{}'", mark));
    read(text_.substr(place + mark.size()));
  }
  /// "3'd5": its bits.
  Bits literal() {
    const std::size_t width = number();
    expect("'d");
    const std::size_t value = number();
    if (width == 0 || width > 32 || value >> width != 0) bad_here("a number does not fit");
    Bits bits;
    for (std::size_t bit = width; bit-- > 0;) bits.push_back((value >> bit & 1) != 0);
    return bits;
  }
  std::size_t literal_value() {
    const Bits bits = literal();
    return value_of(bits, 0, bits.size());
  }
  std::vector<Bits> literals() {
    std::vector<Bits> list;
    expect("{");
    do list.push_back(literal());
    while (take(","));
    expect("}");
    expect(";");
    return list;
  }
  std::size_t index(std::size_t expected) {
    expect("[");
    const std::size_t i = number();
    if (i != expected) bad_here(fmt::format("line {} of a table is not in its place", i));
    expect("]");
    expect("=");
    return i;
  }

  void read_loads() {
    go_behind("reg [PLACE_BITS-1:0] places [0:LOADS-1];\n  initial begin\n");
    while (take_word("sources")) {
      index(loads_.size());
      const std::vector<Bits> source = literals();
      expect("places");
      index(loads_.size());
      const std::vector<Bits> place = literals();
      if (source.size() != 2 || place.size() != 2) bad_here("a load has other fields");
      loads_.push_back(
          {value_of(source[0], 0, source[0].size()), value_of(source[1], 0, source[1].size()),
           value_of(place[0], 0, place[0].size()), value_of(place[1], 0, place[1].size())});
    }
    expect("end");
  }

  void read_outputs() {
    go_behind("reg [ENTRY_BITS-1:0] outputs [0:OUTPUTS-1];\n  initial begin\n");
    while (take_word("outputs")) {
      index(entries_.size());
      Bits entry;
      const std::vector<Bits> fields = literals();
      for (const Bits& field : fields) entry.insert(entry.end(), field.begin(), field.end());
      if (fields.size() < 2) bad_here("an output has other fields");
      location_bits_ = fields[0].size();
      row_bits_ = fields[1].size();
      if (!entries_.empty() && entry.size() != entries_[0].size()) bad_here("an entry is longer");
      entries_.push_back(std::move(entry));
    }
    expect("end");
    if (entries_.empty()) bad("it has no outputs");
  }

  /// "entry[7:4]".
  Slice slice() {
    Slice slice;
    expect("entry[");
    slice.high = number();
    expect(":");
    slice.low = number();
    expect("]");
    if (slice.high < slice.low || slice.high >= entries_[0].size()) bad_here("a slice is outside");
    return slice;
  }
  static std::size_t taken(const Bits& entry, const Slice& slice) {
    return value_of(entry, entry.size() - 1 - slice.high, slice.high - slice.low + 1);
  }

  /// What the bits of "{a[6], a[5] ^ a[7], …}" or "a" take of a, as the symbol it multiplies by.
  Field::Symbol product() {
    const std::size_t w = plan_.field.w();
    std::vector<Field::Symbol> columns(w);
    if (take("{")) {
      for (std::size_t bit = w; bit-- > 0;) {
        if (bit + 1 < w) expect(",");
        if (take("1'b0")) continue;
        do {
          expect("a[");
          const std::size_t i = number();
          if (i >= w) bad_here("a bit of a symbol does not exist");
          columns[i] ^= Field::Symbol{1} << bit;
          expect("]");
        } while (take("^"));
      }
      expect("}");
    } else {
      expect("a");
      for (std::size_t bit = 0; bit < w; ++bit) columns[bit] = Field::Symbol{1} << bit;
    }
    for (std::size_t bit = 0; bit < w; ++bit) {
      if (plan_.field.multiply_by_shifts(columns[0], Field::Symbol{1} << bit) == columns[bit]) {
        continue;
      }
      bad_here("a multiplier is that of no symbol");
    }
    return columns[0];
  }

  Multiplier multiplier(const std::string& name) {
    Multiplier multiplier;
    go_behind(fmt::format("function [SYMBOL_BITS-1:0] {};\n", name));
    constexpr std::string_view kSymbol = "input [SYMBOL_BITS-1:0] a;";
    if (!take(kSymbol)) {
      expect("input [");
      number();
      expect(":0] factor;");
      expect(kSymbol);
    }
    if (take("case (factor)")) {
      while (!take("default:")) {
        expect("//");
        const auto said = static_cast<Field::Symbol>(this->number());
        const std::size_t number = literal_value();
        expect(":");
        expect(name);
        expect("=");
        multiplier.cases[number] = product();
        expect(";");
        if (said != multiplier.cases[number]) bad_here("a comment names another factor");
      }
      return multiplier;
    }
    expect(name);
    expect("=");
    if (take("(")) {
      multiplier.is_general = true;
      for (std::size_t bit = 0; bit < plan_.field.w(); ++bit) {
        if (bit != 0) expect("(");
        expect("{SYMBOL_BITS{factor[");
        if (number() != bit) bad_here("a bit of a factor is not in its place");
        expect("]}} &");
        if (product() != Field::Symbol{1} << bit)
          bad_here("a bit of a factor multiplies otherwise");
        expect(")");
        if (bit + 1 < plan_.field.w()) expect("^");
      }
    } else {
      multiplier.constant = product();
    }
    expect(";");
    return multiplier;
  }

  /// Puts what the entries say of a bank beside what they say of those before it.
  void read_bank(std::size_t bank) {
    const Multiplier multiplier = this->multiplier(fmt::format("product_of_bank_{}", bank));
    go_behind(fmt::format("operand_{0} <= bank_{0}[{{", bank));
    const Slice slot = slice();
    std::optional<Slice> factor;
    if (!multiplier.constant) {
      go_behind(fmt::format("factor_{} <= ", bank));
      factor = slice();
    }
    terms_.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      UnitTerm term{taken(entries_[i], slot), multiplier.constant.value_or(0)};
      if (factor) {
        const std::size_t number = taken(entries_[i], *factor);
        const auto found = multiplier.cases.find(number);
        term.factor = multiplier.is_general             ? static_cast<Field::Symbol>(number)
                      : found != multiplier.cases.end() ? found->second
                                                        : 0;
      }
      terms_[i].push_back(term);
    }
  }

  UnitOutput output(std::size_t i) const {
    return {value_of(entries_[i], 0, location_bits_),
            value_of(entries_[i], location_bits_, row_bits_), terms_[i]};
  }

  /// "first_load <= 3'd1; last_load <= 3'd4;": the two.
  std::pair<std::size_t, std::size_t> range(const std::string& what, std::size_t end) {
    expect("first_" + what);
    expect("<=");
    const std::size_t first = literal_value();
    expect(";");
    expect("last_" + what);
    expect("<=");
    const std::size_t last = literal_value();
    expect(";");
    if (first > last || last >= end) bad_here("an operation is outside the tables");
    return {first, last};
  }

  void read_operations() {
    go_behind("case (operation)\n");
    for (std::size_t i = 0; i < plan_.operations.size(); ++i) {
      const UnitOperation& operation = plan_.operations[i];
      if (i + 1 == plan_.operations.size()) {
        expect("default");
      } else if (literal_value() != i) {
        bad_here("an operation is not in its place");
      }
      expect(": begin");
      const auto [first_load, last_load] = range("load", loads_.size());
      const auto [first_output, last_output] = range("output", entries_.size());
      expect("end");
      const auto loads = loads_.begin() + static_cast<std::ptrdiff_t>(first_load);
      const auto load_end = loads_.begin() + static_cast<std::ptrdiff_t>(last_load) + 1;
      if (!std::equal(loads, load_end, operation.loads.begin(), operation.loads.end())) {
        bad(fmt::format("to {} it reads other elements", operation.name()));
      }
      std::vector<UnitOutput> outputs;
      for (std::size_t j = first_output; j <= last_output; ++j) outputs.push_back(output(j));
      if (outputs != operation.outputs) {
        bad(fmt::format("to {} it computes other sums", operation.name()));
      }
    }
    expect("endcase");
  }

  std::string_view text_;
  const UnitPlan& plan_;
  std::vector<UnitLoad> loads_{};
  std::vector<Bits> entries_{};
  std::size_t location_bits_ = 0;
  std::size_t row_bits_ = 0;
  std::vector<std::vector<UnitTerm>> terms_{};
};

}  // namespace

void check_zigzag_unit(std::string_view text, const UnitPlan& plan) {
  UnitReader(text, plan).compare();
}

}  // namespace xorloom
