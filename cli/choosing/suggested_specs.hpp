#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/families.hpp"

namespace xorloom::cli {

/// Specs of `family` with `k` and `m`, by w and arrangement; make_code may refuse some. Empty if
/// the family needs parameters besides k, m and w.
std::vector<std::string> specs_of_size(const Family& family, std::size_t k, std::size_t m);

/// Specs with `k` data chunks and about `m` redundant ones that trade storage, survived losses or
/// speed for fewer repair reads: `lrc`, `shec`, `clay`, `zigzag`, `hover` and `hamming`. make_code
/// may refuse some.
std::vector<std::string> other_specs(std::size_t k, std::size_t m);

}  // namespace xorloom::cli
