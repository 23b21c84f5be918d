#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// The lines of a kernel as they are written. All languages have the same.
///
///     {                                                    a part, with names of its own
///       xl_in_order();                                     no load below is done before
///       XL_MEMORY unsigned char *c0 = base + at[0] + place;   a chunk, before it is first used
///       const xl_vec e0 = xl_get(c0, 0);                   a cell, where it is read
///       XL_GET_PLANES(c0, 1, e1_0, e1_1, …);               a cell as planes of bits
///       xl_vec e4 = e0;                                    a sum begins
///       e4 ^= e1; e5 ^= e1;                                and grows
///       const xl_vec t0 = e0 ^ e1 ^ e2;                    a sum that is complete
///       xl_put(c1, 0, e4);                                 an output
///       XL_PUT_PLANES(c1, 1, e5_0, e5_1, …);
///     }
///
/// xl_in_order() keeps compilers for CUDA from loading everything first, which takes more registers
/// than there are.
///
/// Elements are numbered as in programs. With planes an element is a bit of a cell: element
/// e is bit e % planes of cell e / planes. A cell is row c % rows of the chunk c / rows.
class KernelLines {
 public:
  /// Keeps a reference to the chunks: locations, ascending.
  KernelLines(std::size_t rows, const std::vector<std::size_t>& chunks, std::size_t planes = 1)
      : rows_(rows), chunks_(chunks), planes_(planes) {}

  /// "e17", with planes "e2_1".
  std::string name(Element element) const;

  void open_part();
  void close_part();
  void keep_order() { text_ += indent_ + "xl_in_order();\n"; }

  /// Declares the chunk that an element lies in, if this part has not. Whether it was new.
  bool point_at(Element element);

  /// Loads an element under its name, or under another; with planes its whole cell.
  void load(Element element) { load_as(element, name(element)); }
  void load_as(Element element, const std::string& name);

  /// Adds a value to each of some sums. Those that are new begin with it.
  struct Addition {
    Element sum;
    std::string value;
  };
  void add(const std::vector<Addition>& additions);

  /// One more line, which is broken between words.
  void line(const std::string& head, const std::vector<std::string>& words);

  /// Stores the elements of a cell. Shape: as many values as planes, the first of them of `first`.
  void store(Element first, const std::vector<std::string>& values);

  std::string text() && { return std::move(text_); }

 private:
  /// "c5, 2".
  std::string cell(Element element) const;

  std::size_t rows_;
  const std::vector<std::size_t>& chunks_;
  std::size_t planes_;
  std::string indent_ = "  ";
  std::set<Element> begun_;
  std::set<Element> loaded_;  ///< cells, with planes
  std::set<std::size_t> pointed_;
  std::string text_;
};

}  // namespace xorloom
