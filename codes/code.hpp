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

/// The number of a cell at the level of symbols: location·alpha + sub-chunk. Over a field of w
/// bits, cell c holds the elements c·w … c·w + w-1: bit l of its symbol is element c·w + l.
using Cell = std::uint32_t;

/// Most direct XORs of a code that is lowered to equations; with more, only words run it.
inline constexpr std::size_t kMaxDirectXors = std::size_t{1} << 18;

enum class Role { kData, kRedundant };

/// Layout of symbols in the bytes of a chunk.
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

/// A cell as a sum of others: target = sum of factor · cell over the terms.
struct CellSum {
  struct Term {
    Cell cell;
    Field::Symbol factor = 1;

    friend bool operator==(const Term&, const Term&) = default;
  };
  Cell target;
  std::vector<Term> terms;
};

/// An erasure code: the cells of a stripe, which of them hold data, and the contents of the others.
///
/// A stripe has `locations` chunks of alpha = `subchunks` cells, each a symbol of GF(2^w) (w = 1
/// for codes that are given as XORs), so a location has R = alpha·w rows. k, m and w have the
/// meaning of the family; programs use the layout instead.
struct Code {
  std::string family;
  std::string spec;  ///< canonical: every default written out
  std::string file;  ///< path of the code file that it was read from, printable; empty: none
  std::size_t k = 0;
  std::size_t m = 0;
  std::size_t w = 0;

  Field field{1};
  std::size_t locations = 0;
  std::size_t subchunks = 1;
  std::vector<Cell> data;       ///< in the order of the user's bytes
  std::vector<Cell> redundant;  ///< ascending
  Matrix parity;  ///< redundant.size() x data.size(): each redundant cell from the data

  /// The redundant cells in the family's own form, if that has fewer terms than `parity`: each
  /// redundant cell once, from data cells and cells earlier in the list. Cells from num_cells() on
  /// are hidden: intermediate symbols that no chunk holds. Empty: the family has only the rows of
  /// `parity`.
  std::vector<CellSum> sums;
  std::size_t hidden = 0;  ///< number of hidden cells

  /// M, a power of two, if redundancy and data are values of a polynomial of at most k terms: the
  /// i-th redundant cell at the point i, the j-th data cell at the point M + j. Points are symbols,
  /// and bit i of a symbol is its coordinate in a Cantor basis. Then additive Fourier transforms
  /// compute the redundancy from the data. 0: the family has no such polynomial. Users of this
  /// prove their results.
  std::size_t transform_points = 0;

  /// By location: cells of other locations that suffice to rebuild it if it alone is lost,
  /// ascending. Empty: the family knows none. Users of this prove their results.
  std::vector<std::vector<Cell>> repair_cells;

  Arrangement arrangement = Arrangement::kPacket;
  std::size_t packet_bytes = 0;  ///< 0: the arrangement is words
  /// On words: bytes of a plane; 0: symbols lie one after the other.
  std::size_t plane_bytes = 0;

  /// The family's promise: any `promised_losses` lost locations can be rebuilt.
  std::size_t promised_losses = 0;
  /// The proof of the promise by construction, as a phrase with its source; empty: no proof.
  std::string proof;

  /// A spec of the code for messages, without packet size and default values. Long values are cut.
  /// If the code was read from a file: the path.
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

/// Bytes of a block of all planes; 0: the symbols are not in planes.
std::size_t plane_block_bytes(const Code& code);

/// Bytes of the smallest part of a chunk that kernels compute. Except in planes, chunk_bytes is a
/// multiple of it.
std::size_t chunk_multiple(const Code& code);

/// chunk_bytes of every stripe is a multiple of this: chunk_multiple() or, in planes, the bytes of
/// a symbol. In planes, the last block of a chunk may be shorter: its planes have a byte per symbol
/// of the block.
std::size_t stripe_multiple(const Code& code);

/// The elements of `cells`, w per cell, in order.
std::vector<Element> elements_of(const Code& code, const std::vector<Cell>& cells);

/// The generator matrix: row c is cell c of the stripe as a combination of the data cells.
///
/// Shape: (locations·subchunks) x data.size().
Matrix generator(const Code& code);

/// The parity-check matrix: a row per redundant cell, whose product with every stripe is 0.
///
/// Shape: redundant.size() x (locations·subchunks).
Matrix parity_checks(const Code& code);

/// Every redundant cell as a sum of data cells and redundant cells earlier in the list: Code::sums
/// with hidden cells written out, or the rows of `parity`. Terms ascend by cell; no factor is 0.
std::vector<CellSum> sums_of_redundancy(const Code& code);

/// By location: true if it holds data. It may hold redundancy, too.
std::vector<bool> holds_data(const Code& code);

/// The bitmatrix: each redundant element from the data elements.
///
/// Shape: (redundant.size()·w) x (data.size()·w).
BitMatrix bitmatrix(const Code& code);

/// Returns a systematic code of k data locations followed by m redundant ones, one symbol each,
/// with the m x k matrix `parity`. It promises to survive m losses. The caller sets arrangement and
/// spec.
Code systematic_code(std::string family, Field field, Matrix parity, std::string proof = {});

/// The contents of the cells of a stripe as combinations of its data cells, for proofs.
class CellContents {
 public:
  /// Buffers: the code outlives it.
  explicit CellContents(const Code& code);

  /// Adds factor · (contents of `cell`) to `sum`, a combination of data cells.
  ///
  /// Shape: `sum` has a symbol per data cell.
  void add(std::span<Field::Symbol> sum, Cell cell, Field::Symbol factor) const;

 private:
  const Code& code_;
  std::vector<std::size_t> place_;  ///< by cell: its column of `parity`, or data.size() + its row
};

}  // namespace xorloom
