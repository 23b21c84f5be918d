#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "gen/verilog/coprocessor.hpp"
#include "gen/verilog/verilog_reader.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

constexpr std::string_view kProductHead =
    R"(  // The product of two symbols: that of two polynomials, modulo the polynomial of the field.
  function [W-1:0] product;
    input [W-1:0] a;
    input [W-1:0] b;
    reg [2*W-2:0] d;
    begin
)";

constexpr std::string_view kLinearHead = R"(
  // @comment@
  function [W-1:0] @name@;
    input [W-1:0] s;
    begin
)";

constexpr std::string_view kFunctionEnd = "    end\n  endfunction\n";

Symbol bit(std::size_t i) { return Symbol{1} << i; }

/// A Verilog function whose bits are sums of operands.
struct BitFunction {
  std::string head;
  std::string name;
  std::vector<std::string> operands;
  BitMatrix sums;  ///< row l: bit l of the result; column i: operand i

  void add(std::string operand, Symbol image) {
    for (std::size_t l = 0; l < sums.rows(); ++l) {
      if ((image & bit(l)) != 0) sums.flip(l, operands.size());
    }
    operands.push_back(std::move(operand));
  }
};

/// Functions of a field. Each is linear: `product` in the products of a bit of a and a bit of b,
/// the others in the bits of s.
std::vector<BitFunction> functions_of(const Field& field) {
  const std::size_t w = field.w();
  const Field polynomials(w, field.polynomial());
  std::vector<BitFunction> functions{
      {std::string(kProductHead), "product", {}, BitMatrix(w, w * w)}};
  for (std::size_t i = 0; i < w; ++i) {
    for (std::size_t j = 0; j < w; ++j) {
      functions[0].add(fmt::format("(a[{}]&b[{}])", i, j),
                       polynomials.multiply_by_shifts(bit(i), bit(j)));
    }
  }
  if (field.basis().empty()) return functions;
  const auto add = [&](const char* name, const char* comment, auto image) {
    functions.push_back(
        {filled(kLinearHead, {{"comment", comment}, {"name", name}}), name, {}, BitMatrix(w, w)});
    BitFunction& function = functions.back();
    for (std::size_t i = 0; i < w; ++i) function.add(fmt::format("s[{}]", i), image(bit(i)));
  };
  add("polynomial_of", "The polynomial that a symbol stands for.",
      [&](Symbol s) { return field.polynomial_of(s); });
  add("symbol_of", "The symbol that stands for a polynomial.",
      [&](Symbol s) { return field.symbol_of(s); });
  return functions;
}

std::string statement(const std::string& name, std::size_t l,
                      const std::vector<std::string>& terms) {
  return verilog_sum(fmt::format("      {}[{}]", name, l), terms, "1'b0", "          ");
}

/// Statements that compute the product d before it is reduced, and then its remainder.
std::string product_lines(const Field& field) {
  const std::size_t w = field.w();
  std::string text;
  for (std::size_t n = 0; n < 2 * w - 1; ++n) {
    std::vector<std::string> terms;
    for (std::size_t i = n < w ? 0 : n - w + 1; i <= std::min(n, w - 1); ++i) {
      terms.push_back(fmt::format("(a[{}] & b[{}])", i, n - i));
    }
    text += statement("d", n, terms);
  }
  std::vector<std::vector<std::string>> terms(w);
  std::uint64_t power = 1;  // x^n as a polynomial of degree below w
  for (std::size_t n = 0; n < 2 * w - 1; ++n) {
    if ((power >> w & 1U) != 0) power ^= field.polynomial();
    for (std::size_t l = 0; l < w; ++l) {
      if ((power >> l & 1U) != 0) terms[l].push_back(fmt::format("d[{}]", n));
    }
    power <<= 1;
  }
  for (std::size_t l = 0; l < w; ++l) text += statement("product", l, terms[l]);
  return text;
}

std::string linear_lines(const BitFunction& function) {
  std::string text;
  for (std::size_t l = 0; l < function.sums.rows(); ++l) {
    std::vector<std::string> terms;
    for (const std::size_t i : function.sums.ones(l)) terms.push_back(function.operands[i]);
    text += statement(function.name, l, terms);
  }
  return text;
}

class FunctionReader : VerilogReader {
 public:
  explicit FunctionReader(const BitFunction& function)
      : VerilogReader(layout_of_matrix(function.sums.rows(), function.sums.columns())),
        function_(function) {
    for (Element i = 0; i < function.operands.size(); ++i) define(function.operands[i], {i});
  }

  /// Reads the function at the start of `text`. Returns the text behind it.
  std::string_view read_function(std::string_view text) {
    const std::size_t end = std::min(text.size(), text.find(kFunctionEnd) + kFunctionEnd.size());
    read(text.substr(0, end));
    scan(function_.head);
    while (!take_word("end")) {
      const std::string target = operand();
      expect("=");
      assign(target, sum("1'b0"));
      expect(";");
    }
    scan("endfunction");
    for (std::size_t l = 0; l < function_.sums.rows(); ++l) {
      put(static_cast<Element>(function_.sums.columns() + l),
          known(fmt::format("{}[{}]", function_.name, l), 0));
    }
    compare(function_.sums);
    return text.substr(end);
  }

 private:
  const BitFunction& function_;
};

}  // namespace

std::string write_field_functions(const Field& field) {
  std::string text;
  for (const BitFunction& function : functions_of(field)) {
    text += function.head;
    text += function.name == "product" ? product_lines(field) : linear_lines(function);
    text += kFunctionEnd;
  }
  check_field_functions(field, text);
  return text;
}

void check_field_functions(const Field& field, std::string_view text) {
  for (const BitFunction& function : functions_of(field)) {
    FunctionReader reader(function);
    text = reader.read_function(text);
  }
  if (!text.empty()) fail(Status::kInternal, "there are other functions");
}

}  // namespace xorloom
