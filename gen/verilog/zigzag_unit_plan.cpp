#include "gen/verilog/zigzag_unit_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"
#include "gen/verilog/verilog_text.hpp"

namespace xorloom {
namespace {

constexpr const char* kWhat = "a unit with a bank per data location";

/// By location the bank that it owns, if it holds data.
using Owners = std::vector<std::optional<std::size_t>>;

Owners owners_of(const Code& code) {
  if (code.arrangement != Arrangement::kWord || code.plane_bytes != 0) {
    fail(Status::kUnsupported,
         fmt::format("{} computes on words whose symbols lie one after the other, and {} lays out "
                     "{}",
                     kWhat, code.name(), code.plane_bytes != 0 ? "planes" : "packets"));
  }
  Owners owners(code.locations);
  std::size_t banks = 0;
  for (std::size_t location = 0; location < code.locations; ++location) {
    std::size_t data = 0;
    for (std::size_t row = 0; row < code.subchunks; ++row) {
      const Cell cell = static_cast<Cell>(location * code.subchunks + row);
      if (code.role(cell) == Role::kData) ++data;
    }
    if (data != 0 && data != code.subchunks) {
      fail(Status::kUnsupported,
           fmt::format("{} needs locations that hold data or redundancy alone, and location {} of "
                       "{} holds both",
                       kWhat, location, code.name()));
    }
    if (data != 0) owners[location] = banks++;
  }
  if (banks > kMostUnitBanks) {
    fail(Status::kInvalidArgument,
         fmt::format("{} data locations exceed {}, the most banks of a unit", banks,
                     kMostUnitBanks));
  }
  return owners;
}

using Banks = std::map<std::size_t, std::size_t>;

/// The banks of what equations add to elements of a location.
std::set<std::size_t> banks_beside(const Program& program, std::size_t location,
                                   const Banks& bank_of) {
  std::set<std::size_t> banks;
  for (const Equation& equation : program.equations) {
    const bool is_read = std::ranges::any_of(equation.operands, [&](const Operand& operand) {
      return operand.element / program.rows == location;
    });
    if (!is_read) continue;
    for (const Operand& operand : equation.operands) {
      const auto bank = bank_of.find(operand.element / program.rows);
      if (bank != bank_of.end()) banks.insert(bank->second);
    }
  }
  return banks;
}

/// By location the bank for what a program reads of it; none where there is no room.
std::optional<Banks> banks_of(const Program& program, const Owners& owners, std::size_t num_banks) {
  Banks bank_of;
  std::vector<std::size_t> used(num_banks);
  std::map<std::size_t, std::size_t> elements;
  for (const Element input : program.inputs) ++elements[input / program.rows];
  for (const auto& [location, count] : elements) {
    if (!owners[location]) continue;
    bank_of[location] = *owners[location];
    used[*owners[location]] += count;
  }
  for (const auto& [location, count] : elements) {
    if (owners[location]) continue;
    const std::set<std::size_t> taken = banks_beside(program, location, bank_of);
    std::size_t bank = 0;
    while (bank < num_banks && (taken.contains(bank) || used[bank] + count > program.rows)) ++bank;
    if (bank == num_banks) return std::nullopt;
    bank_of[location] = bank;
    used[bank] += count;
  }
  return bank_of;
}

/// The operation of direct equations; none where an output takes two elements of a bank.
std::optional<UnitOperation> operation_of(const Program& program,
                                          const std::vector<std::size_t>& lost,
                                          const Owners& owners, std::size_t num_banks) {
  const std::optional<Banks> bank_of = banks_of(program, owners, num_banks);
  if (!bank_of) return std::nullopt;
  UnitOperation operation{lost, {}, {}};
  std::vector<std::size_t> next(num_banks);
  std::map<Element, std::size_t> slot_of;
  for (const Element input : program.inputs) {
    const std::size_t location = input / program.rows;
    const std::size_t bank = bank_of->at(location);
    slot_of[input] = next[bank];
    operation.loads.push_back({location, input % program.rows, bank, next[bank]++});
  }
  for (const Equation& equation : program.equations) {
    UnitOutput output{equation.target / program.rows, equation.target % program.rows, {}};
    output.terms.resize(num_banks);
    for (const Operand& operand : equation.operands) {
      UnitTerm& term = output.terms[bank_of->at(operand.element / program.rows)];
      if (term.factor != 0) return std::nullopt;
      term = {slot_of.at(operand.element), operand.coefficient};
    }
    operation.outputs.push_back(std::move(output));
  }
  return operation;
}

/// The least that can be read may take two elements of a bank, where the usual equations do not.
UnitOperation operation_of(const Code& code, const std::vector<std::size_t>& lost,
                           const Owners& owners, std::size_t num_banks) {
  Request request{.erased = lost, .over = Over::kSymbols};
  for (const bool reads_least : {true, false}) {
    if (lost.empty() && reads_least) continue;
    request.reads_least = reads_least;
    std::optional<UnitOperation> operation =
        operation_of(direct_program(code, request), lost, owners, num_banks);
    if (operation) return *std::move(operation);
  }
  fail(Status::kUnsupported,
       fmt::format("{} adds at most one element of each bank, and to {} {} takes two of one", kWhat,
                   UnitOperation{lost, {}, {}}.name(), code.name()));
}

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

std::string UnitOperation::name() const {
  return lost.empty() ? "encode" : fmt::format("rebuild {}", fmt::join(lost, ","));
}

UnitPlan unit_plan(const Code& code, std::span<const std::vector<std::size_t>> losses) {
  const Owners owners = owners_of(code);
  const auto banks = static_cast<std::size_t>(
      std::ranges::count_if(owners, [](const auto& owner) { return owner.has_value(); }));
  std::vector<std::vector<std::size_t>> sets(losses.begin(), losses.end());
  if (losses.empty()) {
    for (std::size_t location = 0; location < code.locations; ++location) {
      sets.push_back({location});
    }
  }
  sets.insert(sets.begin(), std::vector<std::size_t>{});
  UnitPlan plan{code.field, banks, code.locations, code.subchunks, {}};
  std::size_t loads = 0;
  for (const std::vector<std::size_t>& lost : sets) {
    plan.operations.push_back(operation_of(code, lost, owners, banks));
    loads += plan.operations.back().loads.size();
    if (loads <= kMostUnitLoads) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} reads more than {} elements in all operations of a unit", code.name(),
                     kMostUnitLoads));
  }
  return plan;
}

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
