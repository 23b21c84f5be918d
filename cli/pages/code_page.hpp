#pragma once

#include <string>

#include "cli/document/code_document.hpp"
#include "codes/code.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {

/// Counts what `code` costs; on packets of few XORs, with a quick search.
CodeCosts costs_of(const Code& code);

/// Describes a code in text of at most 80 columns: its layout, the losses that it survives and why,
/// its costs, and the terms of each redundant cell.
///
/// Precondition: `tolerance` is that of `promised_losses` losses.
std::string code_page(const Code& code, const Tolerance& tolerance);

}  // namespace xorloom::cli
