#pragma once

#include <cstddef>
#include <string>

#include "runtime/atlas/atlas.hpp"

namespace xorloom::cli {

struct AtlasPage {
  std::string text;
  std::size_t damaged_patterns;  ///< patterns whose `equations` record is damaged
};

/// Describes an atlas and the costs of its programs. `damaged`: number of its damaged records.
AtlasPage atlas_page(const Atlas& atlas, std::size_t damaged);

/// "fast, seed 1", "max, 1000000 steps, seed 1".
std::string effort_text(const AtlasSubject& subject);

}  // namespace xorloom::cli
