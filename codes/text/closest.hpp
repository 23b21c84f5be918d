#pragma once

#include <span>
#include <string>
#include <string_view>

namespace xorloom {

/// Edit distance: the fewest letters to insert, delete, replace or exchange with a neighbour to
/// turn one word into the other.
///
/// Source: optimal string alignment, after F. Damerau, A technique for computer detection and
/// correction of spelling errors, 1964.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns "; did you mean 'encode'?" for the known word nearest to `word`, at an edit distance of
/// at most a third of the longer word. If none is so near: for the only known word that begins with
/// `word` and is at most twice as long. Else empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace xorloom
