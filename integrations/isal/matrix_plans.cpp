#include "integrations/isal/matrix_plans.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/word_products.hpp"
#include "runtime/machine/overlap.hpp"
#include "runtime/plans/hot_matrices.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::isal {
namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20;  ///< of all kept plans together

/// A call that multiplies fewer bytes (bytes·k·rows) does not look for a plan.
constexpr std::size_t kManyProducts = std::size_t{1} << 17;

/// The matrix of a call, read from the caller's tables.
struct Coefficients {
  std::size_t stride;
  const std::uint8_t* tables;
  std::uint8_t operator()(std::size_t row, std::size_t column) const {
    return tables[(row * stride + column) * kTableBytes + 1];
  }
};

/// Sets a key to the rows and columns of a matrix, then its coefficients, four to a number.
void set_key(HotMatrices::Key& key, std::size_t rows, std::size_t k, const Coefficients& matrix) {
  key.assign(2 + (rows * k + 3) / 4, 0);
  key[0] = static_cast<std::uint32_t>(rows);
  key[1] = static_cast<std::uint32_t>(k);
  std::size_t i = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < k; ++c, ++i) {
      key[2 + i / 4] |= std::uint32_t{matrix(r, c)} << (8 * (i % 4));
    }
  }
}

/// The plan of the code whose redundancy is the matrix times its data.
Plan made_plan(std::size_t rows, std::size_t k, const Coefficients& matrix) {
  Code code = systematic_code("isal", Field{8, 0x11d}, matrix_of(rows, k, matrix));
  code.arrangement = Arrangement::kWord;
  code.spec = "isal";
  Options options;
  options.wisdom = "off";  // nothing is read from files or written to them
  return make_plan(code, encoding_map(code), plan_options(options));
}

/// The plans of all threads. They live until the process ends, whatever ends first.
HotMatrices& hot_matrices() {
  constexpr std::uint64_t kNanoseconds = 500'000;
  static HotMatrices* const all = new HotMatrices(kMostBytes, kNanoseconds);
  return *all;
}

/// State of a thread's last call: most threads stay with a matrix.
struct Recent {
  HotMatrices::Key key;
  std::optional<Plan> plan;
  HotMatrices::Key wanted;              ///< key of the matrix that is looked for
  std::vector<std::uint8_t*> chunks{};  ///< pointers of a call
};
thread_local Recent recent;

/// Runs the plan of the matrix. False: it has none, and nothing was written.
bool runs(std::size_t bytes, std::size_t k, std::size_t rows, const Coefficients& matrix,
          const std::uint8_t* const* read, std::uint8_t* const* written) noexcept try {
  set_key(recent.wanted, rows, k, matrix);
  if (!recent.plan || recent.wanted != recent.key) {
    std::optional<Plan> plan = hot_matrices().find(recent.wanted, bytes * k * rows,
                                                   [&] { return made_plan(rows, k, matrix); });
    if (!plan) return false;
    recent.key = recent.wanted;
    recent.plan = std::move(plan);
  }
  recent.chunks.resize(k + rows);
  // A plan only reads what is not among its writes.
  for (std::size_t j = 0; j < k; ++j) recent.chunks[j] = const_cast<std::uint8_t*>(read[j]);
  std::copy_n(written, rows, recent.chunks.begin() + static_cast<std::ptrdiff_t>(k));
  return recent.plan->run(recent.chunks.data(), bytes) == Status::kOk;
} catch (...) {
  return false;  // memory ran out
}

/// The products of GF(2^8); null if their kernels for `rows` rows are not accepted.
const WordProducts* products_for(std::size_t rows) noexcept {
  static const WordProducts* const products = default_products(8);
  return products != nullptr && products->is_accepted(rows) ? products : nullptr;
}

/// Overlap of sums with inputs. kWhole: each sum that overlaps an input lies exactly over it.
enum class Overlap { kNone, kWhole, kPartial };

Overlap overlap_of(const ProductBuffers& buffers) noexcept {
  const auto address = [](const std::uint8_t* at) { return reinterpret_cast<std::uintptr_t>(at); };
  std::uintptr_t first = address(buffers.sums[0]);
  std::uintptr_t last = first;
  for (std::size_t i = 1; i < buffers.rows; ++i) {
    first = std::min(first, address(buffers.sums[i]));
    last = std::max(last, address(buffers.sums[i]));
  }
  Overlap found = Overlap::kNone;
  for (std::size_t j = 0; j < buffers.columns; ++j) {
    const std::uint8_t* const read = buffers.reads[j];
    // Most inputs lie before all sums or behind them: then the difference wraps, or is too large.
    if (address(read) + (buffers.bytes - 1) - first > last - first + 2 * (buffers.bytes - 1)) {
      continue;
    }
    for (std::size_t i = 0; i < buffers.rows; ++i) {
      if (buffers.sums[i] == read) {
        found = Overlap::kWhole;
      } else if (overlap(buffers.sums[i], read, buffers.bytes)) {
        return Overlap::kPartial;
      }
    }
  }
  return found;
}

/// Multiplies byte by byte: if no kernel is accepted, or if memory runs out. Up to kMostRows rows
/// of a byte are computed before they are written, so that sums may lie over inputs.
void multiply_bytes(const ProductBuffers& buffers, const Coefficients& matrix) noexcept {
  constexpr std::size_t kMostRows = 256;
  std::array<std::uint8_t, kMostRows> sums;
  for (std::size_t row = 0; row < buffers.rows; row += kMostRows) {
    const std::size_t rows = std::min(kMostRows, buffers.rows - row);
    for (std::size_t at = 0; at < buffers.bytes; ++at) {
      for (std::size_t i = 0; i < rows; ++i) {
        std::uint8_t sum = buffers.adds ? buffers.sums[row + i][at] : std::uint8_t{0};
        const std::uint8_t* table = matrix.tables + (row + i) * matrix.stride * kTableBytes;
        for (std::size_t j = 0; j < buffers.columns; ++j, table += kTableBytes) {
          const std::uint8_t byte = buffers.reads[j][at];
          sum = static_cast<std::uint8_t>(sum ^ table[byte & 0xf] ^ table[16 + (byte >> 4)]);
        }
        sums[i] = sum;
      }
      for (std::size_t i = 0; i < rows; ++i) buffers.sums[row + i][at] = sums[i];
    }
  }
}

void run_kernels(const ProductBuffers& buffers, const Coefficients& matrix) noexcept {
  const WordProducts* const products = products_for(buffers.rows);
  if (products == nullptr) return multiply_bytes(buffers, matrix);
  products->run(buffers, matrix);
}

/// Multiplies where sums lie over inputs: all are computed before any is written. A kernel that
/// takes one pass does so piece by piece.
void run_over_inputs(const ProductBuffers& buffers, const Coefficients& matrix,
                     Overlap over) noexcept try {
  const WordProducts* const products = products_for(buffers.rows);
  if (over == Overlap::kWhole && products != nullptr &&
      products->is_one_pass(buffers.rows, buffers.columns)) {
    return products->run(buffers, matrix);
  }
  std::vector<std::uint8_t> memory(buffers.rows * buffers.bytes);
  std::vector<std::uint8_t*> sums;
  for (std::size_t i = 0; i < buffers.rows; ++i) {
    sums.push_back(memory.data() + i * buffers.bytes);
    if (buffers.adds) std::copy_n(buffers.sums[i], buffers.bytes, sums[i]);
  }
  ProductBuffers apart = buffers;
  apart.sums = sums.data();
  run_kernels(apart, matrix);
  for (std::size_t i = 0; i < buffers.rows; ++i) {
    std::copy_n(sums[i], buffers.bytes, buffers.sums[i]);
  }
} catch (const std::bad_alloc&) {
  multiply_bytes(buffers, matrix);
}

}  // namespace

void multiply(std::size_t bytes, std::size_t k, std::size_t rows, std::size_t stride,
              const std::uint8_t* tables, const std::uint8_t* const* read,
              std::uint8_t* const* written) noexcept {
  if (bytes == 0 || rows == 0) return;
  const Coefficients matrix{stride, tables};
  const ProductBuffers buffers{rows, k, bytes, read, written};
  const Overlap over = overlap_of(buffers);
  if (over != Overlap::kNone) return run_over_inputs(buffers, matrix, over);
  if (bytes * k * rows >= kManyProducts && products_for(rows) != nullptr &&
      runs(bytes, k, rows, matrix, read, written)) {
    return;
  }
  run_kernels(buffers, matrix);
}

void add_product(std::size_t bytes, std::size_t rows, std::size_t stride,
                 const std::uint8_t* tables, const std::uint8_t* read,
                 std::uint8_t* const* written) noexcept {
  if (bytes == 0 || rows == 0) return;
  const Coefficients matrix{stride, tables};
  const ProductBuffers buffers{rows, 1, bytes, &read, written, true};
  const Overlap over = overlap_of(buffers);
  if (over != Overlap::kNone) return run_over_inputs(buffers, matrix, over);
  run_kernels(buffers, matrix);
}

}  // namespace xorloom::isal
