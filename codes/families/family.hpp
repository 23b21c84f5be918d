#pragma once

#include <string_view>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

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

  /// Whether specs of the family may give a key.
  bool has_key(std::string_view key) const;
};

}  // namespace xorloom
