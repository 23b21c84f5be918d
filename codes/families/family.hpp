#pragma once

#include <span>
#include <string_view>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Other software whose chunks hold the same bytes as those of codes of a family. It writes them in
/// the arrangement that the family has by default.
struct OtherSoftware {
  std::string_view name;  ///< "Jerasure"
  std::string_view
      technique;  ///< what it calls the codes, such as "cauchy_good"; "" for its only one
  /// Whether it has a code of the family. Null: it has all.
  bool (*has)(const Code& code) = nullptr;
  bool is_compared = true;  ///< tests compare every byte of its chunks
};

/// One family of codes: its builder, and what `xorloom codes` says about it.
///
/// The file of a family defines its record as `extern constexpr Family kName`, and the table in
/// codes/families/families.cpp lists it. Records are constants: nothing depends on the order in
/// which files are initialised.
struct Family {
  std::string_view name;
  std::string_view keys;        ///< every key a spec may give, in canonical order
  std::string_view constraint;  ///< the bounds, for people
  std::string_view summary;
  std::string_view source;
  std::string_view example;  ///< a small code of the family; tests run it
  /// The code of a spec. Its canonical spec is what it was built from, every default written out.
  Code (*build)(const Spec& spec);
  std::span<const OtherSoftware> same_bytes{};

  /// Whether specs of the family may give a key.
  bool has_key(std::string_view key) const;
};

// What the records of other software ask of a code.

/// Whether its field is the one that its w has by default.
bool has_usual_field(const Code& code);

/// Whether that holds, and words have the 8, 16 or 32 bits of Jerasure.
bool has_words_of_jerasure(const Code& code);

/// Whether the first holds, and symbols have 2 to 11 or 16 bits: Jerasure is compared with those.
bool has_packets_of_jerasure(const Code& code);

}  // namespace xorloom
