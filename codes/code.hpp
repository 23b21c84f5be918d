#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// The number of a cell of the HoVer layout at the level of bits: location·R + row.
using Element = std::uint32_t;

/// The number of a cell at the level of symbols: location·alpha + sub-chunk. Cell c of a field of w
/// bits holds the elements c·w … c·w + w-1, bit l of the symbol being element c·w + l.
using Cell = std::uint32_t;

/// Codes are lowered to equations up to this many direct XORs; past it, only words run them.
inline constexpr std::size_t kMaxDirectXors = std::size_t{1} << 18;

enum class Role { kData, kRedundant };

/// How symbols lie in the bytes of a chunk.
///
///   kPacket   a chunk is cut into super-blocks of R packets of packet_bytes; XOR works on packets
///
///             | packet 0 | packet 1 | … | packet R-1 || packet 0 | packet 1 | …
///             |<------------ super-block 0 --------->||<---- super-block 1 ---
///
///   kWord     a chunk is cut into alpha contiguous sub-chunks; in each, symbols of w = 4, 8, 16 or
///             32 bits lie one after the other (w = 4: low nibble first; 16 and 32 little-endian)
///
///             With plane_bytes, symbols of 16 bits lie in blocks instead:
///
///             | plane_bytes low bytes | plane_bytes high bytes || low bytes | …
///             |<------ a block of plane_bytes symbols -------->||<--- block 1
///
///             The last block may have fewer symbols. Its planes follow one another, too.
enum class Arrangement { kPacket, kWord };

/// A cell as a sum of others: of factor times cell over the terms.
struct CellSum {
  struct Term {
    Cell cell;
    Field::Symbol factor = 1;

    friend bool operator==(const Term&, const Term&) = default;
  };
  Cell target;
  std::vector<Term> terms;
};

/// An erasure code: which cells a stripe has, which of them hold data, and what the others hold.
///
/// A stripe has `locations` chunks of alpha = `subchunks` cells, each a symbol of GF(2^w) (w = 1
/// for codes that are given as XORs), so a location has R = alpha·w rows. k, m and w are what the
/// family calls them; the layout is what code reads.
struct Code {
  std::string family;
  std::string spec;  ///< canonical: every default written out
  std::size_t k = 0;
  std::size_t m = 0;
  std::size_t w = 0;

  Field field{1};
  std::size_t locations = 0;
  std::size_t subchunks = 1;
  std::vector<Cell> data;       ///< in the order of the user's bytes
  std::vector<Cell> redundant;  ///< ascending
  Matrix parity;  ///< redundant.size() x data.size(): each redundant cell from the data

  /// The same in the form of the family, where that has fewer terms: each redundant cell once, from
  /// cells that hold data or stand before it. Cells from num_cells() on are hidden: symbols on the
  /// way that no chunk holds. Empty where the family has no other form than the rows of parity.
  std::vector<CellSum> sums;
  std::size_t hidden = 0;  ///< number of hidden cells

  /// M, a power of two, where redundancy and data are values of a polynomial of at most k terms:
  /// the i-th redundant cell at the point i, the j-th data cell at the point M + j. Points are
  /// symbols, and bit i of a symbol is its coordinate in a Cantor basis. Then the redundancy comes
  /// from the data by additive Fourier transforms. 0: nothing of the kind is known. Whoever
  /// computes by this proves it.
  std::size_t transform_points = 0;

  /// By location, the cells of other locations that suffice to rebuild it where it alone is lost,
  /// ascending. Empty where the family knows no such cells. Whoever reads by this proves it.
  std::vector<std::vector<Cell>> repair_cells;

  Arrangement arrangement = Arrangement::kPacket;
  std::size_t packet_bytes = 0;  ///< 0 where the arrangement is words
  /// On words: the bytes of a plane, or 0 where symbols lie one after the other.
  std::size_t plane_bytes = 0;

  /// The family's promise: any set of this many lost locations can be rebuilt.
  std::size_t promised_losses = 0;
  /// The proof of that promise by construction, as a phrase with its source; empty if there is
  /// none.
  std::string proof;

  /// A spec of the code for sentences, without packet size and usual values. Long values are cut.
  std::string name() const;

  std::size_t rows() const { return subchunks * field.w(); }
  Cell num_cells() const { return static_cast<Cell>(locations * subchunks); }
  Element num_elements() const { return static_cast<Element>(locations * rows()); }
  Element element(std::size_t location, std::size_t row) const {
    return static_cast<Element>(location * rows() + row);
  }
  std::size_t location_of_cell(Cell cell) const { return cell / subchunks; }
  Role role(Cell cell) const;
};

/// Where the bytes of symbols lie in planes, the bytes of a block of all planes; else 0.
std::size_t plane_block_bytes(const Code& code);

/// The bytes of the smallest part of a chunk that kernels compute. Every chunk is a multiple of
/// this many bytes, except in planes.
std::size_t chunk_multiple(const Code& code);

/// chunk_bytes of every stripe is a multiple of this many bytes: of chunk_multiple() or, in planes,
/// of a symbol's bytes. There the last block of a chunk may be shorter than the others: its planes
/// are as long as it has symbols.
std::size_t stripe_multiple(const Code& code);

/// The elements of cells, w for each, in their order.
std::vector<Element> elements_of(const Code& code, const std::vector<Cell>& cells);

/// Row c holds cell c of the stripe as a combination of the data cells.
///
/// Shape: (locations·subchunks) x data.size().
Matrix generator(const Code& code);

/// The parity checks: a row for each redundant cell, which is 0 on every stripe.
///
/// Shape: redundant.size() x (locations·subchunks).
Matrix parity_checks(const Code& code);

/// Every redundant cell as a sum of cells of chunks, each of which holds data or stands before it:
/// the code's sums with hidden cells written out, or the rows of its matrix. Ascending within a
/// term list, no factor is 0.
std::vector<CellSum> sums_of_redundancy(const Code& code);

/// For each location whether it holds data; one that does may hold redundancy, too.
std::vector<bool> holds_data(const Code& code);

/// The rows of the bitmatrix: each redundant element from the data elements.
///
/// Shape: (redundant.size()·w) x (data.size()·w).
BitMatrix bitmatrix(const Code& code);

/// A systematic code of k data locations followed by m redundant ones, one symbol each, with the
/// given m x k matrix, which promises to survive m losses. Arrangement and spec are the caller's to
/// add.
Code systematic_code(std::string family, Field field, Matrix parity, std::string proof = {});

/// What the cells of a stripe hold, as combinations of its data cells: what a proof compares with.
class CellContents {
 public:
  /// Buffers: the code outlives it.
  explicit CellContents(const Code& code);

  /// Adds a factor times what a cell holds to a sum of data cells.
  ///
  /// Shape: a symbol in the sum for each data cell.
  void add(std::span<Field::Symbol> sum, Cell cell, Field::Symbol factor) const;

  /// The place of a data cell among those of the code.
  std::size_t data_column(Cell cell) const { return place_[cell]; }

 private:
  const Code& code_;
  std::vector<bool> is_data_;  ///< by cell
  std::vector<std::size_t>
      place_;  ///< by cell: its column of the matrix if it is data, else its row
};

}  // namespace xorloom
