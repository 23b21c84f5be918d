#pragma once

#include <set>
#include <string>
#include <string_view>

#include "codes/field/field.hpp"
#include "gen/source/language.hpp"
#include "gen/source/word_forms.hpp"
#include "gen/text/lines.hpp"

namespace xorloom {

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
