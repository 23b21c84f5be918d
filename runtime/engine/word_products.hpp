#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "codes/field/field.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/word_factors.hpp"
#include "runtime/kernels/word_kernel.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// The inputs and outputs of a product with a matrix.
///
/// Buffers: no alignment is needed. No sum overlaps another buffer. Exception: if
///          WordProducts::is_one_pass, a sum may be one of the buffers that are read.
struct ProductBuffers {
  std::size_t rows;
  std::size_t columns;
  std::size_t bytes;                 ///< bytes of each buffer; whole symbols
  const std::uint8_t* const* reads;  ///< `columns` buffers
  std::uint8_t* const* sums;         ///< `rows` buffers
  bool adds = false;                 ///< true: sums are added to, not overwritten
  /// Stores of the sums; nullopt: chosen by the size of the buffers. Added sums are not streamed.
  std::optional<Stores> stores{};
};

/// Products of any matrix over GF(2^w) with words, by kernels that read the matrix as data. A
/// product needs no plan: nothing is searched, allocated or locked. A table gives the factor of
/// each coefficient, in the form that kernels read.
///
/// Factors are linear in the coefficient. The factors of the w powers of x are proved by shift and
/// add. All other factors are sums of these.
///
/// All of its functions may be called by many threads at once.
class WordProducts {
 public:
  /// Units:  w is 4, 8, 16 or 32. With w = 4 a byte is two symbols.
  /// Errors: throws kUnsupported for another w, kInternal if a factor is wrong.
  /// Cost:   tens of microseconds: make it once in a process.
  WordProducts(const Field& field, Isa isa);

  const Field& field() const noexcept { return factors_.field(); }
  Isa isa() const noexcept { return isa_; }

  /// Most rows that one kernel computes.
  std::size_t max_rows() const noexcept { return kernel_.max_rows; }

  /// True if one kernel computes the product, reading each piece of all buffers before it writes
  /// the sums of the piece. Then a sum may be one of the buffers that are read.
  bool is_one_pass(std::size_t rows, std::size_t columns) const noexcept {
    return rows <= max_rows() && columns <= kMostColumns &&
           rows * columns * factor_bytes_ <= kFactorBytes;
  }

  /// True if the kernels for `rows` rows are accepted on this machine. The first call for a kernel
  /// tries it, in some tenths of a millisecond.
  bool is_accepted(std::size_t rows) const noexcept {
    const std::uint32_t accepted = accepted_.load(std::memory_order_acquire);
    if (rows <= max_rows() && (accepted >> rows & 1U) != 0) return true;
    return rows == 0 || accept_all(rows);
  }

  /// sums[r] = Σ over c of coefficient(r, c)·reads[c]; added to sums[r] if buffers.adds.
  ///
  /// Shape: is_accepted(buffers.rows); coefficient(r, c) is a symbol below 2^w.
  template <typename Coefficient>
  void run(const ProductBuffers& buffers, const Coefficient& coefficient) const noexcept {
    if (buffers.rows == 0) return;
    if (is_one_pass(buffers.rows, buffers.columns)) {
      return run_at_once(buffers, coefficient);
    }
    run_in_pieces(buffers, coefficient);
  }

  /// Accepts the kernel of `rows` rows, up to max_rows().
  ///
  /// Errors: throws kInternal if it computes anything else than products.
  void accept_kernel(std::size_t rows) const;

  static constexpr std::size_t kMostColumns = 128;  ///< most columns that a kernel reads in a call

  /// Writes the factors of a matrix, column by column, in the form of WordFactors.
  template <typename Coefficient>
  void write_factors(std::size_t rows, std::size_t columns, const Coefficient& coefficient,
                     std::uint8_t* to) const noexcept {
    const auto write_each = [&](const auto& write) {
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          write(coefficient(r, c), to + (c * rows + r) * factor_bytes_);
        }
      }
    };
    const std::uint8_t* const table = table_.data();
    if (digits_ != 1) {
      write_each([&](Field::Symbol symbol, std::uint8_t* place) { add_digits(symbol, place); });
    } else if (factor_bytes_ == kBitMapBytes) {
      write_each([&](Field::Symbol symbol, std::uint8_t* place) {
        std::memcpy(place, table + symbol * kBitMapBytes, kBitMapBytes);
      });
    } else if (factor_bytes_ == kNibbleMapBytes) {
      write_each([&](Field::Symbol symbol, std::uint8_t* place) {
        std::memcpy(place, table + symbol * kNibbleMapBytes, kNibbleMapBytes);
      });
    } else {
      write_each([&](Field::Symbol symbol, std::uint8_t* place) {
        std::memcpy(place, table + symbol * factor_bytes_, factor_bytes_);
      });
    }
  }

 private:
  static constexpr std::size_t kFactorBytes = 8192;  ///< most bytes of factors in a call
  static constexpr std::size_t kDigitBits = 4;
  static constexpr std::size_t kFewBytes = 4096;

  bool accept_all(std::size_t rows) const noexcept;

  /// Number of parts that the rows are divided into, as evenly as possible.
  std::size_t parts_of(std::size_t rows) const noexcept {
    return rows <= max_rows() ? 1 : (rows + max_rows() - 1) / max_rows();
  }

  std::size_t columns_at_once(std::size_t rows) const noexcept {
    const std::size_t fitting = kFactorBytes / (rows * factor_bytes_);
    return fitting < kMostColumns ? fitting : kMostColumns;
  }

  /// Bytes of each buffer in a slice. All pieces of the matrix go through a slice before the next
  /// one. Slices are longer for wide symbols, whose factors take long to look up.
  std::size_t slice_bytes() const noexcept {
    return factors_.field().w() <= 8 ? kFewBytes : 4 * kFewBytes;
  }

  template <typename Coefficient>
  void run_at_once(const ProductBuffers& buffers, const Coefficient& coefficient) const noexcept {
    if (buffers.columns == 1 && kernel_.multiply[buffers.rows - 1] != nullptr) {
      alignas(64) std::uint8_t of_rows[kMaxWordRows * kNibbleMapBytes];
      write_factors(buffers.rows, 1, coefficient, of_rows);
      kernel_.multiply[buffers.rows - 1](of_rows, buffers.reads[0], buffers.sums, buffers.bytes,
                                         buffers.adds);
      return;
    }
    alignas(64) std::uint8_t factors[kFactorBytes];
    write_factors(buffers.rows, buffers.columns, coefficient, factors);
    combine(buffers, 0, buffers.bytes, factors);
  }

  template <typename Coefficient>
  void run_in_pieces(const ProductBuffers& buffers, const Coefficient& coefficient) const noexcept {
    const std::size_t parts = parts_of(buffers.rows);
    const std::size_t most = columns_at_once((buffers.rows + parts - 1) / parts);
    alignas(64) std::uint8_t factors[kFactorBytes];
    for (std::size_t at = 0; at < buffers.bytes; at += slice_bytes()) {
      const std::size_t left = buffers.bytes - at;
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t row = part * buffers.rows / parts;
        ProductBuffers piece = buffers;
        piece.rows = (part + 1) * buffers.rows / parts - row;
        piece.sums = buffers.sums + row;
        std::size_t column = 0;
        do {
          piece.columns = buffers.columns - column < most ? buffers.columns - column : most;
          piece.reads = buffers.reads + column;
          write_factors(
              piece.rows, piece.columns,
              [&](std::size_t r, std::size_t c) { return coefficient(row + r, column + c); },
              factors);
          combine(piece, at, left < slice_bytes() ? left : slice_bytes(), factors);
          piece.adds = true;
          column += piece.columns;
        } while (column < buffers.columns);
      }
    }
  }

  void add_digits(Field::Symbol symbol, std::uint8_t* to) const noexcept;
  void combine(const ProductBuffers& buffers, std::size_t begin, std::size_t bytes,
               const std::uint8_t* factors) const noexcept;

  WordKernel kernel_;
  WordFactors factors_;
  Isa isa_;
  std::size_t factor_bytes_;
  std::size_t digits_;               ///< per symbol: 1 up to w = 8, else w / kDigitBits
  std::vector<std::uint8_t> table_;  ///< factors, by digit and value of the digit
  mutable std::atomic<std::uint32_t> accepted_{0};  ///< bit r: kernel for r rows
};

/// The products of GF(2^w) with its default polynomial, on the instruction set of choose_isa().
/// They are made in the first call, and live until the process ends. Null if they cannot be made:
/// then later calls return null, too.
///
/// Units: w is 8, 16 or 32.
const WordProducts* default_products(std::size_t w) noexcept;

/// The products as above if they are of `field` and on `isa`; else null.
const WordProducts* default_products(const Field& field, Isa isa) noexcept;

}  // namespace xorloom
