#include "integrations/gibraltar/code.hpp"

#include <array>
#include <cstdint>

namespace xorloom::gibraltar {
namespace {

using Symbol = std::uint8_t;

/// Logarithms to the base 2 in GF(2^8), and their inverses for sums of two logarithms.
struct Logarithms {
  std::array<std::size_t, 256> log{};
  std::array<Symbol, 255> power{};
  Logarithms() {
    unsigned int value = 1;
    for (std::size_t i = 0; i < power.size(); ++i) {
      power[i] = static_cast<Symbol>(value);
      log[value] = i;
      value <<= 1U;
      if ((value & 0x100U) != 0) value ^= 0x11dU;
    }
  }
};

/// What the value at j contributes to that at x: Lagrange's product of (x - l) / (j - l) over the
/// other points l of 0 … k-1. x is none of these points.
Symbol coefficient(const Logarithms& tables, std::size_t k, std::size_t x, std::size_t j) {
  std::size_t sum = 0;
  for (std::size_t l = 0; l < k; ++l) {
    if (l != j) sum += tables.log[x ^ l] + 255 - tables.log[j ^ l];
  }
  return tables.power[sum % 255];
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
  const Logarithms tables;
  const auto row = [&](std::size_t i) {
    return list(k, [&](std::size_t j) {
      return std::to_string(static_cast<unsigned int>(coefficient(tables, k, k + i, j)));
    });
  };
  return R"(file:{"format":"xorloom-code","version":1,"w":8,"poly":"0x11d","locations":)" +
         std::to_string(k + m) + R"(,"promise":)" + std::to_string(m) + R"(,"data":)" +
         list(k, [](std::size_t j) { return std::to_string(j); }) + R"(,"matrix":)" + list(m, row) +
         '}';
}

}  // namespace xorloom::gibraltar
