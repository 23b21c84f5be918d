#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/gpu/device.hpp"
#include "runtime/gpu/opencl_api.hpp"

namespace xorloom {

/// The devices of OpenCL, each with a context of its own: all GPUs of the first platform that has
/// some; else all accelerators of the first that has those; else all processors. The same device
/// may stand on two platforms, so devices of two are never mixed.
///
/// If there are none, `why` says so in a sentence.
std::vector<std::shared_ptr<const Device>> opencl_devices(const OpenclApi& api, std::string& why);

}  // namespace xorloom
