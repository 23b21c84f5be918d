#include "gen/verilog/zigzag_unit_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gen/verilog/verilog_template.hpp"

namespace xorloom {
namespace {

/// Where a list stands in a table; it is added to the end unless it stands there already.
template <typename Line>
std::size_t place_of(std::vector<Line>& table, const std::vector<Line>& lines) {
  const auto found = std::search(table.begin(), table.end(), lines.begin(), lines.end());
  const auto first = static_cast<std::size_t>(found - table.begin());
  if (found == table.end()) table.insert(table.end(), lines.begin(), lines.end());
  return first;
}

UnitFactors factors_of(const UnitTables& tables, const UnitPlan& plan, std::size_t bank) {
  std::set<Field::Symbol> symbols;
  for (const UnitOutput& output : tables.outputs) symbols.insert(output.terms[bank].factor);
  UnitFactors factors{{symbols.begin(), symbols.end()}};
  // A case per factor costs about as much as a bit of a multiplier of any two symbols.
  factors.is_general = symbols.size() > 2 * plan.field.w();
  factors.bits = factors.is_general    ? plan.field.w()
                 : symbols.size() == 1 ? 0
                                       : bits_below(symbols.size());
  return factors;
}

}  // namespace

std::size_t UnitFactors::number_of(Field::Symbol factor) const {
  if (is_general) return factor;
  return static_cast<std::size_t>(std::ranges::find(symbols, factor) - symbols.begin());
}

std::size_t UnitTables::term_bits() const {
  std::size_t bits = 0;
  for (const UnitFactors& of_bank : factors) bits += of_bank.bits + row_bits;
  return bits;
}

UnitTables unit_tables(const UnitPlan& plan) {
  UnitTables tables{};
  for (const UnitOperation& operation : plan.operations) {
    const std::size_t load = place_of(tables.loads, operation.loads);
    const std::size_t output = place_of(tables.outputs, operation.outputs);
    tables.operations.push_back(
        {load, load + operation.loads.size() - 1, output, output + operation.outputs.size() - 1});
  }
  for (std::size_t bank = 0; bank < plan.banks; ++bank) {
    tables.factors.push_back(factors_of(tables, plan, bank));
  }
  tables.location_bits = bits_below(plan.locations);
  tables.row_bits = bits_below(plan.rows);
  tables.bank_bits = bits_below(plan.banks);
  tables.load_bits = bits_below(tables.loads.size());
  tables.output_bits = bits_below(tables.outputs.size());
  tables.operation_bits = bits_below(plan.operations.size());
  return tables;
}

std::string verilog_product(const Field& field, Field::Symbol factor) {
  if (factor == 1) return "a";
  std::string text;
  for (std::size_t bit = field.w(); bit-- > 0;) {
    std::string sum;
    for (std::size_t i = 0; i < field.w(); ++i) {
      const Field::Symbol column = field.multiply(factor, Field::Symbol{1} << i);
      if ((column >> bit & 1) == 0) continue;
      sum += fmt::format("{}a[{}]", sum.empty() ? "" : " ^ ", i);
    }
    text += fmt::format("{}{}", text.empty() ? "" : ", ", sum.empty() ? "1'b0" : sum);
  }
  return "{" + text + "}";
}

}  // namespace xorloom
