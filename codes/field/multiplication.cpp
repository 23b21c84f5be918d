#include "codes/field/multiplication.hpp"

#include <fmt/core.h>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

std::size_t small_width(const Field& field) {
  if (field.w() > 8) {
    fail(Status::kInvalidArgument, fmt::format("w = {} exceeds 8, the bits of a byte", field.w()));
  }
  return field.w();
}

std::size_t order_of(const Field& field) { return (std::size_t{1} << small_width(field)) - 1; }

/// Powers of the first generator, as many as asked for; they repeat after 2^w - 1.
std::vector<std::uint8_t> powers(const Field& field, std::size_t count) {
  const std::size_t order = order_of(field);
  const auto order_of_symbol = [&](Field::Symbol symbol) {
    std::size_t n = 1;
    for (Field::Symbol power = symbol; power != 1; ++n) {
      power = field.multiply_by_shifts(power, symbol);
    }
    return n;
  };
  Field::Symbol generator = 1;
  while (order_of_symbol(generator) != order) ++generator;
  std::vector<std::uint8_t> result;
  Field::Symbol power = 1;
  while (result.size() < count) {
    result.push_back(static_cast<std::uint8_t>(power));
    power = field.multiply_by_shifts(power, generator);
  }
  return result;
}

/// The logarithms that belong to powers(), and what stands for that of 0.
template <class Logarithm>
std::vector<Logarithm> logarithms(const Field& field, Logarithm of_zero) {
  const std::vector<std::uint8_t> exp = powers(field, order_of(field));
  std::vector<Logarithm> log(exp.size() + 1, of_zero);
  for (std::size_t i = 0; i < exp.size(); ++i) log[exp[i]] = static_cast<Logarithm>(i);
  return log;
}

/// The products of rows times a step with all symbols.
std::vector<std::uint8_t> products(const Field& field, std::size_t rows, Field::Symbol step) {
  const auto size = static_cast<Field::Symbol>(order_of(field) + 1);
  std::vector<std::uint8_t> result;
  for (std::size_t row = 0; row < rows; ++row) {
    for (Field::Symbol b = 0; b < size; ++b) {
      const auto a = static_cast<Field::Symbol>(row) * step;
      result.push_back(static_cast<std::uint8_t>(field.multiply_by_shifts(a, b)));
    }
  }
  return result;
}

}  // namespace

ShiftAndAdd::ShiftAndAdd(const Field& field)
    : size_(1U << small_width(field)), polynomial_(static_cast<unsigned>(field.polynomial())) {
  if (field.basis().empty()) return;
  fail(Status::kInvalidArgument,
       fmt::format("shift and add takes symbols that are polynomials, not {}", field_text(field)));
}

FullTable::FullTable(const Field& field)
    : w_(small_width(field)), table_(products(field, std::size_t{1} << w_, 1)) {}

LeftRightTables::LeftRightTables(const Field& field)
    : w_(small_width(field)),
      half_(w_ / 2),
      left_(products(field, std::size_t{1} << (w_ - half_), Field::Symbol{1} << half_)),
      right_(products(field, std::size_t{1} << half_, 1)) {}

LogExp::LogExp(const Field& field)
    : order_(static_cast<unsigned>(order_of(field))),
      log_(logarithms<std::uint8_t>(field, 0)),
      exp_(powers(field, order_)) {}

LogExpCarry::LogExpCarry(const Field& field)
    : w_(small_width(field)),
      mask_((1U << w_) - 1),
      log_(logarithms<std::uint8_t>(field, 0)),
      exp_(powers(field, order_of(field) + 1)) {}

LogExpRepeated::LogExpRepeated(const Field& field)
    : log_(logarithms<std::uint8_t>(field, 0)), exp_(powers(field, 2 * order_of(field) - 1)) {}

LogExpUnbranched::LogExpUnbranched(const Field& field)
    : log_(logarithms(field, static_cast<std::uint16_t>(2 * order_of(field)))),
      exp_(powers(field, 2 * order_of(field))) {
  exp_.resize(4 * order_of(field) + 1);
}

LogExpMasked::LogExpMasked(const Field& field)
    : log_(logarithms<std::uint8_t>(field, 0)), exp_(powers(field, 2 * order_of(field))) {}

}  // namespace xorloom
