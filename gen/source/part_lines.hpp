#pragma once

#include <string>

#include "equations/ir/program.hpp"
#include "gen/source/language.hpp"
#include "gen/source/source_parts.hpp"
#include "gen/source/word_forms.hpp"
#include "gen/text/lines.hpp"

namespace xorloom {

// The inside of the functions of a generated file: lines of gen/text/lines.hpp.
//
// On packets each equation stands alone:
//
//     const uint8_t *restrict c0 = chunks[0] + at;    one for each chunk it touches
//     const vec zero = {0};                           only if an equation has no operands
//     const vec A = kept[3], e2 = get(c0, 2);         temporaries of earlier parts, and elements,
//                                                     just before they are first read
//     const vec B = A ^ e2;                           an equation
//     kept[4] = B;                                    a temporary that later parts read
//     put(c5, 0, B ^ e3);                             an output
//
// On words equations that do not read one another are computed side by side: each element is loaded
// and multiplied into all of them before the next one. With tables, for one sub-chunk per chunk:
//
//     const tvec e0 = tget(c0);                        an element, where it is first read
//     tvec e4 = e0, e5 = tmul(e0, t8e);                the first terms of equations
//     e4 ^= tmul(e1, t02); e5 ^= e1;                   further ones
//     tput(c4, e4);                                    an output
//     tvec e6 = {0};                                   an equation without terms
//
// With more sub-chunks a cell is c0 + 2 * sub, and sub the bytes of a sub-chunk. The portable form
// has doublings in place of products: e0_3 is e0 doubled three times.
//
//     const vec e0_1 = twice(e0), e0_2 = twice(e0_1);
//     vec e4 = e0 ^ e0_2;                              5 times e0
//
// Where symbols are coordinates in a basis, get gives polynomials, which put takes back.

/// The words of lines on packets, or on words in a form.
LineWords line_words(const WordForm* form, const Language& language);

/// The lines of the function that computes a part.
std::string write_part(const Program& program, const SourcePart& part, const WordForm* form,
                       const Language& language);

}  // namespace xorloom
