#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/gpu/cuda_api.hpp"
#include "runtime/gpu/device.hpp"

namespace xorloom {

/// The devices of CUDA, each with its primary context, which is that of CUDA's runtime: so memory
/// and streams of programs that use the runtime are ours, too.
///
/// If there are none, `why` says so in a sentence. NVRTC is opened when a text is first compiled:
/// `nvrtc` gives its functions, or null and a sentence.
using FindNvrtc = const NvrtcApi* (*)(std::string* why);
std::vector<std::shared_ptr<const Device>> cuda_devices(const CudaApi& api, FindNvrtc nvrtc,
                                                        std::string& why);

}  // namespace xorloom
