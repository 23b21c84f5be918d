#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace xorloom {

/// Bytes of a cache line of every processor that Xorloom makes machine code for.
inline constexpr std::size_t kLineBytes = 64;

/// Data caches of one core of a machine, in bytes; l3 is shared by all cores.
struct CacheSizes {
  std::size_t l1;
  std::size_t l2;
  std::size_t l3;
};

/// Most bytes of L3 that count for a core: a virtual machine of two cores is told of the whole
/// cache of its host, and has a part of it.
inline constexpr std::size_t kMaxL3BytesPerCore = std::size_t{64} << 20;

/// Cache sizes as the system tells them. If a level is unknown, or smaller than the level above, it
/// counts as 32 KiB, 1 MiB or 32 MiB, or as the level above if that is larger.
CacheSizes cache_sizes();

/// Cache sizes from numbers of sysconf; 0 or less: not known.
CacheSizes cache_sizes(long l1, long l2, long l3, std::size_t cores);

/// "48 KiB" or "2 MiB".
std::string cache_text(std::size_t bytes);

/// Fields of the first processor in /proc/cpuinfo, by name; empty if there is no such file.
std::map<std::string, std::string> processor_fields();

/// The processor as the system names it; "unknown" if it does not.
std::string processor_name();

}  // namespace xorloom
