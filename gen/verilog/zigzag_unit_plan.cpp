#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"
#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom {
namespace {

constexpr const char* kWhat = "a unit with a bank per data location";

/// By location: the bank that it owns if it holds data.
using Owners = std::vector<std::optional<std::size_t>>;

Owners owners_of(const Code& code) {
  if (code.arrangement != Arrangement::kWord || code.plane_bytes != 0) {
    fail(Status::kUnsupported,
         "{} computes on words whose symbols lie one after the other, and {} lays out {}", kWhat,
         code.name(), code.plane_bytes != 0 ? "planes" : "packets");
  }
  std::vector<std::size_t> cells(code.locations);  // by location: cells that hold data
  for (const Cell cell : code.data) ++cells[code.location_of_cell(cell)];
  Owners owners(code.locations);
  std::size_t banks = 0;
  for (std::size_t location = 0; location < code.locations; ++location) {
    if (cells[location] != 0 && cells[location] != code.subchunks) {
      fail(
          Status::kUnsupported,
          "{} needs locations that hold data or redundancy alone, and location {} of {} holds both",
          kWhat, location, code.name());
    }
    if (cells[location] != 0) owners[location] = banks++;
  }
  if (banks > kMostUnitBanks) {
    fail(Status::kInvalidArgument, "{} data locations exceed {}, the most banks of a unit", banks,
         kMostUnitBanks);
  }
  return owners;
}

using Banks = std::map<std::size_t, std::size_t>;

/// By location: the bank for the elements that a program reads of it; nullopt if there is no room.
std::optional<Banks> banks_of(const Program& program, const Owners& owners, std::size_t num_banks) {
  std::map<std::size_t, std::size_t> elements;
  for (const Element input : program.inputs) ++elements[input / program.rows];
  // By location: those that an equation reads with it.
  std::map<std::size_t, std::set<std::size_t>> beside;
  for (const Equation& equation : program.equations) {
    std::set<std::size_t> read;
    for (const Operand& operand : equation.operands) read.insert(operand.element / program.rows);
    for (const std::size_t location : read) beside[location].insert(read.begin(), read.end());
  }
  Banks bank_of;
  std::vector<std::size_t> used(num_banks);
  for (const bool is_owner : {true, false}) {
    for (const auto& [location, count] : elements) {
      if (owners[location].has_value() != is_owner) continue;
      std::size_t bank = owners[location].value_or(0);
      const auto is_taken = [&](std::size_t other) {
        const auto found = bank_of.find(other);
        return found != bank_of.end() && found->second == bank;
      };
      while (
          !is_owner && bank < num_banks &&
          (used[bank] + count > program.rows || std::ranges::any_of(beside[location], is_taken))) {
        ++bank;
      }
      if (bank == num_banks) return std::nullopt;
      bank_of[location] = bank;
      used[bank] += count;
    }
  }
  return bank_of;
}

/// The operation of direct equations; nullopt if there is no room in the banks, or if an output
/// takes two elements of a bank.
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

/// The operation that rebuilds `lost`, or encodes. Equations that read the least are tried first:
/// they may take two elements of a bank where the usual equations do not.
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
       "{} adds at most one element of each bank, and to {} {} takes two of one", kWhat,
       UnitOperation{lost, {}, {}}.name(), code.name());
}

/// Returns the position of `lines` in `table`. Appends them if they are not there yet.
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
  // A case for a factor costs about as much as one bit of a multiplier that takes any factor.
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
  std::vector<std::vector<std::size_t>> sets(1);  // the first set is empty: encoding
  sets.insert(sets.end(), losses.begin(), losses.end());
  for (std::size_t location = 0; losses.empty() && location < code.locations; ++location) {
    sets.push_back({location});
  }
  UnitPlan plan{code.field, banks, code.locations, code.subchunks, {}};
  std::size_t loads = 0;
  for (const std::vector<std::size_t>& lost : sets) {
    plan.operations.push_back(operation_of(code, lost, owners, banks));
    loads += plan.operations.back().loads.size();
    if (loads <= kMostUnitLoads) continue;
    fail(Status::kInvalidArgument, "{} reads more than {} elements in all operations of a unit",
         code.name(), kMostUnitLoads);
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
    tables.operations.push_back(
        {place_of(tables.loads, operation.loads), place_of(tables.outputs, operation.outputs)});
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
  std::vector<std::string> sums(field.w());  // the highest bit first
  for (std::size_t i = 0; i < field.w(); ++i) {
    const Field::Symbol column = field.multiply(factor, Field::Symbol{1} << i);
    for (std::size_t bit = 0; bit < field.w(); ++bit) {
      if ((column >> bit & 1) == 0) continue;
      std::string& sum = sums[field.w() - 1 - bit];
      sum += fmt::format("{}a[{}]", sum.empty() ? "" : " ^ ", i);
    }
  }
  std::ranges::replace(sums, "", "1'b0");
  return fmt::format("{{{}}}", fmt::join(sums, ", "));
}

}  // namespace xorloom
