#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "codes/field/field.hpp"
#include "gen/source/language.hpp"
#include "gen/text/lines.hpp"

namespace xorloom {

/// A way to multiply vectors of symbols, and the names that its functions have in a file. A vector
/// is one register; XOR adds two of them.
///
/// Constants are what a coefficient is multiplied by. The portable form has none: it doubles
/// symbols, and a product is the sum of those doublings that the coefficient's bits name.
struct WordForm {
  enum class Constants { kDoublings, kTables, kMatrices };

  int number;            ///< the value of XL_FORM that selects it
  const char* suffix;    ///< of its functions
  const char* macro;     ///< begins its functions where compilers have them; empty if all do
  const char* features;  ///< of the processor, as compilers name them
  LineWords words;       ///< with one that multiplies by a constant, or for none by 2
  Constants constants;
  char constant_prefix;
  std::size_t vector_bytes;  ///< the most

  bool is_portable() const { return constants == Constants::kDoublings; }
  /// What its functions begin with.
  std::string target() const { return is_portable() ? "" : std::string(macro) + " "; }
};

/// The forms, best last. Each needs a processor that has what the ones before it need.
extern const std::array<WordForm, 3> kWordForms;

/// The type vec, of vectors as wide as the target has them, up to a number of bytes. Where symbols
/// have an order of bytes, there are vectors for one order alone.
std::string define_vec(std::size_t widest, bool has_order);

/// The type of vectors of a form, and its get, put and multiply for symbols of a field.
///
/// get may put the bytes of symbols into another order, which put takes back: see below. If the
/// field has a basis, get and put of the portable form convert symbols to polynomials and back.
/// vector_bytes is what the widest vectors of the portable form have. That has no multiply unless
/// the file multiplies: compilers warn of functions that nothing calls.
std::string define_form(const WordForm& form, const Field& field, const Language& language,
                        std::size_t vector_bytes, bool multiplies);

/// The function best_form, which asks the processor once.
std::string define_choice(const Language& language);

// The constants of a generated file by which a form multiplies: arrays, one per coefficient, made
// of the maps of codes/field/byte_maps.hpp. Let a symbol have U bytes, or for w = 4 two symbols
// one. A vector holds bytes of U kinds: byte o of symbols, apart for each o. A product adds U turns
// of the vector: in turn r stands byte (o + r) % U where byte o stood. So the maps are in the order
// of
//
//     tables     turn r, half of the byte, kind o: 16 products, uint8_t
//     matrices   turn r, kind o: a matrix of bits as gf2p8affineqb takes it, uint64_t

/// "t8e", "m8e" in GF(2^8).
std::string constant_name(const WordForm& form, const Field& field, Field::Symbol coefficient);

/// The definitions of the constants of these coefficients.
std::string write_constants(const WordForm& form, const Field& field,
                            const std::set<Field::Symbol>& coefficients, const Language& language);

/// Reads definitions back: what each name multiplies by, which is found in the name and compared
/// with every entry of the array, by shift and add.
///
/// Errors: throws kInternal for an entry that is not that product, and for text of any other form.
LineConstants read_constants(const WordForm& form, const Field& field, std::string_view text);

}  // namespace xorloom
