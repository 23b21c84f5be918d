#pragma once

#include <string>

#include "equations/ir/program.hpp"
#include "gen/source/source_parts.hpp"

namespace xorloom {

// The inside of a function on packets in a generated file: these lines, the same in C and C++ but
// for the word for a restrict pointer.
//
//     const uint8_t *restrict c0 = chunks[0] + at;    one for each chunk it touches
//     const vec zero = {0};                           only if an equation has no operands
//     const vec A = kept[3], e2 = get(c0, 2);         temporaries of earlier parts, and elements,
//                                                     just before they are first read
//     const vec B = A ^ e2;                           an equation
//     kept[4] = B;                                    a temporary that later parts read
//     put(c5, 0, B ^ e3);                             an output

/// "e17" for a cell, "A" for a temporary.
std::string value_name(const Program& program, Element element);

/// The first lines, which point into the chunks that a part touches.
std::string write_pointers(const Program& program, const SourcePart& part,
                           const std::string& restrict_word);

/// The lines of the function that computes a part.
std::string write_part(const Program& program, const SourcePart& part,
                       const std::string& restrict_word);

}  // namespace xorloom
