// A driver of CUDA and an NVRTC for tests, as one shared library under the names of both: the
// memory of a device is memory of the host, streams do their work at once, and a text is compiled
// by g++ or clang++ and run one work item after the other. The environment says what fails:
//
//   XORLOOM_FAKE_CUDA_INIT    what cuInit gives; the toolkit's stub gives 34
//   XORLOOM_FAKE_CUDA_COUNT   the number of devices; 1 if it is not set
//   XORLOOM_FAKE_CUDA_GROUPS  the most groups of a launch that run, and 2 ms pass for the others;
//                             all run if it is not set

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#ifndef XORLOOM_COMPILER_PREFIX
#define XORLOOM_COMPILER_PREFIX ""  // as in tests/support/compilers.hpp
#endif
#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using Address = unsigned long long;
using Run = void(void** arguments, unsigned groups, unsigned group);

int number_of(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Memory that was allocated: by its beginning, its bytes and whether it is the host's.
struct Allocation {
  std::size_t bytes;
  bool is_host;
};
std::mutex mutex;
std::map<Address, Allocation> allocations;

int allocate(void** memory, std::size_t bytes, bool is_host) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (*memory == nullptr) return 2;
  const std::lock_guard lock(mutex);
  allocations[reinterpret_cast<Address>(*memory)] = {bytes, is_host};
  return 0;
}

int release(Address address) {
  const std::lock_guard lock(mutex);
  if (allocations.erase(address) == 0) return 1;
  std::free(reinterpret_cast<void*>(address));
  return 0;
}

/// The allocation that some bytes lie in, or null.
const Allocation* allocation_of(Address address, std::size_t bytes) {
  const std::lock_guard lock(mutex);
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin()) return nullptr;
  --next;
  return address + bytes <= next->first + next->second.bytes ? &next->second : nullptr;
}

bool is_on_device(Address address, std::size_t bytes) {
  const Allocation* const found = allocation_of(address, bytes);
  return found != nullptr && !found->is_host;
}

struct Program {
  std::string source;
  std::string log;
  std::vector<char> binary;
};

struct Module {
  void* library;
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// A text of CUDA as C++ with a function `fake_run`.
std::string host_text(const std::string& source) {
  std::string text =
      "struct fake_index { unsigned x; };\n"
      "static thread_local fake_index blockIdx, blockDim, threadIdx;\n"
      "#define __global__\n#define __device__\n#define __constant__\n#define __shared__ static\n"
      "#define __forceinline__ inline\n#define __launch_bounds__(threads)\n#define __syncwarp()\n"
      "#define __syncthreads()\n";
  text += replaced(source,
                   R"(asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));)",
                   "sum = a ^ b ^ c;");
  text = replaced(text, R"(asm volatile("" : "+r"(value)))", "(void)0");
  text = replaced(text, R"(asm volatile("" : "+l"(value)))", "(void)0");
  const std::size_t end = source.find("_places {");
  const std::size_t begin = source.rfind(' ', end) + 1;
  const std::string entry = source.substr(begin, end - begin);
  text +=
      "extern \"C\" void fake_run(void** p, unsigned groups, unsigned group) {\n"
      "  blockDim.x = group;\n"
      "  for (unsigned b = 0; b < groups; ++b) for (unsigned t = 0; t < group; ++t) {\n"
      "    blockIdx.x = b; threadIdx.x = t;\n    " +
      entry + "(*(unsigned char**)p[0], *(" + entry +
      "_places*)p[1], *(unsigned long long*)p[2], *(unsigned long long*)p[3]);\n  }\n}\n";
  return text;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A new folder below the one for temporary files.
std::string new_folder() {
  const char* const parent = std::getenv("TMPDIR");
  std::string name = std::string(parent != nullptr ? parent : "/tmp") + "/xorloom-cuda-XXXXXX";
  return ::mkdtemp(name.data()) != nullptr ? name : "";
}

int compile(Program& program) {
  const std::string folder = new_folder();
  if (folder.empty()) return 1;
  std::ofstream(folder + "/text.cpp") << host_text(program.source);
  const std::string command = "cd '" + folder +
                              "' && { c=" XORLOOM_COMPILER_PREFIX
                              "g++; command -v $c || c=clang++; $c -std=c++17 -O1 -w "
                              "-fno-strict-aliasing -shared -fPIC -o text.so text.cpp; } >log 2>&1";
  const int status = std::system(command.c_str());
  program.log = content_of(folder + "/log");
  const std::string binary = content_of(folder + "/text.so");
  // Images have no length of their own as cubins do.
  const std::uint64_t bytes = binary.size();
  program.binary.resize(sizeof bytes);
  std::memcpy(program.binary.data(), &bytes, sizeof bytes);
  program.binary.insert(program.binary.end(), binary.begin(), binary.end());
  static_cast<void>(std::system(("rm -rf '" + folder + "'").c_str()));
  return status == 0 ? 0 : 6;
}

int load(Module*& module, const char* image) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, image, sizeof bytes);
  if (bytes == 0 || bytes > (std::uint64_t{1} << 24)) return 200;
  const std::string folder = new_folder();
  if (folder.empty()) return 999;
  const std::string path = folder + "/image.so";
  std::ofstream(path, std::ios::binary)
      .write(image + sizeof bytes, static_cast<std::streamsize>(bytes));
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  static_cast<void>(std::system(("rm -rf '" + folder + "'").c_str()));
  if (library == nullptr) return 200;
  module = new Module{library};
  return 0;
}

}  // namespace

EXPORT int cuInit(unsigned) { return number_of("XORLOOM_FAKE_CUDA_INIT", 0); }
EXPORT int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
EXPORT int cuGetErrorString(int error, const char** text) {
  *text = error == 2 ? "out of memory" : error == 34 ? "stub library" : "a fake error";
  return 0;
}
EXPORT int cuDeviceGetCount(int* count) {
  *count = number_of("XORLOOM_FAKE_CUDA_COUNT", 1);
  return 0;
}
EXPORT int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
EXPORT int cuDeviceGetName(char* name, int bytes, int device) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "fake GPU %d", device);
  return 0;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  static int contexts[64];
  *context = &contexts[device % 64];
  return 0;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
EXPORT int cuCtxPushCurrent_v2(void*) { return 0; }
EXPORT int cuCtxPopCurrent_v2(void**) { return 0; }
EXPORT int cuMemAlloc_v2(Address* address, std::size_t bytes) {
  void* memory = nullptr;
  const int result = allocate(&memory, bytes, false);
  *address = reinterpret_cast<Address>(memory);
  return result;
}
EXPORT int cuMemFree_v2(Address address) { return release(address); }
EXPORT int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return allocate(memory, bytes, true);
}
EXPORT int cuMemFreeHost(void* memory) { return release(reinterpret_cast<Address>(memory)); }
EXPORT int cuPointerGetAttribute(void* data, int attribute, Address address) {
  const Allocation* const found = allocation_of(address, 1);
  if (found == nullptr) return 1;
  const int value = attribute == 2 ? (found->is_host ? 1 : 2) : 0;
  std::memcpy(data, &value, sizeof value);
  return 0;
}
EXPORT int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void*) {
  if (!is_on_device(to, bytes)) return 1;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
EXPORT int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void*) {
  if (!is_on_device(from, bytes)) return 1;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
EXPORT int cuStreamCreate(void** stream, unsigned) {
  *stream = new int(0);
  return 0;
}
EXPORT int cuStreamDestroy_v2(void* stream) {
  delete static_cast<int*>(stream);
  return 0;
}
EXPORT int cuStreamSynchronize(void*) { return 0; }
EXPORT int cuModuleLoadData(void** module, const void* image) {
  Module* made = nullptr;
  const int result = load(made, static_cast<const char*>(image));
  *module = made;
  return result;
}
EXPORT int cuModuleUnload(void* module) {
  ::dlclose(static_cast<Module*>(module)->library);
  delete static_cast<Module*>(module);
  return 0;
}
EXPORT int cuModuleGetFunction(void** function, void* module, const char* name) {
  void* const library = static_cast<Module*>(module)->library;
  if (::dlsym(library, name) == nullptr) return 500;
  *function = ::dlsym(library, "fake_run");
  return *function != nullptr ? 0 : 500;
}
EXPORT int cuLaunchKernel(void* function, unsigned groups, unsigned, unsigned, unsigned group,
                          unsigned, unsigned, unsigned, void*, void** arguments, void**) {
  const auto most = static_cast<unsigned>(number_of("XORLOOM_FAKE_CUDA_GROUPS", -1));
  if (groups > most) ::usleep(2000);
  reinterpret_cast<Run*>(function)(arguments, groups < most ? groups : most, group);
  return 0;
}

EXPORT int nvrtcCreateProgram(void** program, const char* source, const char*, int,
                              const char* const*, const char* const*) {
  *program = new Program{source, {}, {}};
  return 0;
}
EXPORT int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  return 0;
}
EXPORT int nvrtcCompileProgram(void* program, int, const char* const*) {
  return compile(*static_cast<Program*>(program));
}
EXPORT int nvrtcGetProgramLogSize(void* program, std::size_t* bytes) {
  *bytes = static_cast<Program*>(program)->log.size() + 1;
  return 0;
}
EXPORT int nvrtcGetProgramLog(void* program, char* log) {
  std::strcpy(log, static_cast<Program*>(program)->log.c_str());
  return 0;
}
EXPORT int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
  *bytes = static_cast<Program*>(program)->binary.size();
  return 0;
}
EXPORT int nvrtcGetCUBIN(void* program, char* binary) {
  const std::vector<char>& made = static_cast<Program*>(program)->binary;
  std::memcpy(binary, made.data(), made.size());
  return 0;
}
EXPORT int nvrtcGetPTXSize(void* program, std::size_t* bytes) {
  return nvrtcGetCUBINSize(program, bytes);
}
EXPORT int nvrtcGetPTX(void* program, char* ptx) { return nvrtcGetCUBIN(program, ptx); }
EXPORT int nvrtcGetNumSupportedArchs(int* count) {
  *count = 2;
  return 0;
}
EXPORT int nvrtcGetSupportedArchs(int* archs) {
  archs[0] = 80;
  archs[1] = 90;
  return 0;
}
