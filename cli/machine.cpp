#include "cli/machine.hpp"

#include <unistd.h>

#include <fstream>

#include "cli/options.hpp"

namespace xorloom::cli {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace

Machine this_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  const std::size_t memory = pages > 0 && page_bytes > 0 ? static_cast<std::size_t>(pages) *
                                                               static_cast<std::size_t>(page_bytes)
                                                         : std::size_t{1} << 30;
  return {cpu_name(), machine_threads(), memory, cache_sizes(), compiler()};
}

}  // namespace xorloom::cli
