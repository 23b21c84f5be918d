#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

/// Words after a head, with a blank between any two, in lines of at most 80 columns if words are
/// short enough. Lines after the first begin with the indent. Ends without a newline.
std::string wrap(std::string_view head, const std::vector<std::string>& words,
                 std::string_view indent);

/// wrap() with the words of a text.
std::string wrap_text(std::string_view head, std::string_view text, std::string_view indent);

/// Words of a list: each item but the last is followed by `between`, the last one by `end`.
std::vector<std::string> list_words(std::vector<std::string> items, std::string_view between,
                                    std::string_view end);

/// Items of an array in lines of `per_line`, each indented: "    1, 2,", "    3". Ends without a
/// newline.
std::string array_lines(const std::vector<std::string>& items, std::size_t per_line);

}  // namespace xorloom
