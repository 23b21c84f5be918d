#pragma once

#include <string>

#include "cli/document/document.hpp"

namespace xorloom::cli {

/// Text in 80 columns. Tables that are wider go on below, a few columns at a time.
std::string text_of(const Document& document);

/// The data, with the verdict, the cautions and what was left out as sentences.
std::string json_of(const Document& document);

/// A page that loads nothing and runs nothing.
std::string html_of(const Document& document);

/// All pictures that are no part of a fold, each below the one before.
///
/// Errors: throws kUnsupported if there is none.
std::string svg_of(const Document& document);

/// The document in a format: table or text, json, html, svg.
std::string written(const Document& document, const std::string& format);

}  // namespace xorloom::cli
