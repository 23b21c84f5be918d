#include "runtime/gpu/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {

Device::Device(std::string name, std::string driver, KernelLanguage language)
    : name_(std::move(name)), driver_(std::move(driver)), language_(language), process_(getpid()) {}

bool Device::is_lost() const { return is_lost_ || getpid() != process_; }

std::string first_line(std::string_view log) {
  constexpr std::string_view kEnds("\r\n\0", 3);
  const std::size_t begin = std::min(log.find_first_not_of(" \t\r\n\v\f"), log.size());
  const std::string_view rest = log.substr(begin);
  const std::string_view line = rest.substr(0, rest.find_first_of(kEnds));
  return line.empty() ? "it does not say why" : excerpt(line);
}

}  // namespace xorloom
