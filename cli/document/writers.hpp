#pragma once

#include <string>

#include "cli/document/document.hpp"

namespace xorloom::cli {

/// The document as text of 80 columns. Wider tables continue below, a few columns at a time.
std::string text_of(const Document& document);

/// The data of the document, with the sentences of its verdict and cautions.
std::string json_of(const Document& document);

/// The document as a self-contained HTML page without scripts.
std::string html_of(const Document& document);

/// All pictures outside folds, one below the other.
///
/// Errors: throws kUnsupported if there are no such pictures.
std::string svg_of(const Document& document);

/// The document in `format`: json, html or svg; any other word, such as table, means text.
std::string written(const Document& document, const std::string& format);

}  // namespace xorloom::cli
