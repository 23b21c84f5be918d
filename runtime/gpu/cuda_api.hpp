#pragma once

#include <cstddef>
#include <string>

namespace xorloom {

// The few types and numbers of CUDA's driver and of NVRTC that Xorloom needs, as in their manuals.
// No header of CUDA is included, so that building Xorloom needs none.

using CudaResult = int;
using CudaDeviceNumber = int;
using CudaContext = struct CUctx_st*;
using CudaModule = struct CUmod_st*;
using CudaFunction = struct CUfunc_st*;
using CudaStream = struct CUstream_st*;
using CudaAddress = unsigned long long;  ///< in memory of a device
using NvrtcProgram = struct _nvrtcProgram*;

inline constexpr CudaResult kCudaSuccess = 0;
inline constexpr CudaResult kCudaOutOfMemory = 2;
inline constexpr int kCudaMultiprocessors = 16;
inline constexpr int kCudaCapabilityMajor = 75;
inline constexpr int kCudaCapabilityMinor = 76;
inline constexpr int kCudaPointerMemoryType = 2;
inline constexpr int kCudaPointerDevice = 9;
inline constexpr unsigned kCudaMemoryOfHost = 1;
inline constexpr unsigned kCudaStreamNonBlocking = 1;
inline constexpr unsigned kCudaHostPortable = 1;
inline constexpr int kNvrtcSuccess = 0;

// X(field, symbol, result, parameters)
#define XORLOOM_CUDA_FUNCTIONS(X)                                                        \
  X(init, cuInit, (unsigned))                                                            \
  X(driver_version, cuDriverGetVersion, (int*))                                          \
  X(error_string, cuGetErrorString, (CudaResult, const char**))                          \
  X(device_count, cuDeviceGetCount, (int*))                                              \
  X(device_get, cuDeviceGet, (CudaDeviceNumber*, int))                                   \
  X(device_name, cuDeviceGetName, (char*, int, CudaDeviceNumber))                        \
  X(device_attribute, cuDeviceGetAttribute, (int*, int, CudaDeviceNumber))               \
  X(retain_context, cuDevicePrimaryCtxRetain, (CudaContext*, CudaDeviceNumber))          \
  X(release_context, cuDevicePrimaryCtxRelease_v2, (CudaDeviceNumber))                   \
  X(push_context, cuCtxPushCurrent_v2, (CudaContext))                                    \
  X(pop_context, cuCtxPopCurrent_v2, (CudaContext*))                                     \
  X(allocate, cuMemAlloc_v2, (CudaAddress*, std::size_t))                                \
  X(release, cuMemFree_v2, (CudaAddress))                                                \
  X(allocate_host, cuMemHostAlloc, (void**, std::size_t, unsigned))                      \
  X(release_host, cuMemFreeHost, (void*))                                                \
  X(pointer_attribute, cuPointerGetAttribute, (void*, int, CudaAddress))                 \
  X(copy_in, cuMemcpyHtoDAsync_v2, (CudaAddress, const void*, std::size_t, CudaStream))  \
  X(copy_out, cuMemcpyDtoHAsync_v2, (void*, CudaAddress, std::size_t, CudaStream))       \
  X(create_stream, cuStreamCreate, (CudaStream*, unsigned))                              \
  X(destroy_stream, cuStreamDestroy_v2, (CudaStream))                                    \
  X(synchronize, cuStreamSynchronize, (CudaStream))                                      \
  X(load_module, cuModuleLoadData, (CudaModule*, const void*))                           \
  X(unload_module, cuModuleUnload, (CudaModule))                                         \
  X(module_function, cuModuleGetFunction, (CudaFunction*, CudaModule, const char*))      \
  X(launch, cuLaunchKernel,                                                              \
    (CudaFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
     CudaStream, void**, void**))

#define XORLOOM_NVRTC_FUNCTIONS(X)                                                          \
  X(create, nvrtcCreateProgram,                                                             \
    (NvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*)) \
  X(destroy, nvrtcDestroyProgram, (NvrtcProgram*))                                          \
  X(compile, nvrtcCompileProgram, (NvrtcProgram, int, const char* const*))                  \
  X(log_size, nvrtcGetProgramLogSize, (NvrtcProgram, std::size_t*))                         \
  X(log, nvrtcGetProgramLog, (NvrtcProgram, char*))                                         \
  X(cubin_size, nvrtcGetCUBINSize, (NvrtcProgram, std::size_t*))                            \
  X(cubin, nvrtcGetCUBIN, (NvrtcProgram, char*))                                            \
  X(ptx_size, nvrtcGetPTXSize, (NvrtcProgram, std::size_t*))                                \
  X(ptx, nvrtcGetPTX, (NvrtcProgram, char*))                                                \
  X(num_archs, nvrtcGetNumSupportedArchs, (int*))                                           \
  X(archs, nvrtcGetSupportedArchs, (int*))

#define XORLOOM_DECLARE(field, symbol, parameters) CudaResult(*field) parameters = nullptr;
/// The functions of CUDA's driver. A test may replace some.
struct CudaApi {
  XORLOOM_CUDA_FUNCTIONS(XORLOOM_DECLARE)
};

/// The functions of NVRTC, which compiles CUDA's text at run time.
struct NvrtcApi {
  XORLOOM_NVRTC_FUNCTIONS(XORLOOM_DECLARE)
};
#undef XORLOOM_DECLARE

/// The functions of libcuda.so.1, which the first call opens. Null if the library is missing or
/// lacks a function; then `why`, if it is not null, says so in a sentence.
const CudaApi* cuda_api(std::string* why = nullptr);

/// The functions of libnvrtc.so.13, .12 or .11.2, the first that is found; else as cuda_api().
const NvrtcApi* nvrtc_api(std::string* why = nullptr);

}  // namespace xorloom
