#include "runtime/gpu/build_log.hpp"

#include <algorithm>

#include "codes/text/error.hpp"

namespace xorloom {

std::string first_line(std::string_view log) {
  constexpr std::string_view kEnds("\r\n\0", 3);
  const std::size_t begin = std::min(log.find_first_not_of(" \t\r\n\v\f"), log.size());
  const std::string_view rest = log.substr(begin);
  const std::string_view line = rest.substr(0, rest.find_first_of(kEnds));
  return line.empty() ? "it does not say why" : excerpt(line);
}

}  // namespace xorloom
