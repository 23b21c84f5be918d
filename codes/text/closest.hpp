#pragma once

#include <span>
#include <string>
#include <string_view>

namespace xorloom {

/// How many letters have to be added, taken away, replaced or exchanged with a neighbour to make
/// one word of another.
///
/// Source: optimal string alignment, after F. Damerau, A technique for computer detection and
/// correction of spelling errors, 1964.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'encode'?", of the known word that is nearest to another. None is near if more
/// than a third of its letters are wrong; then it is the only known word of which the other one is
/// the first half or more, or the text is empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace xorloom
