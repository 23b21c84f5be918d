#pragma once

#include <map>
#include <string>

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// How people call codes whose specs are long, by spec: a file and its note.
using CodeNames = std::map<std::string, std::string>;

/// The code of a SPEC, or of the file of a 0/1 matrix: its columns are data, its rows redundancy,
/// a packet each. Adds the name of a code from a file.
///
/// Errors: those of make_code; throws kParse, naming the file, if it is no matrix.
Code reported_code(const std::string& spec, const Options& options, CodeNames& names);

/// The code of equations that name none: their inputs are data, their outputs redundancy.
///
/// Errors: throws kInvalidArgument if they are not over bits, or have other numbers than 0, 1, …
///         for inputs and then outputs.
Code code_of_layout(const Program& program, const std::string& path, CodeNames& names);

}  // namespace xorloom::cli
