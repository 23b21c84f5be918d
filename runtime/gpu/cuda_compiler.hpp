#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/gpu/cuda_api.hpp"

namespace xorloom {

/// Compiles a text of CUDA for devices of a compute capability, such as 90: to their machine code,
/// or, if NVRTC does not know them yet, to PTX of the newest that it knows, which the driver
/// compiles on.
///
/// Errors: throws kUnsupported if NVRTC only knows devices that are newer, or cannot compile the
///         text; with the first line that it says.
/// Cost:   0.1 to 0.4 s.
std::vector<std::uint8_t> compile_cuda(const NvrtcApi& api, const std::string& source,
                                       int capability);

}  // namespace xorloom
