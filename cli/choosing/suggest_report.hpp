#pragma once

#include "cli/choosing/suggest.hpp"
#include "cli/document/document.hpp"

namespace xorloom::cli {

/// The data of the document, {"format": "xorloom-suggestions", "version": 3, …}.
Json suggestions_json(const Suggestions& suggestions);

/// What to take, the charts, and a table of all codes.
Document suggestions_document(const Suggestions& suggestions);

}  // namespace xorloom::cli
