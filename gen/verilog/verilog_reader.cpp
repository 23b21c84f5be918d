#include "gen/verilog/verilog_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace xorloom {

VerilogReader::VerilogReader(const Program& frame)
    : read_(without_equations(frame)), next_(frame.end_of_elements()) {}

std::vector<std::size_t> VerilogReader::scan(std::string_view pattern) {
  std::vector<std::size_t> numbers;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.size(), pattern.find_first_of(" \n%$"));
    if (end != 0) expect(pattern.substr(0, end));
    pattern.remove_prefix(end);
    if (pattern.empty()) break;
    if (pattern.front() == '%' || pattern.front() == '$') numbers.push_back(number());
    if (pattern.front() == '$') {
      const std::size_t bits = numbers.back();
      expect("'d");
      numbers.push_back(number());
      if (bits == 0 || bits > 32 || numbers.back() >> bits != 0) bad_here("a number does not fit");
    }
    pattern.remove_prefix(1);
  }
  return numbers;
}

std::string VerilogReader::operand() {
  std::string text;
  const auto takes = [&](std::initializer_list<std::string_view> tokens) {
    const auto* const token = std::ranges::find_if(tokens, [&](auto t) { return take(t); });
    if (token == tokens.end()) return false;
    text += *token;
    return true;
  };
  std::size_t depth = takes({"("}) ? 1 : 0;
  if (depth == 0) {
    text = word();
    if (takes({"[", "("})) depth = 1;
  }
  while (depth > 0) {
    if (takes({"[", "("})) {
      ++depth;
    } else if (takes({"]", ")"})) {
      --depth;
    } else if (!takes({"+:", "+", "*", "&", ","})) {
      text += word();
    }
  }
  return text;
}

void VerilogReader::define(const std::string& operand, Value value) {
  if (!values_.emplace(operand, value).second) {
    bad_here(fmt::format("{} is declared twice", operand));
  }
}

Element VerilogReader::known(const std::string& operand, std::size_t stage) const {
  const auto found = values_.find(operand);
  if (found == values_.end()) bad_here(fmt::format("{} is not known", operand));
  if (found->second.stage != stage) bad_here(fmt::format("{} is of another stage", operand));
  return found->second.element;
}

std::vector<Operand> VerilogReader::sum(std::string_view zero) {
  std::vector<Operand> operands;
  if (take(zero)) return operands;
  do operands.emplace_back(value());
  while (take("^"));
  std::ranges::sort(operands);
  return operands;
}

void VerilogReader::assign(const std::string& name, std::vector<Operand> operands) {
  define(name, {next_, stage_});
  read_.equations.push_back({next_++, std::move(operands)});
}

}  // namespace xorloom
