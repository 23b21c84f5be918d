#include "gen/gpu/kernel_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSymbols = 256;
constexpr std::size_t kOrder = 255;  ///< of the group that logarithms are in

/// Entries of exp.
std::size_t num_exponents(KernelTables policy) {
  switch (policy) {
    case KernelTables::kLogExp:
      return kOrder;
    case KernelTables::kCarry:
      return kOrder + 1;
    case KernelTables::kRepeated:
      return 2 * (kOrder - 1) + 1;
    default:
      return 4 * kOrder + 1;
  }
}

bool is_logarithms(KernelTables policy) {
  return policy == KernelTables::kLogExp || policy == KernelTables::kCarry ||
         policy == KernelTables::kRepeated || policy == KernelTables::kUnbranched;
}

std::vector<std::uint8_t> logarithms(KernelTables policy, const Field& field) {
  const bool is_unbranched = policy == KernelTables::kUnbranched;
  const std::size_t log_bytes = is_unbranched ? 2 : 1;
  std::vector<std::uint8_t> tables(log_bytes * kSymbols + num_exponents(policy));
  std::uint8_t* const exp = tables.data() + log_bytes * kSymbols;
  const auto set_log = [&](std::size_t symbol, std::size_t log) {
    tables[log_bytes * symbol] = static_cast<std::uint8_t>(log);
    if (is_unbranched) tables[log_bytes * symbol + 1] = static_cast<std::uint8_t>(log >> 8);
  };
  const Field::Symbol generator = field.generator();
  Field::Symbol power = 1;
  for (std::size_t log = 0; log < kOrder; ++log) {
    set_log(power, log);
    for (std::size_t at = log; at < num_exponents(policy) && at < 2 * kOrder; at += kOrder) {
      exp[at] = static_cast<std::uint8_t>(power);
    }
    power = field.multiply(power, generator);
  }
  if (is_unbranched) set_log(0, 2 * kOrder);
  return tables;
}

std::size_t index_of(const std::set<Field::Symbol>& coefficients, Field::Symbol coefficient) {
  return static_cast<std::size_t>(
      std::distance(coefficients.begin(), coefficients.find(coefficient)));
}

}  // namespace

std::vector<std::uint8_t> table_bytes(KernelTables policy, const Field& field,
                                      const std::set<Field::Symbol>& coefficients) {
  std::vector<std::uint8_t> tables;
  const auto add_products = [&](std::size_t symbols, std::size_t shift) {
    for (std::size_t a = 0; a < symbols; ++a) {
      for (std::size_t b = 0; b < kSymbols; ++b) {
        tables.push_back(static_cast<std::uint8_t>(
            field.multiply(static_cast<Field::Symbol>(a << shift), static_cast<Field::Symbol>(b))));
      }
    }
  };
  if (is_logarithms(policy)) return logarithms(policy, field);
  if (policy == KernelTables::kFull) add_products(kSymbols, 0);
  if (policy == KernelTables::kLeftRight) {
    add_products(16, 4);
    add_products(16, 0);
  }
  if (policy == KernelTables::kNibbles) {
    for (const Field::Symbol coefficient : coefficients) {
      tables.resize(tables.size() + kNibbleMapBytes);
      write_nibble_maps(field, coefficient, tables.data() + tables.size() - kNibbleMapBytes);
    }
  }
  return tables;
}

std::string define_symbol_product(KernelTables policy, const Field& field,
                                  const std::set<Field::Symbol>& coefficients) {
  std::string body;
  const std::string exp = policy == KernelTables::kUnbranched ? "512" : "256";
  const std::string sum = "const unsigned int sum = tables[a] + tables[b];\n  ";
  const std::string branch = "if (a == 0 || b == 0) return 0;\n  " + sum;
  switch (policy) {
    case KernelTables::kShiftAndAdd:
      body = fmt::format(
          "(void)tables;\n"
          "  unsigned int product = 0;\n"
          "  for (; b != 0; b >>= 1) {{\n"
          "    if ((b & 1) != 0) product ^= a;\n"
          "    a = (a & 0x80) != 0 ? a << 1 ^ 0x{:x} : a << 1;\n"
          "  }}\n"
          "  return product;",
          field.polynomial());
      break;
    case KernelTables::kFull:
      body = "return tables[a << 8 | b];";
      break;
    case KernelTables::kLeftRight:
      body = "return tables[a >> 4 << 8 | b] ^ tables[4096 + ((a & 15) << 8 | b)];";
      break;
    case KernelTables::kLogExp:
      body = branch + "return tables[256 + sum % 255];";
      break;
    case KernelTables::kCarry:
      body = branch + "return tables[256 + (sum & 255) + (sum >> 8)];";
      break;
    case KernelTables::kRepeated:
      body = branch + "return tables[256 + sum];";
      break;
    case KernelTables::kUnbranched:
      body =
          "const XL_TABLE xl_log *const log = (const XL_TABLE xl_log *)tables;\n"
          "  return tables[512 + log[a] + log[b]];";
      break;
    case KernelTables::kNibbles:
      body = "return tables[32 * b + (a & 15)] ^ tables[32 * b + 16 + (a >> 4)];";
      break;
  }
  std::string text = fmt::format(
      "XL_FUNCTION unsigned int xl_symbol_product(\n"
      "    const XL_TABLE unsigned char *tables, unsigned int a, unsigned int b) {{\n"
      "  {}\n"
      "}}\n",
      body);
  // The coefficient as the function takes it.
  for (const Field::Symbol coefficient : coefficients) {
    const std::size_t b =
        policy == KernelTables::kNibbles ? index_of(coefficients, coefficient) : coefficient;
    text += fmt::format("#define XL_BY_0x{:02x} {}\n", coefficient, b);
  }
  return text;
}

std::uint8_t looked_up(KernelTables policy, const Field& field,
                       const std::vector<std::uint8_t>& tables,
                       const std::set<Field::Symbol>& coefficients, std::uint8_t symbol,
                       Field::Symbol coefficient) {
  const std::size_t a = symbol;
  const std::size_t b = coefficient;
  const bool is_zero = a == 0 || b == 0;
  switch (policy) {
    case KernelTables::kShiftAndAdd: {
      std::size_t product = 0;
      std::size_t doubled = a;
      for (std::size_t bits = b; bits != 0; bits >>= 1) {
        if ((bits & 1) != 0) product ^= doubled;
        doubled = (doubled & 0x80) != 0 ? doubled << 1 ^ field.polynomial() : doubled << 1;
      }
      return static_cast<std::uint8_t>(product);
    }
    case KernelTables::kFull:
      return tables[a << 8 | b];
    case KernelTables::kLeftRight:
      return tables[a >> 4 << 8 | b] ^ tables[4096 + ((a & 15) << 8 | b)];
    case KernelTables::kLogExp:
      return is_zero ? std::uint8_t{0} : tables[256 + (tables[a] + tables[b]) % std::size_t{255}];
    case KernelTables::kCarry: {
      const std::size_t sum = std::size_t{tables[a]} + tables[b];
      return is_zero ? std::uint8_t{0} : tables[256 + (sum & 255) + (sum >> 8)];
    }
    case KernelTables::kRepeated:
      return is_zero ? std::uint8_t{0} : tables[std::size_t{256} + tables[a] + tables[b]];
    case KernelTables::kUnbranched: {
      const auto log = [&](std::size_t of) {
        return std::size_t{tables[2 * of]} | std::size_t{tables[2 * of + 1]} << 8;
      };
      return tables[512 + log(a) + log(b)];
    }
    case KernelTables::kNibbles: {
      const std::size_t at = kNibbleMapBytes * index_of(coefficients, coefficient);
      return tables[at + (a & 15)] ^ tables[at + 16 + (a >> 4)];
    }
  }
  return 0;
}

void check_tables(KernelTables policy, const Field& field, const std::vector<std::uint8_t>& tables,
                  const std::set<Field::Symbol>& coefficients) {
  for (const Field::Symbol coefficient : coefficients) {
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
      const auto a = static_cast<std::uint8_t>(symbol);
      const std::uint8_t has = looked_up(policy, field, tables, coefficients, a, coefficient);
      const Field::Symbol expected = field.multiply_by_shifts(a, coefficient);
      if (has != expected) {
        fail(Status::kInternal, "the tables that were written are not those of the field: " +
                                    wrong_entry(coefficient, symbol, has, expected));
      }
    }
  }
}

}  // namespace xorloom
