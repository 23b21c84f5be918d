#include "integrations/gibraltar/code.hpp"

#include "codes/field/field.hpp"

namespace xorloom::gibraltar {
namespace {

using Symbol = Field::Symbol;

/// What the value at j contributes to that at x: Lagrange's product of (x - l) / (j - l) over the
/// other points l of 0 … k-1. x is none of these points.
Symbol coefficient(const Field& field, Symbol k, Symbol x, Symbol j) {
  Symbol above = 1;
  Symbol below = 1;
  for (Symbol l = 0; l < k; ++l) {
    if (l == j) continue;
    above = field.multiply(above, x ^ l);
    below = field.multiply(below, j ^ l);
  }
  return field.divide(above, below);
}

/// A JSON list of what item(0) … item(count-1) are.
template <typename Item>
std::string list(std::size_t count, const Item& item) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += ',';
    text += item(i);
  }
  return text + ']';
}

}  // namespace

std::string code_spec(std::size_t k, std::size_t m) {
  const Field field(8, 0x11d);
  const auto data = static_cast<Symbol>(k);
  const auto row = [&](std::size_t i) {
    return list(k, [&](std::size_t j) {
      return std::to_string(
          coefficient(field, data, data + static_cast<Symbol>(i), static_cast<Symbol>(j)));
    });
  };
  return R"(file:{"format":"xorloom-code","version":1,"w":8,"poly":"0x11d","locations":)" +
         std::to_string(k + m) + R"(,"promise":)" + std::to_string(m) + R"(,"data":)" +
         list(k, [](std::size_t j) { return std::to_string(j); }) + R"(,"matrix":)" + list(m, row) +
         '}';
}

}  // namespace xorloom::gibraltar
