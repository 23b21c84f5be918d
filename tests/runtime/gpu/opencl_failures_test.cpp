#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/gpu/device_scene.hpp"

namespace xorloom {
namespace {

constexpr const char* kSpec = "cauchy-good:k=2,m=2,w=2,packet_bytes=64";

/// A function of OpenCL that gives an error from a call on.
struct Failing {
  int calls_left = 0;
  cl_int error = CL_SUCCESS;

  bool fails() { return error != CL_SUCCESS && --calls_left < 0; }
};
Failing failing_launches;
Failing failing_buffers;
Failing failing_builds;
Failing failing_reads;

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const std::size_t* offset, const std::size_t* global,
                          const std::size_t* local, cl_uint events, const cl_event* waits,
                          cl_event* event) {
  if (failing_launches.fails()) return failing_launches.error;
  return opencl_api()->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                              events, waits, event);
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, std::size_t bytes,
                                 void* host, cl_int* result) {
  if (failing_buffers.fails()) {
    *result = failing_buffers.error;
    return nullptr;
  }
  return opencl_api()->clCreateBuffer(context, flags, bytes, host, result);
}

cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                         const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                         void* context) {
  if (failing_builds.fails()) return failing_builds.error;
  return opencl_api()->clBuildProgram(program, count, devices, options, notify, context);
}

cl_int CL_API_CALL read(cl_command_queue queue, cl_mem memory, cl_bool waits, std::size_t from,
                        std::size_t bytes, void* to, cl_uint events, const cl_event* list,
                        cl_event* event) {
  if (failing_reads.fails()) return failing_reads.error;
  return opencl_api()->clEnqueueReadBuffer(queue, memory, waits, from, bytes, to, events, list,
                                           event);
}

/// OpenCL as it is here, but for what a test lets fail.
const OpenclApi& failing_api() {
  failing_launches = failing_buffers = failing_builds = failing_reads = {};
  static const OpenclApi api = [] {
    OpenclApi made = *opencl_api();
    made.clEnqueueNDRangeKernel = launch;
    made.clCreateBuffer = create_buffer;
    made.clBuildProgram = build;
    made.clEnqueueReadBuffer = read;
    return made;
  }();
  return api;
}

std::shared_ptr<const DeviceSet> failing_set() {
  return make_device_set(devices_by(failing_api()), "", {2, 1000, 4096});
}

Codec on_devices() { return Codec(kSpec, {.executor = Executor::kOpencl}); }

/// The sentence with which a codec is refused.
std::string opencl_refusal(const char* spec = kSpec) { return refusal_of(Executor::kOpencl, spec); }

TEST_CASE("A device that is lost in the middle of a call leaves the same bytes, and is said once") {
  SKIP_WITHOUT_OPENCL();
  const Code code = make_code(kSpec);
  for (const int calls : {0, 1, 5}) {
    const OtherDevices other(Executor::kOpencl, failing_set());
    const Codec codec = on_devices();
    const Heard heard;
    failing_launches = {calls, CL_DEVICE_NOT_AVAILABLE};
    check_encoding(codec, code, 12800);
    check_encoding(codec, code, 12800);
    REQUIRE(heard.sentences.size() == 1);
    CHECK(heard.sentences[0].find("CL_DEVICE_NOT_AVAILABLE") != std::string::npos);
    CHECK(opencl_refusal().find("has failed in this process") != std::string::npos);
  }
}

TEST_CASE("A device whose memory runs out is used again when there is some") {
  SKIP_WITHOUT_OPENCL();
  const Code code = make_code(kSpec);
  const OtherDevices other(Executor::kOpencl, make_device_set(devices_by(failing_api()), ""));
  const Codec codec = on_devices();
  const Heard heard;
  failing_buffers = {0, CL_MEM_OBJECT_ALLOCATION_FAILURE};
  check_encoding(codec, code, 1'280'000);  // more than the lanes of acceptance hold
  CHECK(heard.sentences.size() == 1);
  failing_buffers = {};
  failing_reads = {0, CL_OUT_OF_HOST_MEMORY};
  check_encoding(codec, code, 12800);
  failing_reads = {};
  failing_launches = {1'000'000, CL_DEVICE_NOT_AVAILABLE};
  check_encoding(codec, code, 12800);
  CHECK(failing_launches.calls_left < 1'000'000);  // the device was asked
}

TEST_CASE("What a device cannot do for encoding is an error of one sentence") {
  SKIP_WITHOUT_OPENCL();
  const auto has = [](const std::string& text, const char* part) {
    CAPTURE(text);
    return text.starts_with("executor = opencl: ") && text.find(part) != std::string::npos &&
           text.find('\n') == std::string::npos;
  };
  {
    const OtherDevices other(Executor::kOpencl, failing_set());
    failing_builds = {0, CL_BUILD_PROGRAM_FAILURE};
    CHECK(has(opencl_refusal(), "CL_BUILD_PROGRAM_FAILURE"));
  }
  {
    const OtherDevices other(Executor::kOpencl, failing_set());
    failing_buffers = {0, CL_MEM_OBJECT_ALLOCATION_FAILURE};
    CHECK(has(opencl_refusal(), "CL_MEM_OBJECT_ALLOCATION_FAILURE"));
  }
  {
    const OtherDevices other(Executor::kOpencl, failing_set());
    failing_launches = {0, CL_OUT_OF_RESOURCES};
    CHECK(has(opencl_refusal(), "CL_OUT_OF_RESOURCES"));
  }
  {
    const OtherDevices other(Executor::kOpencl, failing_set());
    CHECK(has(opencl_refusal("rs:k=500,m=2,w=16"), "480"));
    CHECK(has(opencl_refusal("rs:k=200,m=50"), "262144"));
  }
  const OtherDevices none(Executor::kOpencl, make_device_set({}, "there is none"));
  CHECK(opencl_refusal() == "executor = opencl: there is none");
}

TEST_CASE("A plan for decoding that a device cannot run runs on the processor") {
  SKIP_WITHOUT_OPENCL();
  const Code code = make_code(kSpec);
  const OtherDevices other(Executor::kOpencl, failing_set());
  const Codec codec = on_devices();
  const Heard heard;
  failing_builds = {0, CL_BUILD_PROGRAM_FAILURE};
  const Stripe expected = encoded_stripe(code, 1280);
  Stripe stripe = expected;
  stripe.lose(0);
  CHECK(codec.decode(stripe.chunks(), std::vector<std::size_t>{0}, 1280) == Status::kOk);
  CHECK(stripe == expected);
  REQUIRE(heard.sentences.size() == 1);
  CHECK(heard.sentences[0].starts_with("a plan runs on the processor, not on a device: "));
}

}  // namespace
}  // namespace xorloom
