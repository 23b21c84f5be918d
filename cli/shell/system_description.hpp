#pragma once

#include <cstddef>
#include <string>

#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// What a benchmark ran on.
struct SystemDescription {
  std::string cpu;  ///< as the system names it; "unknown" if it does not
  std::size_t threads;
  std::size_t memory_bytes;
  CacheSizes caches;
  std::string compiler;  ///< what built the program
};

SystemDescription describe_system();

}  // namespace xorloom::cli
