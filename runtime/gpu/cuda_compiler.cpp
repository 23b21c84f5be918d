#include "runtime/gpu/cuda_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "codes/text/error.hpp"
#include "runtime/gpu/build_log.hpp"

namespace xorloom {
namespace {

void check(int result, const char* what) {
  if (result == kNvrtcSuccess) return;
  fail(Status::kUnsupported, fmt::format("NVRTC failed: {} gave its error {}", what, result));
}

/// The program of NVRTC for a text.
class OwnedProgram {
 public:
  OwnedProgram(const NvrtcApi& api, const std::string& source) : api_(api) {
    check(api.create(&program_, source.c_str(), "xorloom.cu", 0, nullptr, nullptr), "a program");
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
    check(get_size(program_, &size), what);
    std::vector<std::uint8_t> bytes(size);
    check(get_bytes(program_, reinterpret_cast<char*>(bytes.data())), what);
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
  check(api.num_archs(&count), "the devices it knows");
  std::vector<int> known(static_cast<std::size_t>(std::max(0, count)));
  if (!known.empty()) check(api.archs(known.data()), "the devices it knows");
  return known;
}

}  // namespace

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

}  // namespace xorloom
