#include "runtime/gpu/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// Work items of a group.
constexpr unsigned kGroup = 128;
constexpr std::uint64_t kMostGroups = 0x7fffffff;

std::string error_of(const CudaApi& api, CudaResult result) {
  const char* text = nullptr;
  if (api.error_string(result, &text) != kCudaSuccess || text == nullptr) {
    return fmt::format("CUDA's error {}", result);
  }
  return fmt::format("{} (CUDA's error {})", text, result);
}

void check_nvrtc(int result, const char* what) {
  if (result == kNvrtcSuccess) return;
  fail(Status::kUnsupported, fmt::format("NVRTC failed: {} gave its error {}", what, result));
}

/// The program of NVRTC for a text.
class OwnedProgram {
 public:
  OwnedProgram(const NvrtcApi& api, const std::string& source) : api_(api) {
    check_nvrtc(api.create(&program_, source.c_str(), "xorloom.cu", 0, nullptr, nullptr),
                "a program");
  }
  OwnedProgram(const OwnedProgram&) = delete;
  OwnedProgram& operator=(const OwnedProgram&) = delete;
  ~OwnedProgram() { api_.destroy(&program_); }

  void compile(const std::string& target) const {
    const std::array<const char*, 2> options = {target.c_str(), "--std=c++17"};
    const int result = api_.compile(program_, static_cast<int>(options.size()), options.data());
    if (result == kNvrtcSuccess) return;
    fail(Status::kUnsupported, fmt::format("NVRTC cannot compile a kernel (its error {}): {}",
                                           result, first_line(log())));
  }

  std::vector<std::uint8_t> machine_code() const {
    return made(api_.cubin_size, api_.cubin, "machine code");
  }
  std::vector<std::uint8_t> ptx() const { return made(api_.ptx_size, api_.ptx, "PTX"); }

 private:
  using GetSize = CudaResult(NvrtcProgram, std::size_t*);
  using GetBytes = CudaResult(NvrtcProgram, char*);

  std::vector<std::uint8_t> made(GetSize* get_size, GetBytes* get_bytes, const char* what) const {
    std::size_t size = 0;
    check_nvrtc(get_size(program_, &size), what);
    std::vector<std::uint8_t> bytes(size);
    check_nvrtc(get_bytes(program_, reinterpret_cast<char*>(bytes.data())), what);
    return bytes;
  }

  std::string log() const {
    std::size_t bytes = 0;
    if (api_.log_size(program_, &bytes) != kNvrtcSuccess) return {};
    std::string text(bytes, '\0');
    if (api_.log(program_, text.data()) != kNvrtcSuccess) return {};
    return text;
  }

  const NvrtcApi& api_;
  NvrtcProgram program_ = nullptr;
};

std::vector<int> known_capabilities(const NvrtcApi& api) {
  int count = 0;
  check_nvrtc(api.num_archs(&count), "the devices it knows");
  std::vector<int> known(static_cast<std::size_t>(std::max(0, count)));
  if (!known.empty()) check_nvrtc(api.archs(known.data()), "the devices it knows");
  return known;
}

/// Compiles a text of CUDA for devices of a compute capability, such as 90: to their machine code,
/// or, if NVRTC does not know them yet, to PTX of the newest that it knows, which the driver
/// compiles on.
///
/// Errors: throws kUnsupported if NVRTC only knows devices that are newer, or cannot compile the
///         text; with the first line that it says.
/// Cost:   0.1 to 0.4 s.
std::vector<std::uint8_t> compile_cuda(const NvrtcApi& api, const std::string& source,
                                       int capability) {
  const std::vector<int> known = known_capabilities(api);
  const OwnedProgram program(api, source);
  if (std::ranges::find(known, capability) != known.end()) {
    program.compile(fmt::format("--gpu-architecture=sm_{}", capability));
    return program.machine_code();
  }
  int newest = 0;
  for (const int one : known) {
    if (one < capability) newest = std::max(newest, one);
  }
  if (newest == 0) {
    fail(Status::kUnsupported,
         fmt::format("this NVRTC does not know devices of compute capability {}.{}",
                     capability / 10, capability % 10));
  }
  program.compile(fmt::format("--gpu-architecture=compute_{}", newest));
  return program.ptx();
}

class CudaDevice final : public Device {
 public:
  CudaDevice(const CudaApi& api, FindNvrtc nvrtc, CudaDeviceNumber number, CudaContext context,
             int capability, std::string name, std::string driver)
      : Device(std::move(name), std::move(driver), KernelLanguage::kCuda),
        api_(api),
        nvrtc_(nvrtc),
        number_(number),
        context_(context),
        capability_(capability) {}
  ~CudaDevice() override { api_.release_context(number_); }

  std::shared_ptr<const DeviceKernel> compile(const std::string& source,
                                              const std::string& entry) const override {
    std::string why;
    const NvrtcApi* const nvrtc = nvrtc_(&why);
    if (nvrtc == nullptr) fail(Status::kUnsupported, why);
    return load(compile_cuda(*nvrtc, source, capability_), entry);
  }
  std::vector<std::uint8_t> binary_of(const DeviceKernel& kernel) const override;
  std::shared_ptr<const DeviceKernel> load(std::span<const std::uint8_t> binary,
                                           const std::string& entry) const override;
  std::unique_ptr<DeviceLane> make_lane(std::size_t bytes) const override;

  bool copies_directly(const std::uint8_t* host) const override {
    unsigned type = 0;
    // CUDA does not know pageable memory: the call then fails.
    return api_.pointer_attribute(&type, kCudaPointerMemoryType, address(host)) == kCudaSuccess &&
           type == kCudaMemoryOfHost;
  }

  void* allocate_host(std::size_t bytes) const override {
    const Current current(*this);
    void* memory = nullptr;
    check(api_.allocate_host(&memory, bytes, kCudaHostPortable), "memory of the host");
    return memory;
  }

  void free_host(void* memory) const override {
    give_back([&] { api_.release_host(memory); });
  }

  bool owns(const ForeignMemory& /*memory*/, std::uint64_t place) const override {
    int device = -1;
    return api_.pointer_attribute(&device, kCudaPointerDevice, place) == kCudaSuccess &&
           device == number_;
  }

  void launch_on(const ForeignMemory& memory, const KernelLaunch& launch) const override {
    const Current current(*this);
    std::vector<std::uint64_t> places(launch.places.begin(), launch.places.end());
    // A failure in a caller's stream says nothing of the device.
    require(start(static_cast<CudaStream>(memory.queue), launch, places, 0),
            "a kernel in the caller's stream");
  }

  // Functions for lanes and kernels.

  const CudaApi& api() const { return api_; }

  void check(CudaResult result, const char* what) const {
    if (result != kCudaSuccess && result != kCudaOutOfMemory) lose();
    require(result, what);
  }

  void require(CudaResult result, const char* what) const {
    if (result == kCudaSuccess) return;
    fail(Status::kUnsupported,
         fmt::format("{} on {} failed: {}", what, name(), error_of(api_, result)));
  }

  /// Makes the device's context that of this thread, for the life of this object.
  class Current {
   public:
    explicit Current(const CudaDevice& device) : device_(device) {
      device.check(device.api_.push_context(device.context_), "the context");
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() {
      CudaContext before = nullptr;
      device_.api_.pop_context(&before);
    }

   private:
    const CudaDevice& device_;
  };

  /// Calls `release`, which gives something of the device back, unless the device is lost.
  template <typename Release>
  void give_back(const Release& release) const noexcept {
    if (is_lost()) return;
    try {
      const Current current(*this);
      release();
    } catch (const Error&) {
      return;
    }
  }

  /// Precondition: the context of the device is that of this thread. The places are addresses.
  CudaResult start(CudaStream stream, const KernelLaunch& launch,
                   std::vector<std::uint64_t>& places, CudaAddress tables) const;

  static CudaAddress address(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
  }

 private:
  const CudaApi& api_;
  FindNvrtc nvrtc_;
  CudaDeviceNumber number_;
  CudaContext context_;
  int capability_;
};

class CudaKernel final : public DeviceKernel {
 public:
  CudaKernel(const CudaDevice& device, std::span<const std::uint8_t> binary,
             const std::string& entry)
      : image(binary.begin(), binary.end()), device_(device) {
    const CudaDevice::Current current(device);
    // A text of PTX ends with a zero.
    image.push_back(0);
    check(device.api().load_module(&module_, image.data()));
    image.pop_back();
    const CudaResult found = device.api().module_function(&function, module_, entry.c_str());
    if (found != kCudaSuccess) device.api().unload_module(module_);
    check(found);
  }
  ~CudaKernel() override {
    device_.give_back([&] { device_.api().unload_module(module_); });
  }

  std::vector<std::uint8_t> image;
  CudaFunction function = nullptr;

 private:
  /// A kernel that does not load may come from a file of another driver: the device is as good as
  /// before.
  void check(CudaResult result) const {
    if (result == kCudaSuccess) return;
    fail(Status::kUnsupported, fmt::format("{} does not load a kernel: {}", device_.name(),
                                           error_of(device_.api(), result)));
  }

  const CudaDevice& device_;
  CudaModule module_ = nullptr;
};

class CudaLane final : public DeviceLane {
 public:
  CudaLane(const CudaDevice& device, std::size_t bytes) : device_(device), bytes_(bytes) {
    const CudaDevice::Current current(device_);
    try {
      device_.check(api().create_stream(&stream_, kCudaStreamNonBlocking), "a stream");
      device_.check(api().allocate(&memory_, bytes), "memory");
      device_.check(api().allocate_host(&host_, bytes, kCudaHostPortable), "memory of the host");
    } catch (...) {
      release();
      throw;
    }
  }
  ~CudaLane() override {
    device_.give_back([&] { release(); });
  }

  std::size_t bytes() const override { return bytes_; }
  std::uint8_t* host() override { return static_cast<std::uint8_t*>(host_); }

  void copy_in(std::size_t to, const std::uint8_t* from, std::size_t bytes) override {
    const CudaDevice::Current current(device_);
    device_.check(api().copy_in(memory_ + to, from, bytes, stream_), "a copy to the device");
  }

  void copy_out(std::uint8_t* to, std::size_t from, std::size_t bytes) override {
    const CudaDevice::Current current(device_);
    device_.check(api().copy_out(to, memory_ + from, bytes, stream_), "a copy from the device");
  }

  void launch(const KernelLaunch& launch) override {
    const CudaDevice::Current current(device_);
    places_.assign(launch.places.begin(), launch.places.end());
    for (std::uint64_t& place : places_) place += memory_;
    device_.check(device_.start(stream_, launch, places_, memory_), "a kernel");
  }

  void flush() override {}

  void finish() override {
    const CudaDevice::Current current(device_);
    device_.check(api().synchronize(stream_), "a kernel");
  }

 private:
  const CudaApi& api() const { return device_.api(); }

  void release() noexcept {
    if (host_ != nullptr) api().release_host(host_);
    if (memory_ != 0) api().release(memory_);
    if (stream_ != nullptr) api().destroy_stream(stream_);
  }

  const CudaDevice& device_;
  std::size_t bytes_;
  CudaStream stream_ = nullptr;
  CudaAddress memory_ = 0;
  void* host_ = nullptr;
  std::vector<std::uint64_t> places_;
};

CudaResult CudaDevice::start(CudaStream stream, const KernelLaunch& launch,
                             std::vector<std::uint64_t>& places, CudaAddress tables) const {
  const auto& kernel = static_cast<const CudaKernel&>(launch.kernel);
  const std::uint64_t groups = (launch.items + kGroup - 1) / kGroup;
  if (groups > kMostGroups) {
    fail(Status::kUnsupported,
         fmt::format("{} work items are more than a launch of CUDA has", launch.items));
  }
  CudaAddress base = 0;
  unsigned long long pitch = launch.pitch;
  unsigned long long columns = launch.columns;
  // A kernel without tables does not read the last argument.
  std::array<void*, 5> arguments = {&base, places.data(), &pitch, &columns, &tables};
  return api_.launch(kernel.function, static_cast<unsigned>(groups), 1, 1, kGroup, 1, 1, 0, stream,
                     arguments.data(), nullptr);
}

std::shared_ptr<const DeviceKernel> CudaDevice::load(std::span<const std::uint8_t> binary,
                                                     const std::string& entry) const {
  return std::make_shared<const CudaKernel>(*this, binary, entry);
}

std::vector<std::uint8_t> CudaDevice::binary_of(const DeviceKernel& kernel) const {
  return static_cast<const CudaKernel&>(kernel).image;
}

std::unique_ptr<DeviceLane> CudaDevice::make_lane(std::size_t bytes) const {
  return std::make_unique<CudaLane>(*this, bytes);
}

/// The device with number `place`, or null; then `why` says why.
std::shared_ptr<const Device> device_of(const CudaApi& api, FindNvrtc nvrtc, int place,
                                        int driver_version, std::string& why) {
  CudaDeviceNumber number = 0;
  std::array<char, 256> name{};
  int major = 0;
  int minor = 0;
  CudaContext context = nullptr;
  CudaResult result = api.device_get(&number, place);
  if (result == kCudaSuccess) result = api.device_name(name.data(), name.size() - 1, number);
  if (result == kCudaSuccess) result = api.device_attribute(&major, kCudaCapabilityMajor, number);
  if (result == kCudaSuccess) result = api.device_attribute(&minor, kCudaCapabilityMinor, number);
  if (result == kCudaSuccess) result = api.retain_context(&context, number);
  if (result != kCudaSuccess) {
    why = fmt::format("device {} of CUDA cannot be used: {}", place, error_of(api, result));
    return nullptr;
  }
  const int capability = 10 * major + minor;
  return std::make_shared<const CudaDevice>(
      api, nvrtc, number, context, capability, name.data(),
      fmt::format("CUDA {}, sm_{}", driver_version, capability));
}

}  // namespace

std::vector<std::shared_ptr<const Device>> cuda_devices(const CudaApi& api, FindNvrtc nvrtc,
                                                        std::string& why) {
  int count = 0;
  int version = 0;
  CudaResult result = api.init(0);
  if (result == kCudaSuccess) result = api.driver_version(&version);
  if (result == kCudaSuccess) result = api.device_count(&count);
  if (result != kCudaSuccess) {
    why = fmt::format("the driver of CUDA does not start: {}", error_of(api, result));
    return {};
  }
  why = "CUDA has no device on this machine";
  std::vector<std::shared_ptr<const Device>> devices;
  for (int place = 0; place < count; ++place) {
    if (auto device = device_of(api, nvrtc, place, version, why)) {
      devices.push_back(std::move(device));
    }
  }
  return devices;
}

}  // namespace xorloom
