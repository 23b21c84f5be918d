#include "runtime/engine/word_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "codes/text/made_once.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/cost_model.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kBitsOfTable = 8;  ///< symbols of up to 8 bits are one digit

/// From this size on, choosing stores and prefetching pay.
constexpr std::size_t kManyBytes = std::size_t{1} << 20;
constexpr std::size_t kManyStreams = 4;  ///< with fewer, the processor prefetches by itself
constexpr std::size_t kFetchedAheadFrom = std::size_t{2} << 20;

/// Sources of kernels: location c for column c.
constexpr auto kColumns = [] {
  std::array<WordSource, WordProducts::kMostColumns> columns{};
  for (std::uint32_t c = 0; c < columns.size(); ++c) columns[c] = {c, 0, 0};
  return columns;
}();

/// Products with the matrix of a code, as a Computation that accept() can try.
class MatrixProduct final : public Computation {
 public:
  MatrixProduct(const WordProducts& products, const Code& code, Isa isa, bool adds)
      : Computation({.column_multiple = kLineBytes,
                     .cost = code.m * code.k,
                     .sizes = {kTurnMultiple, few_bytes_of(code.field.w(), isa), 1},
                     .adds = adds}),
        products_(products),
        code_(code) {}

  void run(std::uint8_t* const* chunks, std::size_t, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    std::array<const std::uint8_t*, kLocations> reads{};
    std::array<std::uint8_t*, kLocations> sums{};
    for (std::size_t c = 0; c < code_.k; ++c) reads[c] = chunks[c] + begin;
    for (std::size_t r = 0; r < code_.m; ++r) sums[r] = chunks[code_.k + r] + begin;
    products_.run({code_.m, code_.k, end - begin, reads.data(), sums.data(), facts_.adds, stores},
                  [&](std::size_t r, std::size_t c) { return code_.parity(r, c); });
  }
  std::size_t memory_bytes() const noexcept override { return sizeof *this; }

 private:
  static constexpr std::size_t kLocations = 16;

  const WordProducts& products_;
  const Code& code_;
};

}  // namespace

WordProducts::WordProducts(const Field& field, Isa isa)
    : kernel_(word_kernel_of(field.w(), isa)),
      factors_(field, kernel_.form),
      isa_(isa),
      factor_bytes_(factors_.bytes()),
      digits_(field.w() <= kBitsOfTable ? 1 : field.w() / kDigitBits) {
  if (const auto wrong = factors_.find_wrong_reduction(field))
    fail(Status::kInternal, "{}", *wrong);
  const std::size_t bits = field.w() / digits_;
  const std::size_t values = std::size_t{1} << bits;
  table_.resize(digits_ * values * factor_bytes_);
  for (std::size_t digit = 0; digit < digits_; ++digit) {
    std::uint8_t* const of_digit = table_.data() + digit * values * factor_bytes_;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      const std::size_t value = std::size_t{1} << bit;
      std::uint8_t* const factor = of_digit + value * factor_bytes_;
      const auto symbol = static_cast<Field::Symbol>(value << digit * bits);
      factors_.write(symbol, factor);
      if (const auto wrong = factors_.find_wrong_entry(field, symbol, factor)) {
        fail(Status::kInternal, "{}", *wrong);
      }
      for (std::size_t i = 0; i < value * factor_bytes_; ++i) {  // all sums with lower bits
        factor[i] = static_cast<std::uint8_t>(factor[i % factor_bytes_] ^ of_digit[i]);
      }
    }
  }
}

void WordProducts::add_digits(Field::Symbol symbol, std::uint8_t* to) const noexcept {
  constexpr std::size_t kValues = std::size_t{1} << kDigitBits;
  const std::uint8_t* of_digit = table_.data();
  std::memcpy(to, of_digit + symbol % kValues * factor_bytes_, factor_bytes_);
  for (std::size_t digit = 1; digit < digits_; ++digit) {
    symbol >>= kDigitBits;
    of_digit += kValues * factor_bytes_;
    const std::uint8_t* const factor = of_digit + symbol % kValues * factor_bytes_;
    for (std::size_t i = 0; i < factor_bytes_; i += sizeof symbol) {  // a multiple of sizeof symbol
      Field::Symbol sum = 0;
      Field::Symbol more = 0;
      std::memcpy(&sum, to + i, sizeof sum);
      std::memcpy(&more, factor + i, sizeof more);
      sum ^= more;
      std::memcpy(to + i, &sum, sizeof sum);
    }
  }
}

void WordProducts::combine(const ProductBuffers& buffers, std::size_t begin, std::size_t bytes,
                           const std::uint8_t* factors) const noexcept {
  if (buffers.columns == 1 && kernel_.multiply[buffers.rows - 1] != nullptr) {
    std::array<std::uint8_t*, kMaxWordRows> sums{};
    for (std::size_t r = 0; r < buffers.rows; ++r) sums[r] = buffers.sums[r] + begin;
    return kernel_.multiply[buffers.rows - 1](factors, buffers.reads[0] + begin, sums.data(), bytes,
                                              buffers.adds);
  }
  WordBlock block;
  block.sources = kColumns.data();
  block.num_plain = 0;
  block.num_without_ones = block.num_sources = buffers.columns;
  block.factors = factors;
  factors_.describe_field(block);
  block.chunks = const_cast<std::uint8_t* const*>(buffers.reads);  // chunks are only read
  block.subchunk_bytes = bytes;
  block.column = begin;
  block.bytes = bytes;
  block.rows = buffers.rows;
  for (std::size_t r = 0; r < buffers.rows; ++r) block.targets[r] = buffers.sums[r] + begin;
  block.adds = buffers.adds;
  block.streams = false;
  block.prefetch_ahead = 0;
  block.part = 0;
  block.parts = 1;
  const std::size_t all_bytes = (buffers.columns + buffers.rows) * bytes;
  if (!buffers.stores && all_bytes < kManyBytes) return kernel_.combine[buffers.rows - 1](block);
  const Stores stores = buffers.stores.value_or(stores_for(this_machine(), all_bytes));
  const bool are_many = all_bytes >= kFetchedAheadFrom && buffers.columns >= kManyStreams;
  if (buffers.stores ? stores != Stores::kNear : are_many) {
    block.prefetch_ahead = kernel_.turn_bytes[buffers.rows - 1];
  }
  block.streams = !buffers.adds && stores == Stores::kNonTemporal &&
                  std::all_of(block.targets, block.targets + buffers.rows, [](const auto* to) {
                    return reinterpret_cast<std::uintptr_t>(to) % kLineBytes == 0;
                  });
  kernel_.combine[buffers.rows - 1](block);
  if (block.streams) finish_non_temporal_stores();
}

void WordProducts::accept_kernel(std::size_t rows) const {
  for (const std::size_t reads : {1UL, 3UL}) {  // a single input has kernels of its own
    const auto symbol = [&](std::size_t r, std::size_t c) {
      const std::uint32_t bits = 0x9e3779b9U * static_cast<std::uint32_t>(r * reads + c + 1) >> 7;
      return static_cast<Field::Symbol>(1 + bits % (field().size() - 1));
    };
    Code code = systematic_code("products", field(), matrix_of(rows, reads, symbol));
    code.arrangement = Arrangement::kWord;
    for (const bool adds : {false, true}) {
      accept(code, encoding_map(code), MatrixProduct(*this, code, isa_, adds));
    }
  }
}

bool WordProducts::accept_all(std::size_t rows) const noexcept try {
  const std::size_t parts = parts_of(rows);
  const std::uint32_t kernels = 1U << rows / parts | 1U << (rows + parts - 1) / parts;
  if ((kernels & ~accepted_.load(std::memory_order_acquire)) == 0) return true;
  accept_once(fmt::format("products {} {}", to_string(isa_), field_text(field())), kernels,
              [&](std::size_t of_kernel) { accept_kernel(of_kernel); });
  accepted_.fetch_or(kernels, std::memory_order_release);
  return true;
} catch (...) {
  return false;
}

const WordProducts* default_products(std::size_t w) noexcept {
  using Kept = std::array<MadeOnce<std::unique_ptr<const WordProducts>>, 3>;
  // Never freed: threads may still use them while the process ends.
  static auto* const kept = new (std::nothrow) Kept;
  if (kept == nullptr) return nullptr;
  const auto make = [w]() -> std::unique_ptr<const WordProducts> {
    try {
      return std::make_unique<const WordProducts>(Field(w), choose_isa());
    } catch (const Error&) {
      return nullptr;  // there are none, in later calls either
    }
  };
  try {
    return (*kept)[w == 8 ? 0 : w == 16 ? 1 : 2].get(make).get();
  } catch (...) {
    return nullptr;  // memory was refused; a later call tries again
  }
}

const WordProducts* default_products(const Field& field, Isa isa) noexcept {
  const std::size_t w = field.w();
  if (w != 8 && w != 16 && w != 32) return nullptr;
  const WordProducts* const products = default_products(w);
  const bool fits = products != nullptr && products->isa() == isa && products->field() == field;
  return fits ? products : nullptr;
}

}  // namespace xorloom
