#pragma once

#include <cstddef>
#include <string>

#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// The machine and the compiler of a benchmark.
struct SystemDescription {
  std::string cpu;  ///< name of the processor; "unknown" if the system has none
  std::size_t threads;
  std::size_t memory_bytes;
  CacheSizes caches;
  std::string compiler;  ///< compiler that built the program
};

SystemDescription describe_system();

}  // namespace xorloom::cli
