#include "integrations/isal/matrix_plans.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codes/families/family.hpp"
#include "codes/field/field.hpp"
#include "codes/linear_map.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/stripes/add_sums.hpp"

namespace xorloom::isal {
namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20;  ///< of all plans that are kept
constexpr std::size_t kPieceBytes = 4096;                  ///< of a product before it is added

/// A matrix: two bytes of k, then the coefficients.
using Key = std::string;

std::size_t columns_of(const Key& key) {
  return static_cast<std::uint8_t>(key[0]) | std::size_t{static_cast<std::uint8_t>(key[1])} << 8;
}

void set_key(Key& key, std::size_t k, std::size_t rows, std::size_t stride,
             const std::uint8_t* tables) {
  key.resize(2 + k * rows);
  key[0] = static_cast<char>(k & 0xff);
  key[1] = static_cast<char>(k >> 8);
  char* to = key.data() + 2;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint8_t* row = tables + i * stride * kTableBytes;
    for (std::size_t j = 0; j < k; ++j) *to++ = static_cast<char>(row[j * kTableBytes + 1]);
  }
}

/// The code whose redundancy is the matrix times its data.
Code code_of(const Key& key) {
  const std::size_t k = columns_of(key);
  Matrix matrix((key.size() - 2) / k, k);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      matrix(i, j) = static_cast<std::uint8_t>(key[2 + i * k + j]);
    }
  }
  Code code = systematic_code("isal", Field{8, 0x11d}, std::move(matrix));
  code.arrangement = Arrangement::kWord;
  code.spec = "isal";
  return code;
}

PlanOptions usual_options() {
  Options options;
  options.wisdom = "off";  // nothing is read from files or written to them
  return plan_options(options);
}

/// A plan; none if the engine cannot make one.
std::optional<Plan> made_plan(const Key& key) {
  try {
    const Code code = code_of(key);
    return make_plan(code, encoding_map(code), usual_options());
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// What is known of a matrix: that it was seen, then its plan, if the engine can make one.
struct Known {
  bool is_made = false;
  std::optional<Plan> plan{};
};

/// The plans of all threads. They live until the process ends, whatever ends first.
struct Plans {
  std::shared_mutex mutex;
  std::unordered_map<Key, Known> known;
  std::size_t bytes = 0;

  /// Called with the mutex held by no one.
  void keep(const Key& key, const Known& found) {
    const std::unique_lock lock(mutex);
    if (bytes > kMostBytes) {
      known.clear();
      bytes = 0;
    }
    known.insert_or_assign(key, found);
    bytes += key.size() + sizeof(Key) + sizeof found + (found.plan ? memory_bytes(*found.plan) : 0);
  }
};
Plans& plans() {
  static Plans* const all = new Plans;
  return *all;
}

/// One coefficient has a plan at once, another matrix from the second call on: many matrices that
/// decode are used once.
std::optional<Plan> plan_of(const Key& key) {
  Plans& all = plans();
  bool is_seen = key.size() == 3;
  {
    const std::shared_lock lock(all.mutex);
    if (const auto found = all.known.find(key); found != all.known.end()) {
      if (found->second.is_made) return found->second.plan;
      is_seen = true;
    }
  }
  Known found;
  if (is_seen) found = {true, made_plan(key)};
  all.keep(key, found);
  return found.plan;
}

/// What a thread used last: most threads stay with a matrix.
struct Recent {
  Key key;
  std::optional<Plan> plan;
  Key wanted;                           ///< while it is looked for
  std::vector<std::uint8_t*> chunks{};  ///< of a call
};
thread_local Recent recent;

const std::optional<Plan>& recent_plan(std::size_t k, std::size_t rows, std::size_t stride,
                                       const std::uint8_t* tables) {
  set_key(recent.wanted, k, rows, stride, tables);
  if (!recent.plan || recent.wanted != recent.key) {
    recent.plan = plan_of(recent.wanted);
    recent.key = recent.wanted;
  }
  return recent.plan;
}

/// Byte by byte, for calls that the engine refuses: where buffers overlap, or memory ran out.
void multiply_bytes(std::size_t bytes, std::size_t k, std::size_t rows, std::size_t stride,
                    const std::uint8_t* tables, const std::uint8_t* const* read,
                    std::uint8_t* const* written) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t at = 0; at < bytes; ++at) {
      std::uint8_t sum = 0;
      for (std::size_t j = 0; j < k; ++j) {
        const std::uint8_t* const table = tables + (i * stride + j) * kTableBytes;
        const std::uint8_t byte = read[j][at];
        sum = static_cast<std::uint8_t>(sum ^ table[byte & 0xf] ^ table[16 + (byte >> 4)]);
      }
      written[i][at] = sum;
    }
  }
}

bool runs(std::size_t bytes, std::size_t k, std::size_t rows, std::size_t stride,
          const std::uint8_t* tables, const std::uint8_t* const* read,
          std::uint8_t* const* written) noexcept try {
  const std::optional<Plan>& plan = recent_plan(k, rows, stride, tables);
  if (!plan) return false;
  recent.chunks.resize(k + rows);
  // A plan only reads what is not among its writes.
  for (std::size_t j = 0; j < k; ++j) recent.chunks[j] = const_cast<std::uint8_t*>(read[j]);
  std::copy_n(written, rows, recent.chunks.begin() + static_cast<std::ptrdiff_t>(k));
  return plan->run(recent.chunks.data(), bytes) == Status::kOk;
} catch (...) {
  return false;  // memory ran out
}

/// Coefficient by coefficient, with their own plans. False if that cannot be done; then nothing
/// that was written holds.
bool adds_products(std::size_t bytes, std::size_t k, std::size_t rows, std::size_t stride,
                   const std::uint8_t* tables, const std::uint8_t* const* read,
                   std::uint8_t* const* written) noexcept {
  if (check_adder() != Status::kOk) return false;
  alignas(64) std::array<std::uint8_t, kPieceBytes> sum;
  alignas(64) std::array<std::uint8_t, kPieceBytes> product;
  std::uint8_t* const to = product.data();
  for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
    const std::size_t piece = std::min(kPieceBytes, bytes - at);
    for (std::size_t i = 0; i < rows; ++i) {
      sum.fill(0);
      for (std::size_t j = 0; j < k; ++j) {
        const std::uint8_t* const table = tables + (i * stride + j) * kTableBytes;
        const std::uint8_t* const from = read[j] + at;
        if (table[1] == 0) continue;
        if (table[1] == 1) {
          add_to(sum.data(), from, piece);
          continue;
        }
        if (!runs(piece, 1, 1, 1, table, &from, &to)) return false;
        add_to(sum.data(), product.data(), piece);
      }
      std::copy_n(sum.data(), piece, written[i] + at);
    }
  }
  return true;
}

}  // namespace

void multiply(std::size_t bytes, std::size_t k, std::size_t rows, std::size_t stride,
              const std::uint8_t* tables, const std::uint8_t* const* read,
              std::uint8_t* const* written) noexcept {
  if (bytes == 0 || rows == 0) return;
  if (k != 0 && runs(bytes, k, rows, stride, tables, read, written)) return;
  if (adds_products(bytes, k, rows, stride, tables, read, written)) return;
  multiply_bytes(bytes, k, rows, stride, tables, read, written);
}

void add_product(std::size_t bytes, std::size_t rows, std::size_t stride,
                 const std::uint8_t* tables, const std::uint8_t* read,
                 std::uint8_t* const* written) noexcept {
  constexpr std::size_t kRows = 6;  // whose products stay in the first cache
  const bool can_add = check_adder() == Status::kOk;
  alignas(64) std::array<std::array<std::uint8_t, kPieceBytes>, kRows> products;
  for (std::size_t first = 0; first < rows; first += kRows) {
    const std::size_t some = std::min(kRows, rows - first);
    for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
      const std::size_t piece = std::min(kPieceBytes, bytes - at);
      const std::uint8_t* const from = read + at;
      std::array<std::uint8_t*, kRows> to{};
      for (std::size_t i = 0; i < some; ++i) to[i] = products[i].data();
      multiply(piece, 1, some, stride, tables + first * stride * kTableBytes, &from, to.data());
      for (std::size_t i = 0; i < some; ++i) {
        std::uint8_t* const sum = written[first + i] + at;
        if (can_add) {
          add_to(sum, to[i], piece);
          continue;
        }
        for (std::size_t b = 0; b < piece; ++b)
          sum[b] = static_cast<std::uint8_t>(sum[b] ^ to[i][b]);
      }
    }
  }
}

}  // namespace xorloom::isal
