#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/gpu/cuda_api.hpp"
#include "runtime/gpu/cuda_device.hpp"
#include "runtime/plans/device_choice.hpp"
#include "tests/runtime/gpu/device_scene.hpp"
#include "tests/runtime/gpu/fake_driver.hpp"

namespace xorloom {
namespace {

constexpr const char* kChosenPackets = "cauchy-good:k=3,m=2,w=2,packet_bytes=24";
constexpr const char* kChosenWords = "rs:k=3,m=2";
constexpr std::size_t kKibibyte = std::size_t{1} << 10;
constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// A core that takes that long for each instruction, and little for all else.
MachineRates rates_of(double instruction) {
  MachineRates rates = kept_rates();
  const CoreCosts costs{instruction, 1e-12, 1e-12, 1e-12, {}, 1e-8, 1e-9, 4};
  for (const Isa isa : {Isa::kPortable, choose_isa({})}) {
    for (const Arrangement arrangement : {Arrangement::kPacket, Arrangement::kWord}) {
      MachineRates::Of of{isa, arrangement, costs, {}};
      for (MovingCosts& level : of.costs.moving) level = {1e-12, 1e-12, 0};
      rates.rates.push_back(of);
    }
  }
  return rates;
}

/// A GPU behind a bus of 50 GB/s.
DeviceRates gpu(std::string devices = "a GPU") {
  return {Executor::kCuda,   std::move(devices), 2e-5, 1 / 10e9, 1 / 50e9, 1 / 50e9,
          {1 / 2e12, 1e-13}, {1 / 2e12, 1e-13}};
}

/// Encoding by rows of multiplications.
PlanWork work_of(std::size_t k, std::size_t m, std::size_t threads = 1) {
  PlanWork work{Isa::kPortable, Arrangement::kWord, threads, 1, k, m, k * m, k + m, {}, 64};
  work.tile.instructions = k * m;
  work.tile.vectors_read = k;
  work.tile.vectors_written = m;
  work.tile.vector_bytes = 64;
  return work;
}

TEST_CASE("A device is chosen where it is faster by a margin than threads without any loss") {
  struct Case {
    std::size_t k, m, threads, chunk_bytes;
    bool on_device;
  };
  // A core takes a nanosecond for 64 products: 10 + 4 is coded at 16 GB/s, 64 + 32 at 2.
  const std::array cases = {
      Case{10, 4, 1, 64 * kKibibyte, false},  Case{10, 4, 1, 64 * kMebibyte, false},
      Case{32, 16, 1, 4 * kMebibyte, true},   Case{64, 32, 1, 1 * kKibibyte, false},
      Case{64, 32, 1, 64 * kKibibyte, true},  Case{64, 32, 1, 64 * kMebibyte, true},
      Case{64, 32, 16, 64 * kMebibyte, false}};
  MachineRates rates = rates_of(1e-9);
  CHECK(device_that_pays(rates, work_of(64, 32), kMebibyte) == nullptr);
  rates.devices = {gpu()};
  for (const Case& of : cases) {
    CAPTURE(of.k);
    CAPTURE(of.m);
    CAPTURE(of.threads);
    CAPTURE(of.chunk_bytes);
    const PlanWork work = work_of(of.k, of.m, of.threads);
    const DeviceRates* const chosen = device_that_pays(rates, work, of.chunk_bytes);
    CHECK((chosen != nullptr) == of.on_device);
    CHECK(of.on_device == (processor_seconds(rates, work, of.chunk_bytes) >
                           kDeviceMargin * device_seconds(gpu(), work, of.chunk_bytes)));
  }
  // The fastest of several.
  rates.devices.push_back(gpu("another"));
  rates.devices.back().byte_staged /= 2;
  CHECK(device_that_pays(rates, work_of(64, 32), kMebibyte) == &rates.devices.back());
  // A kernel of 128 * 65 products would be too long.
  CHECK(device_that_pays(rates, work_of(128, 65), kMebibyte) == nullptr);
  // If the CPU was not measured, it keeps the work.
  rates.rates.clear();
  CHECK(device_that_pays(rates, work_of(64, 32), kMebibyte) == nullptr);
}

TEST_CASE("A call takes as long as its slowest part, and a slice of the others") {
  const DeviceRates rates = gpu();
  const auto seconds = [&](std::size_t in, std::size_t out, std::size_t operations,
                           std::size_t threads = 1, std::size_t columns = 1'000'000'000) {
    PlanWork work = work_of(in, out, threads);
    work.operations = operations;
    return device_seconds(rates, work, columns);
  };
  // Copying is shared by threads, at most one for each lane.
  CHECK(seconds(1, 0, 0, 2) == doctest::Approx(0.05).epsilon(0.01));
  CHECK(seconds(1, 0, 0, 16) == doctest::Approx(0.1 / 3).epsilon(0.02));
  CHECK(seconds(0, 0, 0) == doctest::Approx(2e-5));
  CHECK(seconds(1, 0, 0) == doctest::Approx(0.1).epsilon(0.01));
  CHECK(seconds(1, 1, 0) == doctest::Approx(0.2).epsilon(0.01));
  CHECK(seconds(1, 0, 10'000) == doctest::Approx(1).epsilon(0.01));
  // With a single slice, no step overlaps another.
  CHECK(seconds(1, 0, 0, 1, 1000) ==
        doctest::Approx(2e-5 + 1000 / 10e9 + 1000 / 50e9 + 1000 / 2e12));
}

/// Rates in the user's cache directory as long as this lives.
class KeptRates {
 public:
  explicit KeptRates(const MachineRates& rates) {
    own_caches();
    std::filesystem::create_directories(std::filesystem::path(rates_path()).parent_path());
    put(rates_json(rates).dump());
  }
  KeptRates(const KeptRates&) = delete;
  KeptRates& operator=(const KeptRates&) = delete;
  ~KeptRates() { std::filesystem::remove(rates_path()); }

  void put(const std::string& text) { std::ofstream(rates_path()) << text; }
};

/// With a processor on which an instruction takes a second.
MachineRates slow_processor(const DeviceRates& devices) {
  MachineRates rates = rates_of(1);
  rates.devices = {devices};
  return rates;
}

TEST_CASE("Rates are kept with their devices, and a file that is not whole holds none") {
  own_caches();
  const MachineRates rates = slow_processor(gpu());
  KeptRates kept(rates);
  CHECK(kept_rates().devices == rates.devices);
  CHECK(kept_rates().rates.size() == rates.rates.size());
  const std::string text = rates_json(rates).dump();
  for (std::size_t bytes = 0; bytes < text.size(); bytes += 37) {
    kept.put(text.substr(0, bytes));
    CHECK(kept_rates().devices.empty());
  }
  const auto with = [&](const std::string& what, const std::string& by) {
    std::string changed = text;
    const std::size_t at = changed.find(what);
    REQUIRE(at != std::string::npos);
    return changed.replace(at, what.size(), by);
  };
  for (const auto& change : std::vector<std::pair<std::string, std::string>>{
           {"\"cuda\"", "\"graph\""},
           {"\"byte_staged\":", "\"byte_staged\":-"},
           {"\"byte_in\":", "\"byte_in\":1e9,\"old\":"},
           {"\"words\"", "\"word\""},
           {"\"a GPU\"", "7"},
           {"\"cpu\":\"", "\"cpu\":\"another "}}) {
    CAPTURE(change.first);
    kept.put(with(change.first, change.second));
    CHECK(kept_rates().devices.empty());
    check_encoding(Codec(kChosenPackets, {.wisdom = "user"}), make_code(kChosenPackets), 480);
  }
}

int cuda_launches = 0;
int cuda_launches_left = 0;

/// CUDA as it is here, but for launches, which are counted.
std::shared_ptr<const DeviceSet> counted_cuda() {
  static const CudaApi api = [] {
    CudaApi made = *cuda_api();
    made.launch = [](CudaFunction function, unsigned x, unsigned y, unsigned z, unsigned bx,
                     unsigned by, unsigned bz, unsigned shared, CudaStream stream, void** arguments,
                     void** extra) {
      constexpr CudaResult kLaunchFailed = 719;
      ++cuda_launches;
      if (--cuda_launches_left < 0) return kLaunchFailed;
      return cuda_api()->launch(function, x, y, z, bx, by, bz, shared, stream, arguments, extra);
    };
    return made;
  }();
  cuda_launches = 0;
  cuda_launches_left = 1'000'000;
  std::string why;
  return make_device_set(cuda_devices(api, nvrtc_api, why), "");
}

TEST_CASE("Executor auto goes to a device where rates say that it pays, for the same bytes") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const auto set = counted_cuda();
  const OtherDevices other(Executor::kCuda, set);
  const KeptRates kept(slow_processor(gpu(description_of(*set))));
  for (const char* const spec : {kChosenPackets, kChosenWords, "rs:k=3,m=2,w=16", "clay:k=2,m=2"}) {
    cuda_launches = 0;
    CAPTURE(std::string(spec));
    const Code code = make_code(spec);
    const Heard heard;
    const Codec codec(spec, {.wisdom = "user"});
    CHECK(cuda_launches == 0);  // nothing is known of calls yet
    check_encoding(codec, code, 301 * chunk_multiple(code));
    CHECK(cuda_launches > 0);
    cuda_launches = 0;
    check_decoding(codec, code, {0, 1}, 301 * chunk_multiple(code));
    CHECK(cuda_launches > 0);
    CHECK(heard.sentences.empty());
  }
  // Executors that are asked for are those that run.
  cuda_launches = 0;
  check_encoding(Codec(kChosenPackets, {.executor = Executor::kRanges, .wisdom = "user"}),
                 make_code(kChosenPackets), 480);
  CHECK(cuda_launches == 0);
}

TEST_CASE("A code that no kernel is made for stays on the processor, and nothing is tried") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const auto set = counted_cuda();
  const OtherDevices other(Executor::kCuda, set);
  const KeptRates kept(slow_processor(gpu(description_of(*set))));
  const Heard heard;
  for (const char* const spec : {"rs:k=500,m=2,w=16", "leopard:k=300,m=300,w=16"}) {
    const Codec codec(spec, {.wisdom = "user"});
    CHECK(PlanAccess::impl_of(codec.encoding()).choice == nullptr);
  }
  CHECK(heard.sentences.empty());
}

TEST_CASE("A device is looked for when the calls so far would have saved what that takes") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const auto set = counted_cuda();
  const OtherDevices other(Executor::kCuda, set);
  const Code code = make_code(kChosenPackets);
  constexpr std::size_t kBytes = 4800;
  const auto saved = [&](double instruction) {
    MachineRates rates = rates_of(instruction);
    rates.devices = {gpu(description_of(*set))};
    const KeptRates kept(rates);
    const Codec codec(kChosenPackets, {.wisdom = "user"});
    std::size_t calls = 0;
    for (cuda_launches = 0; cuda_launches == 0 && calls < 5; ++calls)
      check_encoding(codec, code, kBytes);
    return calls;
  };
  // Some hundred instructions.
  CHECK(saved(1) == 1);
  const double of_call = [&] {
    MachineRates rates = rates_of(1);
    const Program program = direct_encoding(code);
    const auto computation = make_computation(code, program, {.isa = choose_isa({})});
    PlanOptions options;
    options.isa = choose_isa({});
    return processor_seconds(rates, plan_work(code, program, *computation, options), kBytes);
  }();
  CHECK(saved(0.4 / of_call) >= 3);
  CHECK(saved(1e-6 / of_call) == 5);
}

TEST_CASE("Where a device fails that auto has chosen, the bytes are the same") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const Code code = make_code(kChosenPackets);
  for (const int calls : {0, 100}) {
    CAPTURE(calls);
    const auto set = counted_cuda();
    const OtherDevices other(Executor::kCuda, set);
    const KeptRates kept(slow_processor(gpu(description_of(*set))));
    const Heard heard;
    cuda_launches_left = calls;
    const Codec codec(kChosenPackets, {.wisdom = "user"});
    for (int i = 0; i < 200; ++i) check_encoding(codec, code, 480);
    CHECK(cuda_launches > calls);
    REQUIRE(heard.sentences.size() == 1);
    CHECK(heard.sentences[0].find("the processor computes") == 0);
    CHECK(heard.sentences[0].find("a fake error") != std::string::npos);
  }
}

TEST_CASE("Rates of another device or driver are ignored, and nothing is said of it") {
  SKIP_WITHOUT_FAKE_DRIVER();
  const auto set = counted_cuda();
  const OtherDevices other(Executor::kCuda, set);
  const Heard heard;
  const std::string here = description_of(*set);
  for (const std::string& devices : {std::string("a GPU"), here + ", " + here, std::string()}) {
    const KeptRates kept(slow_processor(gpu(devices)));
    check_encoding(Codec(kChosenPackets, {.wisdom = "user"}), make_code(kChosenPackets), 480);
    const OtherDevices none(Executor::kCuda, make_device_set({}, "there is none"));
    check_encoding(Codec(kChosenPackets, {.wisdom = "user"}), make_code(kChosenPackets), 480);
  }
  CHECK(cuda_launches == 0);
  CHECK(heard.sentences.empty());
}

int opencl_launches = 0;
bool are_processors_gpus = false;

/// OpenCL as it is here, with launches counted, and processors as GPUs if a test says so.
std::shared_ptr<const DeviceSet> counted_opencl() {
  static const OpenclApi api = [] {
    OpenclApi made = *opencl_api();
    made.clEnqueueNDRangeKernel = [](cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const std::size_t* offset, const std::size_t* global,
                                     const std::size_t* local, cl_uint events,
                                     const cl_event* waits, cl_event* event) {
      ++opencl_launches;
      return opencl_api()->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                                  events, waits, event);
    };
    made.clGetDeviceIDs = [](cl_platform_id platform, cl_device_type type, cl_uint entries,
                             cl_device_id* devices, cl_uint* count) {
      if (are_processors_gpus && type == CL_DEVICE_TYPE_GPU) type = CL_DEVICE_TYPE_CPU;
      return opencl_api()->clGetDeviceIDs(platform, type, entries, devices, count);
    };
    return made;
  }();
  opencl_launches = 0;
  return make_device_set(devices_by(api), "");
}

TEST_CASE("Processors as devices are never chosen") {
  SKIP_WITHOUT_OPENCL();
  for (const bool as_gpus : {false, true}) {
    are_processors_gpus = as_gpus;
    const auto set = counted_opencl();
    if (set->pools.front()->device().is_processor() == as_gpus) continue;  // a GPU is here
    const OtherDevices other(Executor::kOpencl, set);
    DeviceRates devices = gpu(description_of(*set));
    devices.executor = Executor::kOpencl;
    const KeptRates kept(slow_processor(devices));
    for (const char* const spec : {kChosenPackets, kChosenWords}) {
      check_encoding(Codec(spec, {.wisdom = "user"}), make_code(spec), 4800);
    }
    CHECK((opencl_launches != 0) == as_gpus);
  }
}

}  // namespace
}  // namespace xorloom
