#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace xorloom {

// Every function of OpenCL 1.2 that Xorloom calls.
#define XORLOOM_OPENCL_FUNCTIONS(X) \
  X(clGetPlatformIDs)               \
  X(clGetPlatformInfo)              \
  X(clGetDeviceIDs)                 \
  X(clGetDeviceInfo)                \
  X(clCreateContext)                \
  X(clRetainContext)                \
  X(clReleaseContext)               \
  X(clCreateCommandQueue)           \
  X(clReleaseCommandQueue)          \
  X(clGetCommandQueueInfo)          \
  X(clCreateBuffer)                 \
  X(clReleaseMemObject)             \
  X(clCreateProgramWithSource)      \
  X(clCreateProgramWithBinary)      \
  X(clBuildProgram)                 \
  X(clGetProgramInfo)               \
  X(clGetProgramBuildInfo)          \
  X(clReleaseProgram)               \
  X(clCreateKernel)                 \
  X(clReleaseKernel)                \
  X(clSetKernelArg)                 \
  X(clGetKernelWorkGroupInfo)       \
  X(clEnqueueWriteBuffer)           \
  X(clEnqueueReadBuffer)            \
  X(clEnqueueMapBuffer)             \
  X(clEnqueueUnmapMemObject)        \
  X(clEnqueueNDRangeKernel)         \
  X(clFlush)                        \
  X(clFinish)

/// The functions of OpenCL. A test may replace some.
struct OpenclApi {
#define XORLOOM_DECLARE(name) decltype(&::name) name = nullptr;
  XORLOOM_OPENCL_FUNCTIONS(XORLOOM_DECLARE)
#undef XORLOOM_DECLARE
};

/// The functions of libOpenCL.so.1, which the first call opens. Null if the library is missing or
/// lacks a function; then `why`, if it is not null, says so in a sentence.
const OpenclApi* opencl_api(std::string* why = nullptr);

/// The name of a result of OpenCL: "CL_OUT_OF_RESOURCES".
std::string opencl_error(cl_int result);

/// True if a device that gave `result` is of no more use. False if memory ran out, or a text could
/// not be compiled: later calls may succeed.
bool is_final(cl_int result);

}  // namespace xorloom
