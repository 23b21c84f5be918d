#include "codes/families/family.hpp"

#include <algorithm>

namespace xorloom {

bool Family::has_key(std::string_view key) const {
  std::string_view rest = keys;
  while (!rest.empty()) {
    const std::string_view known = rest.substr(0, rest.find(' '));
    if (known == key) return true;
    rest.remove_prefix(std::min(rest.size(), known.size() + 1));
  }
  return false;
}

}  // namespace xorloom
