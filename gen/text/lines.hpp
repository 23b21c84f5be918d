#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

// The lines that compute a program in generated source: straight lines of loads, sums and stores
// over vectors. All languages have the same statements, but words of their own.
//
//     {                                               a part, with names of its own
//       xl_in_order();                                no load below is done before
//       const uint8_t *restrict c0 = chunks[0] + at;  a chunk, before its first use
//       const vec e0 = get(c0, 0), A = kept[3];       a cell, and a temporary of a part before
//       XL_GET_PLANES(c0, 1, e1_0, e1_1, …);          a cell as planes of bits
//       const vec e0_1 = twice(e0);                   each symbol times 2
//       vec e4 = e0, e5 = mul(e0, t8e);               sums begin
//       e4 ^= e1 ^ e0_1; e5 ^= e1;                    and grow
//       put(c1, 0, e4);                               an output
//       XL_PUT_PLANES(c1, 1, e5_0, e5_1, …);
//       kept[4] = B;                                  a temporary that later parts read
//     }
//
// Elements are numbered as in programs. With planes an element is a bit of a cell: element e is bit
// e % planes of cell e / planes. A cell is row c % rows of the chunk c / rows.

/// Words of a language. Functions end with their parenthesis; "": the language has no such word.
struct LineWords {
  const char* vec;                  ///< the type of a vector
  const char* get;                  ///< get(CELL): the vector of a cell
  const char* put;                  ///< put(CELL, SUM)
  const char* zero = "{0}";         ///< a vector of zeros
  const char* twice = "";           ///< twice(SUM): each symbol times 2
  const char* product = "";         ///< product(SUM, CONSTANT)
  bool has_numbers = false;         ///< product(0x1d, SUM) in place of a constant's name
  const char* sum_of_three = "";    ///< sum_of_three(SUM, SUM, SUM)
  const char* get_planes = "";      ///< get_planes(CELL, NAME, …): declares the bits of a cell
  const char* put_planes = "";      ///< put_planes(CELL, SUM, …)
  const char* in_order = "";        ///< a statement past which compilers move no load
  const char* bytes = "uint8_t *";  ///< the type of a pointer to bytes
  /// The type of a pointer to bytes that are only read.
  const char* read_bytes = "const uint8_t *";
  const char* restrict_word = "";  ///< behind the type of a pointer
  const char* chunk = "chunks[";   ///< value of a pointer: chunk NUMBER ] + place
  const char* place = "at";
  const char* row = "";       ///< a cell is "c5 + 2 * sub", and "c5" in row 0; "": "c5, 2"
  const char* more = "    ";  ///< indents further lines of sums that grow
};

/// Program, words and layout of lines.
struct LineLayout {
  LineWords words;
  const Program& program;
  std::vector<std::size_t> chunks{};  ///< locations of the chunks, by number; empty: all
  std::size_t planes = 1;
};

/// Name of an element: "e17" for a cell, with planes "e2_1"; temporaries by their letters.
std::string value_name(const Program& program, Element element, std::size_t planes = 1);

/// Writes lines.
class LineWriter {
 public:
  explicit LineWriter(const LineLayout& layout) : layout_(layout) {}

  std::string name(Element element) const {
    return value_name(layout_.program, element, layout_.planes);
  }

  void open_part();
  void close_part();
  void keep_order() { text_ += indent_ + layout_.words.in_order + ";\n"; }

  /// Declares the pointer to the chunk of an element, if this part has not.
  void point_at(Element element, bool is_written = true);

  /// Expression that loads an element: "get(c5, 2)".
  std::string loaded(Element element) const;
  /// Loads an element under the name that it returns: its own, or a new one if a part loads it
  /// again. With planes it loads the whole cell, once in a part.
  std::string load(Element element);

  /// Declares values such as "e0 = get(c0, 2)". No values: no line.
  void declare(const std::vector<std::string>& values, bool is_constant);

  /// Adds terms to each sum. A sum that is new begins with its terms.
  struct Addition {
    Element sum;
    std::vector<std::string> terms;
  };
  void add(const std::vector<Addition>& additions);

  /// Writes a statement that ends with a sum: "const vec t0 = e0 ^ e1;". It is broken between
  /// terms.
  void sum(const std::string& head, const std::vector<std::string>& terms, const char* end = ";");

  /// Stores the sum of some terms.
  void store(Element element, const std::vector<std::string>& terms);
  /// Stores all elements of a cell, the first of which is `first`. Shape: a value for each plane.
  void store_planes(Element first, const std::vector<std::string>& values);

  /// Writes a line, broken between words.
  void line(const std::string& head, const std::vector<std::string>& words);

  std::string text() && { return std::move(text_); }

 private:
  std::string cell(Element element) const;

  LineLayout layout_;
  std::string indent_ = "  ";
  std::set<Element> begun_;
  std::map<std::size_t, std::size_t> loads_;  ///< loads of this part, by cell
  std::set<std::size_t> pointed_;
  std::string text_;
};

/// Coefficients that constants multiply by, by the constants' names.
using LineConstants = std::map<std::string, Field::Symbol, std::less<>>;

/// The coefficients of a program other than 1.
std::set<Field::Symbol> factors_of(const Program& program);

/// Reads lines back into a program, one text for each part, and proves that it computes the program
/// of the layout. Lines of any other form are refused.
///
/// Errors: throws kInternal, with the difference.
/// Cost:   that of a proof.
void check_lines(const LineLayout& layout, std::span<const std::string> parts,
                 const LineConstants& constants = {});

}  // namespace xorloom
