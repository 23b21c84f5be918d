#include "gen/verilog/coprocessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "codes/text/error.hpp"
#include "gen/verilog/verilog_template.hpp"
#include "gen/verilog/verilog_unit.hpp"

namespace xorloom {
namespace {

std::size_t parts(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }

void check_bounds(const Field& field, const CoprocessorShape& shape) {
  check_bound("rows of the array", shape.rows, 1, kMostArraySide);
  check_bound("columns of the array", shape.columns, 1, kMostArraySide);
  check_bound("tiles", shape.tiles, 2, kMostTiles);
  check_bound("lanes", shape.lanes, 1, kMostCoprocessorLanes);
  const std::size_t bits = shape.rows * shape.columns * field.w();
  if (bits > kMostTileBits) {
    fail(Status::kInvalidArgument,
         fmt::format("a tile of {} x {} symbols of {} bits has {} bits, and it may have {}",
                     shape.rows, shape.columns, field.w(), bits, kMostTileBits));
  }
}

/// The symbol at a place of such a number.
Field::Symbol symbol_at(std::string_view text, std::size_t place, std::size_t w) {
  Field::Symbol symbol = 0;
  for (std::size_t l = 0; l < w; ++l) {
    const std::size_t bit = place * w + l;
    unsigned digit = 0;
    const char* const at = text.data() + (text.size() - 1 - bit / 4);
    if (std::from_chars(at, at + 1, digit, 16).ptr == at) {
      fail(Status::kInternal, fmt::format("a tile has no digit '{}'", *at));
    }
    symbol |= static_cast<Field::Symbol>(digit >> (bit % 4) & 1U) << l;
  }
  return symbol;
}

}  // namespace

Coprocessor tiled_coprocessor(std::string module, const Code& code, std::span<const NamedMap> maps,
                              const CoprocessorShape& shape) {
  check_bounds(code.field, shape);
  Coprocessor coprocessor{std::move(module), code.field, shape, 1, {}};
  std::size_t used = 0;
  for (const NamedMap& named : maps) {
    TiledMatrix matrix{named.name, named.map, used, parts(named.map.outputs.size(), shape.rows),
                       parts(named.map.inputs.size(), shape.columns)};
    if (matrix.row_tiles > kMostRowTiles) {
      fail(Status::kInvalidArgument,
           fmt::format(
               "the matrix of {} has {} rows, and {} rows of multipliers compute at most {}",
               named.name, named.map.outputs.size(), shape.rows, kMostRowTiles * shape.rows));
    }
    used += matrix.row_tiles * matrix.column_tiles;
    coprocessor.row_tiles = std::max(coprocessor.row_tiles, matrix.row_tiles);
    coprocessor.matrices.push_back(std::move(matrix));
  }
  if (used > shape.tiles) {
    fail(
        Status::kInvalidArgument,
        fmt::format("the matrices take {} tiles of {} x {}, and the matrix memory has {} (--tiles)",
                    used, shape.rows, shape.columns, shape.tiles));
  }
  return coprocessor;
}

std::vector<std::vector<Field::Symbol>> tiles_of(const Coprocessor& coprocessor) {
  const CoprocessorShape& shape = coprocessor.shape;
  std::vector<std::vector<Field::Symbol>> tiles;
  for (const TiledMatrix& matrix : coprocessor.matrices) {
    const Matrix& coefficients = matrix.map.coefficients;
    for (std::size_t column = 0; column < matrix.column_tiles; ++column) {
      for (std::size_t row = 0; row < matrix.row_tiles; ++row) {
        std::vector<Field::Symbol>& tile = tiles.emplace_back();
        for (std::size_t i = row * shape.rows; i < (row + 1) * shape.rows; ++i) {
          for (std::size_t j = column * shape.columns; j < (column + 1) * shape.columns; ++j) {
            const bool is_in = i < coefficients.rows() && j < coefficients.columns();
            tile.push_back(is_in ? coprocessor.field.polynomial_of(coefficients(i, j)) : 0);
          }
        }
      }
    }
  }
  return tiles;
}

std::vector<std::string> tile_words(const Coprocessor& coprocessor) {
  std::vector<std::string> words;
  for (const std::vector<Field::Symbol>& tile : tiles_of(coprocessor)) {
    words.push_back(hexadecimal(tile, coprocessor.field.w()));
  }
  check_tile_words(coprocessor, words);
  return words;
}

void check_tile_words(const Coprocessor& coprocessor, std::span<const std::string> words) {
  const auto [rows, columns, tiles, lanes] = coprocessor.shape;
  const std::size_t w = coprocessor.field.w();
  const auto bad = [](const std::string& what) {
    fail(Status::kInternal, "the matrix memory that was written is not the matrices: " + what);
  };
  if (words.size() != coprocessor.used_tiles()) bad("it has another number of tiles");
  std::size_t nonzeros = 0;
  for (const std::string& word : words) {
    if (word.size() != parts(rows * columns * w, 4)) bad("a tile has another number of digits");
    for (std::size_t place = 0; place < rows * columns; ++place) {
      if (symbol_at(word, place, w) != 0) ++nonzeros;
    }
  }
  std::size_t found = 0;
  for (const TiledMatrix& matrix : coprocessor.matrices) {
    for (std::size_t i = 0; i < matrix.map.outputs.size(); ++i) {
      for (std::size_t j = 0; j < matrix.map.inputs.size(); ++j) {
        const Field::Symbol wanted = matrix.map.coefficients(i, j);
        const std::size_t tile = matrix.first_tile + j / columns * matrix.row_tiles + i / rows;
        const Field::Symbol actual = symbol_at(words[tile], i % rows * columns + j % columns, w);
        if (coprocessor.field.symbol_of(actual) != wanted) {
          bad(fmt::format("coefficient {}, {} of {} is another", i, j, matrix.name));
        }
        if (wanted != 0) ++found;
      }
    }
  }
  if (nonzeros != found) bad("it has coefficients outside of them");
}

}  // namespace xorloom
