#include "codes/families/family.hpp"

#include <algorithm>
#include <vector>

#include "codes/text/split.hpp"

namespace xorloom {

bool Family::has_key(std::string_view key) const {
  const std::vector<std::string_view> known = split(keys, ' ');
  return std::ranges::find(known, key) != known.end();
}

bool has_usual_field(const Code& code) {
  return code.field.polynomial() == Field(code.field.w()).polynomial();
}

bool has_words_of_jerasure(const Code& code) {
  return (code.w == 8 || code.w == 16 || code.w == 32) && has_usual_field(code);
}

bool has_packets_of_jerasure(const Code& code) {
  return ((code.w >= 2 && code.w <= 11) || code.w == 16) && has_usual_field(code);
}

}  // namespace xorloom
