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
/// Constants represent coefficients. The portable form has none: it doubles symbols, and a product
/// is the sum of the doublings that the coefficient's bits select.
struct WordForm {
  enum class Constants { kDoublings, kTables, kMatrices };

  int number;            ///< the value of XL_FORM that selects it
  const char* suffix;    ///< suffix of its functions
  const char* macro;     ///< begins its functions if compilers have them; empty if all do
  const char* features;  ///< processor features, as compilers name them
  LineWords words;       ///< with `product`, or in the portable form with `twice`
  Constants constants;
  char constant_prefix;
  std::size_t vector_bytes;  ///< widest vectors, in bytes

  bool is_portable() const { return constants == Constants::kDoublings; }
  /// Start of its functions.
  std::string target() const { return is_portable() ? "" : std::string(macro) + " "; }
};

/// The forms, best last. Each needs a processor that has what the ones before it need.
extern const std::array<WordForm, 3> kWordForms;

/// Defines the type vec: vectors as wide as the target has them, at most `widest` bytes. If symbols
/// have an order of bytes, there are vectors for one byte order alone.
std::string define_vec(std::size_t widest, bool has_order);

/// Defines the type of vectors of a form, and its get, put and multiply for symbols of a field.
///
/// get may put the bytes of symbols into another order, which put takes back: see below. If the
/// field has a basis, get and put of the portable form convert symbols to polynomials and back.
/// vector_bytes: width of the widest vectors of the portable form. That form has no multiply unless
/// the file multiplies: compilers warn of functions that nothing calls.
std::string define_form(const WordForm& form, const Field& field, const Language& language,
                        std::size_t vector_bytes, bool multiplies);

/// Defines the function best_form, which asks the processor once.
std::string define_choice(const Language& language);

// Constants of a generated file by which a form multiplies: arrays, one per coefficient, made of
// the maps of codes/field/byte_maps.hpp. Let a symbol have U bytes (for w = 4, two symbols have
// one). A vector holds bytes of U kinds: byte o of symbols, apart for each o. A product adds U
// turns of the vector: turn r has byte (o + r) % U in the place of byte o. So the order of the maps
// is
//
//     tables     turn r, half of the byte, kind o: 16 products, uint8_t
//     matrices   turn r, kind o: a matrix of bits as gf2p8affineqb takes it, uint64_t

/// Name of a constant: "t8e", "m8e" in GF(2^8).
std::string constant_name(const WordForm& form, const Field& field, Field::Symbol coefficient);

/// Definitions of the constants of `coefficients`.
std::string write_constants(const WordForm& form, const Field& field,
                            const std::set<Field::Symbol>& coefficients, const Language& language);

/// Reads definitions back. Returns by name the coefficient that it multiplies by: it is taken from
/// the name and compared with every entry of the array, by shift and add.
///
/// Errors: throws kInternal for an entry that is not that product, and for text of any other form.
LineConstants read_constants(const WordForm& form, const Field& field, std::string_view text);

}  // namespace xorloom
