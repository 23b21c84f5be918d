#include "runtime/gpu/opencl_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/gpu/dynamic_library.hpp"

namespace xorloom {
namespace {

struct Name {
  int result;
  const char* name;
  bool is_final;
};

/// The error of a loader that finds no platform (cl_khr_icd).
constexpr int kNoPlatform = -1001;

constexpr std::array kNames = {
    Name{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND", true},
    Name{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", true},
    Name{CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE", false},
    Name{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE", false},
    Name{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES", false},
    Name{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", false},
    Name{CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE", false},
    Name{CL_INVALID_BINARY, "CL_INVALID_BINARY", false},
    Name{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE", false},
    Name{CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE", true},
    Name{CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT", true},
    Name{CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME", false},
    Name{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE", false},
    Name{kNoPlatform, "there is none on this machine", true},
};

const Name* name_of(int result) {
  const auto found = std::ranges::find(kNames, result, &Name::result);
  return found != kNames.end() ? &*found : nullptr;
}

}  // namespace

const OpenclApi* opencl_api(std::string* why) {
  static OpenclApi api;
#define XORLOOM_FIND(name) LibraryFunction{#name, &api.name},
  static const std::string why_not =
      open_library("OpenCL", {"libOpenCL.so.1"}, {XORLOOM_OPENCL_FUNCTIONS(XORLOOM_FIND)});
#undef XORLOOM_FIND
  return opened(api, why_not, why);
}

std::string opencl_error(cl_int result) {
  const Name* const name = name_of(result);
  return name != nullptr ? name->name : fmt::format("OpenCL's error {}", result);
}

bool is_final(cl_int result) {
  if (result == CL_SUCCESS) return false;
  const Name* const name = name_of(result);
  return name == nullptr || name->is_final;
}

}  // namespace xorloom
