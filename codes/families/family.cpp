#include "codes/families/family.hpp"

#include <algorithm>

namespace xorloom {

bool Family::has_key(std::string_view key) const {
  std::string_view rest = keys;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    if (name == key) return true;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return false;
}

}  // namespace xorloom
