#include "codes/field/matrix.hpp"

#include "codes/field/elimination.hpp"
#include "codes/field/wide_products.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

Matrix identity(std::size_t size) {
  Matrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1;
  return result;
}

namespace {

/// Calls use(product) with a function that multiplies a symbol by `scale`.
template <typename Use>
void with_products(const Field& field, Field::Symbol scale, const Use& use) {
  if (field.w() == 32 && field.basis().empty()) {
    use([products = WideProducts(scale, field.polynomial())](Field::Symbol symbol) {
      return symbol == 0 ? 0 : static_cast<Field::Symbol>(products(symbol));
    });
  } else if (field.w() <= 16) {
    // Symbols are as good as random, so 0, which has logarithm 0 in the table, takes no branch.
    const std::uint32_t of_scale = field.logarithm(scale);
    const Field::Symbol all = scale == 0 ? 0 : ~Field::Symbol{0};
    use([&field, of_scale, all](Field::Symbol symbol) {
      const Field::Symbol mask = symbol == 0 ? 0 : all;
      return field.exponential(of_scale + field.logarithm(symbol)) & mask;
    });
  } else {
    use([&](Field::Symbol symbol) { return field.multiply(scale, symbol); });
  }
}

}  // namespace

void add_scaled(const Field& field, std::span<Field::Symbol> to, Field::Symbol scale,
                std::span<const Field::Symbol> from) {
  if (scale == 0) return;
  if (scale == 1) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= from[i];
    return;
  }
  with_products(field, scale, [&](const auto& product) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= product(from[i]);
  });
}

void scale_row(const Field& field, std::span<Field::Symbol> row, Field::Symbol scale) {
  if (scale == 1) return;
  with_products(field, scale, [&](const auto& product) {
    for (Field::Symbol& symbol : row) symbol = product(symbol);
  });
}

Matrix multiply(const Field& field, const Matrix& a, const Matrix& b) {
  if (a.columns() != b.rows()) fail(Status::kInternal, "matrix product of shapes that do not fit");
  Matrix result(a.rows(), b.columns());
  for (std::size_t r = 0; r < a.rows(); ++r) {
    for (std::size_t s = 0; s < a.columns(); ++s) {
      add_scaled(field, result.row(r), a(r, s), b.row(s));
    }
  }
  return result;
}

std::optional<Matrix> inverse(const Field& field, const Matrix& matrix) {
  const std::size_t size = matrix.rows();
  if (size != matrix.columns()) fail(Status::kInternal, "inverse of a matrix not square");
  return inverse_by_elimination(field, matrix, identity(size));
}

std::size_t rank(const Field& field, Matrix matrix) { return Elimination(field, matrix).rank(); }

}  // namespace xorloom
