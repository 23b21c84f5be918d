#include "gen/text/program_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {

ProgramReader::ProgramReader(const Program& wanted)
    : wanted_(wanted),
      read_(without_equations(wanted)),
      next_(wanted.first_temporary()),
      outputs_(wanted.outputs.begin(), wanted.outputs.end()),
      readable_(wanted.inputs.begin(), wanted.inputs.end()) {}

void ProgramReader::compare() const {
  for (const Element output : wanted_.outputs) {
    if (readable_.contains(output)) continue;
    bad(fmt::format("{} is not stored", element_name(wanted_, output)));
  }
  if (const auto wrong = find_disagreement(read_, wanted_)) bad(*wrong);
}

void ProgramReader::declare(std::string_view name, Sum sum, bool is_constant) {
  if (!values_.emplace(name, Value{std::move(sum), is_constant}).second) {
    bad_here(fmt::format("'{}' is declared twice", name));
  }
}

void ProgramReader::assign(std::string_view name, Sum sum) {
  Value& value = known(name);
  if (value.is_constant) bad_here(fmt::format("'{}' does not change", name));
  value.sum = std::move(sum);
}

ProgramReader::Value& ProgramReader::known(std::string_view name) {
  const auto found = values_.find(name);
  if (found == values_.end()) bad_here(fmt::format("'{}' is not known", name));
  return found->second;
}

ProgramReader::Sum ProgramReader::value(std::string_view name) {
  Sum& sum = known(name).sum;
  if (sum.size() > 1) {
    read_.equations.push_back({next_, std::move(sum)});
    sum = {next_++};
  }
  return sum;
}

void ProgramReader::add(Sum& to, const Sum& sum, Field::Symbol scale) const {
  add_scaled(wanted_.field, to, scale, sum);
}

ProgramReader::Sum ProgramReader::loaded(Element element) const {
  if (!readable_.contains(element)) bad_here("what is loaded is neither input nor stored");
  return {element};
}

void ProgramReader::store(Element element, Sum sum) {
  if (!outputs_.contains(element)) bad_here("what is stored is no output");
  if (!readable_.insert(element).second) bad_here("an output is stored twice");
  read_.equations.push_back({element, std::move(sum)});
}

}  // namespace xorloom
