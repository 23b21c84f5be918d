#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "gen/gpu/kernel_text.hpp"
#include "runtime/gpu/device.hpp"

namespace xorloom {

/// Most bytes of files of compiled kernels in the user's cache directory; the oldest are deleted.
inline constexpr std::size_t kMostKernelBytes = std::size_t{64} << 20;

/// Files that keep compiled kernels for later processes.
enum class KernelFiles {
  kNotKept,
  kUsers,  ///< in the folder `kernels` of the user's cache directory, which processes share
};

/// The kernel of `text`, loaded on `device`. It is one that this process has loaded before and
/// still uses, or one of `files`. Else it is compiled now, and kept in `files`. The key is the
/// text, the name of the device and its driver. A file that is damaged, or that the device does not
/// load, is replaced. A directory that cannot be written is ignored.
///
/// Errors: throws kUnsupported if the device cannot compile or load the text.
std::shared_ptr<const DeviceKernel> loaded_kernel(const std::shared_ptr<const Device>& device,
                                                  const KernelText& text, KernelFiles files);

}  // namespace xorloom
