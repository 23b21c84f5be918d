#pragma once

#include <string>

#include "cli/choosing/suggest.hpp"

namespace xorloom::cli {

/// In 80 columns.
std::string suggestions_table(const Suggestions& suggestions);

/// Version 3 of its form.
std::string suggestions_json(const Suggestions& suggestions);

/// The charts of suggestion_charts, each below the one before.
std::string suggestions_svg(const Suggestions& suggestions);

/// A page: what to take, the charts, and a table.
std::string suggestions_html(const Suggestions& suggestions);

}  // namespace xorloom::cli
