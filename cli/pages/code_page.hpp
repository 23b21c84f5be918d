#pragma once

#include <string>

#include "codes/code.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {

/// What there is to say about one code: its layout, what it survives and why, what it costs, and
/// which cells each redundant cell is the sum of. At most 80 columns wide.
///
/// Shape: the tolerance is that of the losses promised.
std::string code_page(const Code& code, const Tolerance& tolerance);

/// The same as data, without what it costs. Cells are numbered location·subchunks + sub-chunk.
std::string code_json(const Code& code, const Tolerance& tolerance);

/// The spec, or the name of a code that has a file for one, which may be very long.
std::string short_spec(const Code& code);

}  // namespace xorloom::cli
