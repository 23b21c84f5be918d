#pragma once

#include <string>

#include "equations/ir/program.hpp"
#include "gen/source/source_parts.hpp"
#include "gen/source/word_forms.hpp"

namespace xorloom {

// The inside of a function on words, for one form. Equations that do not read one another are
// computed side by side: each element is loaded and multiplied into all of them before the next
// one. With tables, for one sub-chunk per chunk:
//
//     const uint8_t *restrict c0 = chunks[0] + at;     one for each chunk it touches
//     const tvec e0 = tget(c0);                        an element, where it is first read
//     const tvec A = kept[3];                          a temporary of an earlier part
//     tvec e4 = e0, e5 = tmul(e0, t8e);                the first terms of equations
//     e4 ^= tmul(e1, t02); e5 ^= e1;                   further ones
//     tput(c4, e4);                                    an output
//     kept[4] = B;                                     a temporary that later parts read
//     tvec e6 = {0};                                   an equation without terms
//
// With more sub-chunks a cell is c0 + 2 * sub, and sub the bytes of a sub-chunk. The portable form
// has doublings in place of products: e0_3 is e0 doubled three times.
//
//     const vec e0_1 = twice(e0), e0_2 = twice(e0_1);
//     vec e4 = e0 ^ e0_2;                              5 times e0
//
// Where symbols are coordinates in a basis, get gives polynomials, which put takes back.

/// The lines of the function that computes a part.
std::string write_word_part(const Program& program, const SourcePart& part, const WordForm& form,
                            const std::string& restrict_word);

}  // namespace xorloom
