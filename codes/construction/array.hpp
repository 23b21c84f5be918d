#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

// What array codes share. They have bits in k columns of data and two or more columns of
// redundancy. The cells of a column are the packets of a location.

bool is_prime(std::size_t number);

/// The smallest prime that is at least `lowest`.
std::size_t prime_from(std::size_t lowest);

/// Throws kInvalidArgument, naming the key, unless the number is a prime.
void check_prime(const char* key, std::size_t number);

/// The prime that a spec gives by a key. Default: the smallest prime above 2 that is at least
/// `lowest`.
///
/// Errors: throws kInvalidArgument, naming the key, unless it is a prime above 2 and at most
///         kMaxArrayRows.
std::size_t read_prime(const Spec& spec, const char* key, std::size_t lowest);

/// The most rows, and the most locations of data, that a spec may name.
inline constexpr std::size_t kMaxArrayRows = 4096;

/// What the second redundant location sums.
enum class Spread { kData, kDataAndFirstRedundant };

/// The code of two redundant locations on w rows. Row l of the first is the sum of all rows l. Row
/// l of the second sums the rows that `rows_of(j, l)` names over the data locations j. `spread`
/// says whether the first redundant location (j = k) takes part.
///
/// Errors: throws kUnsupported if the code takes more than kMaxDirectXors.
Code double_parity_code(
    std::string family, std::size_t k, std::size_t w,
    const std::function<std::vector<std::size_t>(std::size_t j, std::size_t l)>& rows_of,
    Spread spread = Spread::kData);

}  // namespace xorloom
