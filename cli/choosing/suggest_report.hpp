#pragma once

#include "cli/choosing/suggest.hpp"
#include "cli/document/document.hpp"

namespace xorloom::cli {

/// Data of the document: {"format": "xorloom-suggestions", "version": 3, …}.
Json suggestions_json(const Suggestions& suggestions);

/// Recommendations, charts, and a table of all codes.
Document suggestions_document(const Suggestions& suggestions);

}  // namespace xorloom::cli
