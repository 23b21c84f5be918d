#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/source/language.hpp"
#include "gen/source/word_forms.hpp"
#include "gen/text/lines.hpp"

namespace xorloom {

/// A temporary that one part of a program leaves to later ones, in a slot of a buffer.
struct KeptValue {
  Element element;
  std::uint32_t slot;
  friend bool operator==(const KeptValue&, const KeptValue&) = default;
};

/// Equations first … last - 1 of a program, which one function of a generated file computes, and
/// the values that it exchanges with memory and with other parts.
struct SourcePart {
  std::size_t first;
  std::size_t last;
  std::vector<Element> loaded;   ///< cells it reads: inputs, and outputs of earlier parts
  std::vector<Element> stored;   ///< outputs it assigns
  std::vector<KeptValue> taken;  ///< temporaries of earlier parts that it reads
  std::vector<KeptValue> kept;   ///< its temporaries that later parts read

  bool touches_chunks() const { return !loaded.empty() || !stored.empty(); }
  bool touches_kept() const { return !taken.empty() || !kept.empty(); }
};

struct SourceParts {
  std::vector<SourcePart> parts;
  std::size_t slots = 0;
};

/// Cuts a program into parts of at most `most_operands` operands, or of one equation: compilers
/// take more than twice the time for a function of twice the size. Slots are used again once their
/// value is dead.
SourceParts split_into_parts(const Program& program, std::size_t most_operands);

// The bodies of the functions of a generated file: lines of gen/text/lines.hpp. On packets each
// equation stands alone. Temporaries of earlier parts and cells are declared just before they are
// first read, and a sum that no other equation reads is stored at once:
//
//     const vec A = kept[3], e2 = get(c0, 2);
//     const vec B = A ^ e2;
//     kept[4] = B;
//     put(c5, 0, B ^ e3);
//
// On words equations that do not read one another are computed side by side: each element is loaded
// and multiplied into all of them before the next one. The portable form has doublings in place of
// products: e0_3 is e0 doubled three times. With tables, and then in the portable form:
//
//     const tvec e0 = tget(c0);
//     tvec e4 = e0, e5 = tmul(e0, t05);
//
//     const vec e0_1 = twice(e0), e0_2 = twice(e0_1);
//     vec e4 = e0, e5 = e0 ^ e0_2;
//
// If symbols are coordinates in a basis, get returns polynomials, and put converts them back.

/// The words of lines on packets, or on words in a form.
LineWords line_words(const WordForm* form, const Language& language);

/// The lines of the function that computes a part.
std::string write_part(const Program& program, const SourcePart& part, const WordForm* form,
                       const Language& language);

}  // namespace xorloom
