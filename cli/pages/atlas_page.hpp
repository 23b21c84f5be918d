#pragma once

#include <string>

#include "cli/document/document.hpp"
#include "runtime/atlas/atlas.hpp"

namespace xorloom::cli {

/// Describes an atlas and the costs of its programs: adds its parts to `document`, and a record to
/// `atlases` of its data.
///
/// Returns: what is damaged, a sentence that names the atlas; "" if it is whole.
std::string add_atlas(Document& document, const Atlas& atlas);

/// "fast, seed 1", "max, 1000000 tries, seed 1".
std::string effort_text(const AtlasSubject& subject);

}  // namespace xorloom::cli
