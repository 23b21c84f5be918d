#include "runtime/machine/cache_sizes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <new>

namespace xorloom {
namespace {

constexpr std::size_t kUsualL1 = std::size_t{32} << 10;
constexpr std::size_t kUsualL2 = std::size_t{1} << 20;
constexpr std::size_t kUsualL3 = std::size_t{32} << 20;

std::size_t size_of(long told, std::size_t usual, std::size_t above) {
  const std::size_t size = told > 0 ? static_cast<std::size_t>(told) : 0;
  return size >= above && size != 0 ? size : std::max(usual, above);
}

#if defined(_SC_LEVEL1_DCACHE_SIZE)
constexpr int kLevels[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
long told_of(int level) { return ::sysconf(kLevels[level]); }
#else
long told_of(int) { return 0; }
#endif

}  // namespace

CacheSizes cache_sizes(long l1, long l2, long l3, std::size_t cores) {
  CacheSizes sizes{};
  sizes.l1 = size_of(l1, kUsualL1, 0);
  sizes.l2 = size_of(l2, kUsualL2, sizes.l1);
  sizes.l3 = size_of(l3, kUsualL3, sizes.l2);
  sizes.l3 = std::max(sizes.l2, std::min(sizes.l3, cores * kMaxL3BytesPerCore));
  return sizes;
}

CacheSizes cache_sizes() {
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  return cache_sizes(told_of(0), told_of(1), told_of(2),
                     cores > 0 ? static_cast<std::size_t>(cores) : 1);
}

std::string cache_text(std::size_t bytes) {
  const std::size_t mebibytes = bytes >> 20;
  return mebibytes << 20 == bytes ? fmt::format("{} MiB", mebibytes)
                                  : fmt::format("{} KiB", bytes >> 10);
}

std::map<std::string, std::string> processor_fields() {
  errno = 0;
  std::ifstream file("/proc/cpuinfo");
  if (!file.is_open() && errno == ENOMEM) throw std::bad_alloc();
  file.exceptions(std::ios::badbit);  // lack of memory is no end of the file
  std::map<std::string, std::string> fields;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t end = line.find_last_not_of(" \t", colon - 1);
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    fields[line.substr(0, end + 1)] = value == std::string::npos ? "" : line.substr(value);
  }
  return fields;
}

std::string processor_name() {
  const std::map<std::string, std::string> fields = processor_fields();
  const auto name = fields.find("model name");
  return name == fields.end() ? "unknown" : name->second;
}

}  // namespace xorloom
