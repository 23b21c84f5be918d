#include "codes/families/family.hpp"

#include <algorithm>
#include <vector>

#include "codes/text/split.hpp"

namespace xorloom {

bool Family::has_key(std::string_view key) const {
  const std::vector<std::string_view> known = split(keys, ' ');
  return std::ranges::find(known, key) != known.end();
}

}  // namespace xorloom
