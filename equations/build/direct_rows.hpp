#pragma once

#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// The equations of a program that read inputs alone, as a matrix over these, and the others.
struct DirectRows {
  std::vector<Element> targets;  ///< of each row of the matrix
  BitMatrix matrix;              ///< columns are the program's inputs
  std::vector<Equation> others;
};

DirectRows direct_rows(const Program& program);

}  // namespace xorloom
