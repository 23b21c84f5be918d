#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/family.hpp"

namespace xorloom::cli {

/// The specs of a family that k and m allow, others left to make_code to refuse. None of a family
/// that has to be told more than k, m and w.
std::vector<std::string> specs_of_size(const Family& family, std::size_t k, std::size_t m);

/// Codes of k data chunks and about as many redundant ones that trade something for reads of a
/// repair: `lrc`, `shec`, `clay`, `zigzag`, `hover` and `hamming`. make_code may refuse some.
std::vector<std::string> other_specs(std::size_t k, std::size_t m);

}  // namespace xorloom::cli
