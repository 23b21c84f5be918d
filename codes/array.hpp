#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

// What array codes share: bits in k columns of data and two or more of redundancy, the cells of a
// column being the packets of a location.

bool is_prime(std::size_t number);

/// The smallest prime that is not below.
std::size_t prime_from(std::size_t lowest);

/// Throws kInvalidArgument unless a prime is one, with the key it was given by.
void check_prime(const char* key, std::size_t number);

/// The prime that a spec gives by a key, or if it does not the smallest that is above 2 and not below.
///
/// Errors: throws kInvalidArgument, naming the key, unless it is a prime above 2 and at most
///         kMaxArrayRows.
std::size_t read_prime(const Spec& spec, const char* key, std::size_t lowest);

/// The most rows, and the most locations of data, that a spec may name.
inline constexpr std::size_t kMaxArrayRows = 4096;

/// Of what the second redundant location is the sum.
enum class Spread { kData, kDataAndFirstRedundant };

/// The code of two redundant locations on w rows: row l of the first is the sum of all rows l, row l
/// of the second the sum over the locations j before it, the first redundant one (j = k) only if said
/// so, of the rows that `rows_of(j, l)` names.
///
/// Errors: throws kUnsupported if it takes more than kMaxDirectXors.
Code double_parity_code(
    std::string family, std::size_t k, std::size_t w,
    const std::function<std::vector<std::size_t>(std::size_t j, std::size_t l)>& rows_of,
    Spread spread = Spread::kData);

}  // namespace xorloom
