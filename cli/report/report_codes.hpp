#pragma once

#include <map>
#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// A code from a file.
struct CodeName {
  std::string shown;  ///< the file name, and its note if it has one
  std::string words;  ///< argument that names the code on a command line of report
};

/// Names of codes from files, by spec.
using CodeNames = std::map<std::string, CodeName>;

/// The code of a SPEC, or of a file with a 0/1 matrix. Each column of the matrix is a data chunk of
/// one packet, each row a redundant one. Adds the name of a code from a file to `names`.
///
/// Errors: as make_code; throws kParse, naming the file, if the file is not a matrix.
Code reported_code(const std::string& spec, const Options& options, CodeNames& names);

/// Derives a code from equations that name none: inputs become data, outputs redundancy. Adds its
/// name, made of `path`, to `names`.
///
/// Errors: throws kInvalidArgument unless `program` is over bits, has one row, and numbers its
///         inputs and then its outputs 0, 1, 2, …
Code code_of_layout(const Program& program, const std::string& path, CodeNames& names);

}  // namespace xorloom::cli
