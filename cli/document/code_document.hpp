#pragma once

#include <string>

#include "codes/code.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {

/// Describes a code in JSON: its layout, the losses that it survives and why, and the terms of each
/// redundant cell. A cell is location·subchunks + sub-chunk.
///
/// Precondition: `tolerance` is that of `promised_losses` losses.
std::string code_json(const Code& code, const Tolerance& tolerance);

}  // namespace xorloom::cli
