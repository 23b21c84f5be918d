#include "cli/shell/system_description.hpp"

#include <unistd.h>

#include "cli/shell/options.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {
namespace {

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
  return {processor_name(), machine_threads(), memory, cache_sizes(), compiler()};
}

}  // namespace xorloom::cli
