#include "cli/shell/system_description.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "cli/shell/options.hpp"

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

SystemDescription describe_system() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  const std::size_t memory = pages > 0 && page_bytes > 0 ? static_cast<std::size_t>(pages) *
                                                               static_cast<std::size_t>(page_bytes)
                                                         : std::size_t{1} << 30;
  return {cpu_name(), machine_threads(), memory, cache_sizes(), compiler()};
}

std::string cache_text(std::size_t bytes) {
  const std::size_t mebibytes = bytes >> 20;
  return mebibytes << 20 == bytes ? fmt::format("{} MiB", mebibytes)
                                  : fmt::format("{} KiB", bytes >> 10);
}

}  // namespace xorloom::cli
