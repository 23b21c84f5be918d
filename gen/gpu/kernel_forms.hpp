#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "gen/text/lines.hpp"

namespace xorloom {

// Forms of kernels: each writes the lines of a kernel, and the definitions that the lines need.

/// Words of lines in kernels. They are the same in all languages, and a prelude defines them.
/// xl_in_order() keeps compilers for CUDA from loading everything first, which takes more registers
/// than there are.
inline constexpr LineWords kKernelWords{.vec = "xl_vec",
                                        .get = "xl_get(",
                                        .put = "xl_put(",
                                        .zero = "0",
                                        .twice = "xl_twice(",
                                        .product = "xl_product(",
                                        .has_numbers = true,
                                        .sum_of_three = "xl_xor3(",
                                        .get_planes = "XL_GET_PLANES(",
                                        .put_planes = "XL_PUT_PLANES(",
                                        .in_order = "xl_in_order()",
                                        .bytes = "XL_MEMORY unsigned char *",
                                        .read_bytes = "XL_MEMORY unsigned char *",
                                        .chunk = "base + at[",
                                        .place = "place",
                                        .more = ""};

/// Estimated cost of a work item of a kernel, by which forms are compared.
///
/// A multiprocessor of an H100 or H200 moves about 21 bytes of device memory per clock and does 64
/// integer instructions. It hides memory latency with 512 threads or more, and its 65536 registers
/// are shared among threads. A thread has 255 registers: further values wait in memory.
struct KernelPrice {
  std::size_t bytes = 0;         ///< bytes moved
  std::size_t instructions = 0;  ///< on 32 bits: three-way XORs and others
  std::size_t registers = 0;     ///< estimated
  std::size_t columns = 1;       ///< columns that the item computes

  /// Clocks per column. Only proportions matter.
  double clocks() const {
    return std::max(memory_clocks(), work_clocks()) / std::min(1.0, threads() / 512) /
           static_cast<double>(columns);
  }

  /// True if instructions or registers limit it rather than memory.
  bool is_work_bound() const { return work_clocks() > memory_clocks() || threads() < 512; }

 private:
  static constexpr std::size_t kMostRegisters = 240;

  std::size_t used() const { return std::min(kMostRegisters, registers); }
  double spilled() const { return static_cast<double>(registers - used()); }
  double threads() const { return 65536 / static_cast<double>(std::max<std::size_t>(used(), 32)); }
  double memory_clocks() const { return (static_cast<double>(bytes) + 16 * spilled()) / 21; }
  double work_clocks() const { return (static_cast<double>(instructions) + 2 * spilled()) / 64; }
};

/// A kernel in one form, before its head is written.
struct KernelDraft {
  KernelText kernel{};        ///< without source; entry and chunks are set once it is chosen
  std::string definitions{};  ///< functions and macros that its lines call
  std::string place{};        ///< its first lines: which columns it computes
  std::string lines{};
  KernelPrice price{};
};

/// Input of a draft.
struct KernelJob {
  const Code& code;
  const Program& equations;
  const std::vector<std::size_t>& chunks;  ///< locations that the kernel touches, ascending
  const KernelOptions& options;
  std::size_t vector_bytes;
};

/// Loads every input once and adds it to each sum that needs it. If the sums exceed the registers,
/// some are computed after the others, from inputs that are loaded again. The draft has lines and a
/// price; the caller sets the price's columns.
///
/// Shape: an XOR program whose equations read inputs alone.
KernelDraft accumulator_lines(const LineLayout& layout, std::size_t vector_bytes);

/// Computes the equations of an XOR program as they are, in an order in which few values wait, as
/// three-way XORs. Values that are not read again soon are loaded again.
///
/// Cost: some tens of milliseconds for a stripe.
KernelDraft ordered_lines(const LineLayout& layout, std::size_t vector_bytes);

/// True if an equation computes a temporary.
bool has_temporaries(const Program& program);

/// Returns the program itself if it has temporaries, else one that computes the same with shared
/// sums.
Program with_shared_sums(const Program& program);

/// Kernels on packets. A work item computes one vector of every packet of a super-block:
/// accumulator_kernel() by sums that read inputs alone, iterative_kernel() in the order of shared
/// sums.
KernelDraft accumulator_kernel(const KernelJob& job);
KernelDraft iterative_kernel(const KernelJob& job);

// The other kernels are on words. All but plane_kernel() compute one vector of every sub-chunk per
// work item. Equations are over the code's symbols.

/// Computes sums bit by bit of the coefficients, the highest first:
///
///     xl_vec e4 = e1;                      bit 2 of 5·e0 + 4·e1
///     e4 = xl_twice(e4);                   bit 1
///     e4 = xl_twice(e4) ^ e0;              bit 0
///
/// Errors: throws kUnsupported if symbols are coordinates in a basis or lie in planes.
KernelDraft horner_kernel(const KernelJob& job);

/// Looks products of single bytes up: a baseline, to measure what published GPU coders do. Each
/// input is multiplied into every sum that it is in.
///
///     xl_vec e4 = xl_product(0x1d, e0);
///     e4 ^= xl_product(0x02, e1); e5 ^= e1;
///
/// Shape:  equations read inputs alone.
/// Errors: throws kUnsupported for symbols of other than 8 bits, for shift-and-add over another
///         basis, and for tables that exceed the chosen memory.
KernelDraft table_kernel(const KernelJob& job);

/// Computes on planes of bits, for any field and arrangement. A work item takes w vectors of a
/// cell, w being the bits of a symbol, and transposes them. Plane i then holds bit i of all their
/// symbols, and equations over symbols become equations over bits, as on packets.
///
///     vector 0   | a3 a2 a1 a0 | b3 b2 b1 b0 | …      plane 0   | d0 c0 b0 a0 | …
///     vector 1   | …                                  plane 1   | d1 c1 b1 a1 | …
///
/// (w = 4.) The order of the symbols in a plane does not matter. The vectors of an item lie apart,
/// so that items that run together read adjacent memory:
///
///     item       0    1    …   31     0    1    …   31
///              | v0 | v0 | … | v0 | | v1 | v1 | … | v1 | …      31 = team - 1
///
/// Shape: equations are bits_of those over symbols.
KernelDraft plane_kernel(const KernelJob& job);

/// Returns the program over bits: element e·w + i is bit i of symbol e, for cells, virtual elements
/// and temporaries alike. It is proved to compute the same.
Program bits_of(const Program& symbols);

/// Writes the function xl_twice, which doubles every symbol of a vector. The text is read back and
/// compared with the field.
///
/// Shape:  symbols have 4, 8, 16 or 32 bits and no other basis than the powers of x.
/// Errors: throws kInternal if the text does not double.
std::string define_twice(const Field& field, std::size_t vector_bytes);

/// Runs the text of xl_twice on a symbol with one bit, for each bit of a vector, and compares it
/// with the field. That is enough, since shifts and products with one bit of each symbol are
/// linear.
///
/// Errors: throws kInternal if they differ, or the text has another form.
void check_twice(const Field& field, std::size_t vector_bytes, std::string_view text);

// Products of symbols of 8 bits that are looked up, as the slides on GPUs have them. In the order
// of KernelTables, with a the symbol and b the coefficient:
//
//     full           products                     | at a · 256 + b
//     left-right     left | right                 | left at (a >> 4) · 256 + b,
//                                                 | right at (a & 15) · 256 + b
//     log-exp …      log | exp                    | exp at log a + log b
//     unbranched     log, 2 bytes each | exp      | the same; log 0 is 510, and exp is 0 from
//                                                 | there on
//     nibbles        32 bytes of each coefficient | low half, high half
//
// Source: slides on Reed-Solomon coding for cloud storage on GPUs; what their listings get wrong is
//         said in bench/codes/multiplication.hpp.

/// Bytes of the tables of a policy. kNibbles has tables of the coefficients, ascending.
std::vector<std::uint8_t> table_bytes(KernelTables policy, const Field& field,
                                      const std::set<Field::Symbol>& coefficients);

/// Compares every product of a symbol and a coefficient by tables with the product by shift and
/// add. Errors: throws kInternal if they differ.
void check_tables(KernelTables policy, const Field& field, const std::vector<std::uint8_t>& tables,
                  const std::set<Field::Symbol>& coefficients);

/// A kernel ENTRY_tables, and the bytes of tables in constant memory. It writes them into memory of
/// the device, one byte by each work item, for a kernel that takes tables as an argument. A file
/// for people has it in place of KernelText::tables. "": no tables.
std::string write_table_kernel(KernelLanguage language, const KernelText& kernel);

}  // namespace xorloom
