#include "runtime/gpu/opencl_device.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// Handles of OpenCL that are released at the end.
template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cl_int(CL_API_CALL*)(Handle)>;

using ClProgram = Owned<cl_program>;
using ClKernel = Owned<cl_kernel>;
using ClContext = Owned<cl_context>;
using ClMemory = Owned<cl_mem>;
using ClQueue = Owned<cl_command_queue>;

/// Work items of a group, for which kernels are compiled.
constexpr std::size_t kGroupItems = 64;

/// Most contexts of callers for which a kernel is kept.
constexpr std::size_t kMostContexts = 8;

/// Bytes of the largest table of places.
constexpr std::size_t kPlacesBytes = kMostKernelChunks * sizeof(std::uint64_t);

/// The source of a program: a text, or a binary that was compiled before.
struct Image {
  std::string source;
  std::vector<std::uint8_t> binary;
};

/// A kernel, and the same kernel in contexts of callers. Arguments are a part of a kernel in
/// OpenCL, so that one thread at a time sets them and launches.
class OpenclKernel final : public DeviceKernel {
 public:
  OpenclKernel(Image from, std::string name, ClProgram made_program, ClKernel kernel)
      : image(std::move(from)),
        entry(std::move(name)),
        program(std::move(made_program)),
        own(std::move(kernel)) {}

  Image image;
  std::string entry;
  ClProgram program;
  ClKernel own;
  mutable std::mutex mutex;
  struct Foreign {
    ClContext context;
    ClKernel kernel;
  };
  mutable std::map<cl_context, Foreign> foreign;
};

class OpenclDevice final : public Device {
 public:
  OpenclDevice(const OpenclApi& api, cl_device_id device, std::string name, std::string driver,
               bool is_processor)
      : Device(std::move(name), std::move(driver), KernelLanguage::kOpencl),
        api_(api),
        device_(device),
        is_processor_(is_processor) {
    cl_int result = CL_SUCCESS;
    context_ = {api_.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result),
                api_.clReleaseContext};
    check(result, "a context");
    queue_ = make_queue();
  }

  bool is_processor() const override { return is_processor_; }
  std::shared_ptr<const DeviceKernel> compile(const std::string& source,
                                              const std::string& entry) const override {
    return made_kernel({source, {}}, entry);
  }

  /// PoCL, which drives processors, compiles once more for this, and has a cache of its own.
  std::vector<std::uint8_t> binary_of(const DeviceKernel& kernel) const override {
    if (is_processor_) return {};
    const cl_program program = static_cast<const OpenclKernel&>(kernel).program.get();
    std::size_t bytes = 0;
    if (api_.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) !=
        CL_SUCCESS) {
      return {};
    }
    std::vector<std::uint8_t> binary(bytes);
    std::uint8_t* to = binary.data();
    const cl_int result = api_.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to,
                                                static_cast<void*>(&to), nullptr);
    return result == CL_SUCCESS ? binary : std::vector<std::uint8_t>();
  }

  std::shared_ptr<const DeviceKernel> load(std::span<const std::uint8_t> binary,
                                           const std::string& entry) const override {
    return made_kernel({{}, {binary.begin(), binary.end()}}, entry);
  }
  std::unique_ptr<DeviceLane> make_lane(std::size_t bytes) const override;

  bool copies_directly(const std::uint8_t* host) const override {
    if (is_processor_) return true;
    const std::lock_guard lock(mutex_);
    const auto next = pinned_.upper_bound(host);
    if (next == pinned_.begin()) return false;
    const Pinned& found = std::prev(next)->second;
    return host < found.bytes + found.size;
  }

  void* allocate_host(std::size_t bytes) const override {
    if (is_processor_) return nullptr;
    Pinned pinned = make_pinned(bytes);
    void* const memory = pinned.bytes;
    const std::lock_guard lock(mutex_);
    pinned_.emplace(memory, std::move(pinned));
    return memory;
  }

  void free_host(void* memory) const override {
    const std::lock_guard lock(mutex_);
    const auto found = pinned_.find(memory);
    if (found == pinned_.end()) return;
    unmap(found->second);
    pinned_.erase(found);
  }

  bool owns(const ForeignMemory& memory, std::uint64_t /*place*/) const override {
    if (memory.queue == nullptr || memory.memory == nullptr) return false;
    cl_device_id device = nullptr;
    require(api_.clGetCommandQueueInfo(static_cast<cl_command_queue>(memory.queue), CL_QUEUE_DEVICE,
                                       sizeof device, static_cast<void*>(&device), nullptr),
            "the caller's queue");
    return device == device_;
  }

  void launch_on(const ForeignMemory& memory, const KernelLaunch& launch) const override {
    const auto queue = static_cast<cl_command_queue>(memory.queue);
    cl_context context = nullptr;
    require(api_.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context,
                                       static_cast<void*>(&context), nullptr),
            "the caller's queue");
    const auto& kernel = static_cast<const OpenclKernel&>(launch.kernel);
    const std::lock_guard lock(kernel.mutex);
    auto found = kernel.foreign.find(context);
    if (found == kernel.foreign.end()) {
      // Retains the context, so that no other one gets its address.
      ClKernel made = kernel_of(program_in(context, kernel.image), kernel.entry);
      require(api_.clRetainContext(context), "the caller's context");
      OpenclKernel::Foreign kept{{context, api_.clReleaseContext}, std::move(made)};
      if (kernel.foreign.size() == kMostContexts) kernel.foreign.clear();
      found = kernel.foreign.emplace(context, std::move(kept)).first;
    }
    cl_int result = CL_SUCCESS;
    std::vector<std::uint64_t> table(launch.places.begin(), launch.places.end());
    // OpenCL keeps the buffer until the kernel is done.
    const ClMemory places(
        api_.clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                            table.size() * sizeof table[0], table.data(), &result),
        api_.clReleaseMemObject);
    require(result, "memory");
    require(enqueue(queue, found->second.kernel.get(), static_cast<cl_mem>(memory.memory),
                    places.get(), launch),
            "a kernel in the caller's queue");
    require(api_.clFlush(queue), "the caller's queue");
  }

  // Functions for lanes.

  const OpenclApi& api() const { return api_; }

  /// Throws unless `result` is a success, and gives the device up if it cannot recover.
  void check(cl_int result, const char* what) const {
    if (is_final(result)) lose();
    require(result, what);
  }

  /// Throws unless `result` is a success. A failure in a caller's queue says nothing of the device.
  void require(cl_int result, const char* what) const {
    if (result == CL_SUCCESS) return;
    fail(Status::kUnsupported,
         fmt::format("{} on {} failed: {}", what, name(), opencl_error(result)));
  }

  ClQueue make_queue() const {
    cl_int result = CL_SUCCESS;
    ClQueue queue(api_.clCreateCommandQueue(context_.get(), device_, 0, &result),
                  api_.clReleaseCommandQueue);
    check(result, "a queue");
    return queue;
  }

  ClMemory make_memory(cl_context context, cl_mem_flags flags, std::size_t bytes) const {
    cl_int result = CL_SUCCESS;
    ClMemory memory(api_.clCreateBuffer(context, flags, bytes, nullptr, &result),
                    api_.clReleaseMemObject);
    check(result, "memory");
    return memory;
  }

  cl_context context() const { return context_.get(); }

  /// Sets the arguments and enqueues the kernel. Returns the first result that is no success.
  /// Precondition: the kernel's mutex is held.
  cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_mem memory, cl_mem places,
                 const KernelLaunch& launch) const {
    const cl_ulong pitch = launch.pitch;
    const cl_ulong columns = launch.columns;
    const std::size_t items = (launch.items + kGroupItems - 1) / kGroupItems * kGroupItems;
    cl_uint place = 0;
    cl_int result = CL_SUCCESS;
    const auto set = [&](const auto& value) {
      if (result != CL_SUCCESS) return;
      result = api_.clSetKernelArg(kernel, place++, sizeof value, static_cast<const void*>(&value));
    };
    set(memory);
    set(places);
    set(pitch);
    set(columns);
    if (launch.has_tables) set(memory);
    if (result != CL_SUCCESS) return result;
    return api_.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &kGroupItems, 0, nullptr,
                                       nullptr);
  }

  /// Memory of the host that the device reaches: a buffer that stays mapped.
  struct Pinned {
    ClMemory buffer;
    std::uint8_t* bytes;
    std::size_t size;
  };
  Pinned make_pinned(std::size_t bytes) const {
    ClMemory buffer = make_memory(context_.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
    cl_int result = CL_SUCCESS;
    void* const mapped =
        api_.clEnqueueMapBuffer(queue_.get(), buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                bytes, 0, nullptr, nullptr, &result);
    check(result, "memory of the host");
    return {std::move(buffer), static_cast<std::uint8_t*>(mapped), bytes};
  }

  void unmap(Pinned& pinned) const noexcept {
    if (pinned.bytes == nullptr || is_lost()) return;
    api_.clEnqueueUnmapMemObject(queue_.get(), pinned.buffer.get(), pinned.bytes, 0, nullptr,
                                 nullptr);
    api_.clFinish(queue_.get());
  }

 private:
  std::shared_ptr<const DeviceKernel> made_kernel(Image image, const std::string& entry) const {
    ClProgram program = program_in(context_.get(), image);
    ClKernel kernel = kernel_of(program, entry);
    return std::make_shared<const OpenclKernel>(std::move(image), entry, std::move(program),
                                                std::move(kernel));
  }

  ClProgram program_in(cl_context context, const Image& image) const {
    const bool is_text = image.binary.empty();
    const char* const text = image.source.data();
    const unsigned char* const binary = image.binary.data();
    const std::size_t bytes = is_text ? image.source.size() : image.binary.size();
    cl_int result = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    const cl_program made =
        is_text ? api_.clCreateProgramWithSource(context, 1, const_cast<const char**>(&text),
                                                 &bytes, &result)
                : api_.clCreateProgramWithBinary(context, 1, &device_, &bytes,
                                                 const_cast<const unsigned char**>(&binary),
                                                 &status, &result);
    ClProgram program(made, api_.clReleaseProgram);
    require(result != CL_SUCCESS ? result : status, "a program");
    result =
        api_.clBuildProgram(made, 1, &device_, is_text ? "-cl-std=CL1.2" : "", nullptr, nullptr);
    if (result != CL_SUCCESS) {
      fail(Status::kUnsupported, fmt::format("{} cannot compile a kernel ({}): {}", name(),
                                             opencl_error(result), build_log(made)));
    }
    return program;
  }

  ClKernel kernel_of(const ClProgram& program, const std::string& entry) const {
    cl_int result = CL_SUCCESS;
    ClKernel kernel(api_.clCreateKernel(program.get(), entry.c_str(), &result),
                    api_.clReleaseKernel);
    require(result, "a kernel");
    std::size_t group = 0;
    require(api_.clGetKernelWorkGroupInfo(kernel.get(), device_, CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof group, &group, nullptr),
            "a kernel");
    if (group < kGroupItems) {
      fail(Status::kUnsupported,
           fmt::format("{} runs the kernel with groups of at most {} work items, not {}", name(),
                       group, kGroupItems));
    }
    return kernel;
  }

  std::string build_log(cl_program program) const {
    std::size_t bytes = 0;
    api_.clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    api_.clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                               nullptr);
    return first_line(log);
  }

  const OpenclApi& api_;
  cl_device_id device_;
  bool is_processor_;
  ClContext context_{nullptr, nullptr};
  ClQueue queue_{nullptr, nullptr};  ///< queue in which pinned memory is mapped
  mutable std::mutex mutex_;
  mutable std::map<const void*, Pinned> pinned_;  ///< memory that allocate_host has given out
};

class OpenclLane final : public DeviceLane {
 public:
  OpenclLane(const OpenclDevice& device, std::size_t bytes)
      : device_(device),
        bytes_(bytes),
        queue_(device.make_queue()),
        memory_(device.make_memory(device.context(), CL_MEM_READ_WRITE, bytes)),
        places_(device.make_memory(device.context(), CL_MEM_READ_ONLY, kPlacesBytes)),
        pinned_(device.make_pinned(bytes)) {}
  ~OpenclLane() override { device_.unmap(pinned_); }

  std::size_t bytes() const override { return bytes_; }
  std::uint8_t* host() override { return pinned_.bytes; }

  void copy_in(std::size_t to, const std::uint8_t* from, std::size_t bytes) override {
    device_.check(device_.api().clEnqueueWriteBuffer(queue_.get(), memory_.get(), CL_FALSE, to,
                                                     bytes, from, 0, nullptr, nullptr),
                  "a copy to the device");
  }

  void copy_out(std::uint8_t* to, std::size_t from, std::size_t bytes) override {
    device_.check(device_.api().clEnqueueReadBuffer(queue_.get(), memory_.get(), CL_FALSE, from,
                                                    bytes, to, 0, nullptr, nullptr),
                  "a copy from the device");
  }

  void launch(const KernelLaunch& launch) override {
    // The copy may be done later, so that the table has to stay until then.
    table_.assign(launch.places.begin(), launch.places.end());
    device_.check(device_.api().clEnqueueWriteBuffer(queue_.get(), places_.get(), CL_FALSE, 0,
                                                     table_.size() * sizeof table_[0],
                                                     table_.data(), 0, nullptr, nullptr),
                  "a copy to the device");
    const auto& kernel = static_cast<const OpenclKernel&>(launch.kernel);
    const std::lock_guard lock(kernel.mutex);
    device_.check(
        device_.enqueue(queue_.get(), kernel.own.get(), memory_.get(), places_.get(), launch),
        "a kernel");
  }

  void flush() override { device_.check(device_.api().clFlush(queue_.get()), "a queue"); }
  void finish() override { device_.check(device_.api().clFinish(queue_.get()), "a queue"); }

 private:
  const OpenclDevice& device_;
  std::size_t bytes_;
  ClQueue queue_;
  ClMemory memory_;
  ClMemory places_;
  OpenclDevice::Pinned pinned_;
  std::vector<std::uint64_t> table_;
};

std::unique_ptr<DeviceLane> OpenclDevice::make_lane(std::size_t bytes) const {
  return std::make_unique<OpenclLane>(*this, bytes);
}

std::string text_of(const OpenclApi& api, cl_device_id device, cl_device_info which) {
  std::array<char, 256> text{};
  if (api.clGetDeviceInfo(device, which, text.size() - 1, text.data(), nullptr) != CL_SUCCESS) {
    return {};
  }
  return text.data();
}

std::vector<cl_device_id> devices_of(const OpenclApi& api, cl_platform_id platform,
                                     cl_device_type type) {
  cl_uint count = 0;
  if (api.clGetDeviceIDs(platform, type, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> devices(count);
  if (api.clGetDeviceIDs(platform, type, count, devices.data(), nullptr) != CL_SUCCESS) return {};
  std::erase_if(devices, [&](cl_device_id device) {
    cl_bool can = CL_FALSE;
    cl_bool is_little = CL_FALSE;
    api.clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof can, &can, nullptr);
    api.clGetDeviceInfo(device, CL_DEVICE_ENDIAN_LITTLE, sizeof is_little, &is_little, nullptr);
    return can != CL_TRUE || is_little != CL_TRUE;
  });
  return devices;
}

}  // namespace

std::vector<std::shared_ptr<const Device>> opencl_devices(const OpenclApi& api, std::string& why) {
  cl_uint count = 0;
  cl_int result = api.clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(result == CL_SUCCESS ? count : 0);
  if (!platforms.empty()) result = api.clGetPlatformIDs(count, platforms.data(), nullptr);
  if (result != CL_SUCCESS || platforms.empty()) {
    why = fmt::format("OpenCL has no platform: {}", opencl_error(result));
    return {};
  }
  why = "no platform of OpenCL has a device that compiles kernels";
  constexpr std::array<cl_device_type, 3> kTypes = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                                    CL_DEVICE_TYPE_CPU};
  for (const cl_device_type type : kTypes) {
    for (const cl_platform_id platform : platforms) {
      std::vector<std::shared_ptr<const Device>> devices;
      for (const cl_device_id device : devices_of(api, platform, type)) {
        const std::string name = text_of(api, device, CL_DEVICE_NAME);
        const std::string driver = fmt::format("{}, {}, {}", text_of(api, device, CL_DEVICE_VENDOR),
                                               text_of(api, device, CL_DEVICE_VERSION),
                                               text_of(api, device, CL_DRIVER_VERSION));
        try {
          devices.push_back(std::make_shared<const OpenclDevice>(api, device, name, driver,
                                                                 type == CL_DEVICE_TYPE_CPU));
        } catch (const Error& error) {
          why = error.what();
        }
      }
      if (!devices.empty()) return devices;
    }
  }
  return {};
}

}  // namespace xorloom
