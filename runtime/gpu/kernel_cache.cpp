#include "runtime/gpu/kernel_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/cached_files.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::string_view, 1> kEnds = {".kernel"};
constexpr std::size_t kFolders = 16;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 24;

// A file: the magic, a checksum of all that follows it, the bytes of the key, the key, the kernel.
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'K', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kChecksumAt = 8;
constexpr std::size_t kKeyBytesAt = 16;
constexpr std::size_t kKeyAt = 24;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The key of a compiled kernel: all that it depends on, with its whole text.
std::string key_of(const Device& device, const KernelText& text) {
  return fmt::format("{}\n{}\n{}\n{}", device.driver(), device.name(), text.entry, text.source);
}

/// The file of `key`. "": there is none, or no cache directory.
fs::path path_of(const std::string& key, KernelFiles files) {
  const fs::path directory = files == KernelFiles::kUsers ? user_cache_directory() : fs::path();
  if (directory.empty()) return {};
  const std::string name = fmt::format("{:016x}{}", checksum(bytes_of(key)), kEnds[0]);
  return directory / "kernels" / name.substr(0, 1) / name;
}

/// The kernel in the file `path`, if that is a file of `key`; else empty.
Bytes kept_kernel(const fs::path& path, const std::string& key) {
  if (path.empty()) return {};
  const Bytes bytes = cached_bytes(path, kMostFileBytes);
  if (bytes.size() < kKeyAt || !std::ranges::equal(std::span(bytes).first(8), kMagic)) return {};
  const auto rest = std::span(bytes).subspan(kKeyBytesAt);
  if (get<std::uint64_t>(&bytes[kChecksumAt]) != checksum(rest)) return {};
  const auto key_and_kernel = std::span(bytes).subspan(kKeyAt);
  if (get<std::uint64_t>(&bytes[kKeyBytesAt]) != key.size() || key_and_kernel.size() < key.size() ||
      !std::ranges::equal(key_and_kernel.first(key.size()), bytes_of(key))) {
    return {};
  }
  const auto kernel = key_and_kernel.subspan(key.size());
  return {kernel.begin(), kernel.end()};
}

void keep(const fs::path& path, const std::string& key, const Bytes& kernel) noexcept try {
  if (path.empty()) return;
  Bytes bytes(kKeyAt);
  std::ranges::copy(kMagic, bytes.begin());
  put(&bytes[kKeyBytesAt], static_cast<std::uint64_t>(key.size()));
  std::ranges::copy(bytes_of(key), std::back_inserter(bytes));
  std::ranges::copy(kernel, std::back_inserter(bytes));
  put(&bytes[kChecksumAt], checksum(std::span(bytes).subspan(kKeyBytesAt)));
  if (bytes.size() > kMostFileBytes) return;
  keep_cached(path, bytes, kEnds, kMostKernelBytes / kFolders);
} catch (...) {  // not kept: the kernel is compiled again the next time
  return;
}

std::shared_ptr<const DeviceKernel> load_or_compile(const Device& device, const KernelText& text,
                                                    const std::string& key, KernelFiles files) {
  const fs::path path = path_of(key, files);
  if (const Bytes kept = kept_kernel(path, key); !kept.empty()) {
    try {
      return device.load(kept, text.entry);
    } catch (const Error&) {
      if (device.is_lost()) throw;
    }
  }
  auto kernel = device.compile(text.source, text.entry);
  if (const Bytes binary = device.binary_of(*kernel); !binary.empty()) keep(path, key, binary);
  return kernel;
}

/// Kernels in use, by device and key.
struct InUse {
  std::mutex mutex;
  std::map<std::pair<const Device*, std::string>, std::weak_ptr<const DeviceKernel>> kernels;
};

InUse& in_use() {
  static InUse* const kept = new InUse;  // never destroyed: plans may live as long as the process
  return *kept;
}

}  // namespace

std::shared_ptr<const DeviceKernel> loaded_kernel(const std::shared_ptr<const Device>& device,
                                                  const KernelText& text, KernelFiles files) {
  const std::string key = key_of(*device, text);
  InUse& kept = in_use();
  {
    const std::lock_guard lock(kept.mutex);
    const auto found = kept.kernels.find({device.get(), key});
    if (found != kept.kernels.end()) {
      if (auto kernel = found->second.lock()) return kernel;
    }
  }
  // Outside of the lock, so that other texts are compiled meanwhile.
  auto kernel = load_or_compile(*device, text, key, files);
  const std::lock_guard lock(kept.mutex);
  std::erase_if(kept.kernels, [](const auto& entry) { return entry.second.expired(); });
  kept.kernels[{device.get(), key}] = kernel;
  return kernel;
}

}  // namespace xorloom
