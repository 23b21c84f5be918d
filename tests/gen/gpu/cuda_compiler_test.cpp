#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <regex>
#include <string>
#include <system_error>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/temporary_folder.hpp"

// Kernels as NVIDIA's compiler makes them for sm_90: registers, spills and three-way XORs.

namespace xorloom {
namespace {

/// The compiler, on the PATH or where its packages put it; empty if it is not there.
std::string nvcc() {
  if (is_on_path("nvcc")) return "nvcc";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/local", none)) {
    const std::filesystem::path compiler = entry.path() / "bin" / "nvcc";
    const bool is_cuda = entry.path().filename().string().starts_with("cuda");
    if (is_cuda && ::access(compiler.c_str(), X_OK) == 0) return compiler.string();
  }
  return "";
}

#define SKIP_WITHOUT_NVCC(compiler)                                          \
  if ((compiler).empty()) {                                                  \
    MESSAGE("SKIPPED: there is no nvcc on the PATH nor in /usr/local/cuda"); \
    return;                                                                  \
  }

struct Compiled {
  std::size_t registers = 0;
  std::size_t spilled_bytes = 0;
  std::size_t three_way_xors = 0;  ///< those of two operands among them
};

template <typename Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Counts the instructions LOP3 of a cubin that are XORs of two or three operands. An instruction
/// is 16 bytes, its low 9 bits are the operation, and byte 9 of a LOP3 is its table of truth.
std::size_t count_xors(const std::string& cubin) {
  const auto sections = number_at<std::uint64_t>(cubin, 40);
  const auto names = number_at<std::uint64_t>(
      cubin, sections + 64 * std::size_t{number_at<std::uint16_t>(cubin, 62)} + 24);
  std::size_t xors = 0;
  for (std::size_t i = 0; i < number_at<std::uint16_t>(cubin, 60); ++i) {
    const std::size_t header = sections + 64 * i;
    const std::string name(cubin.c_str() + names + number_at<std::uint32_t>(cubin, header));
    if (!name.starts_with(".text.")) continue;
    const auto begin = number_at<std::uint64_t>(cubin, header + 24);
    const auto size = number_at<std::uint64_t>(cubin, header + 32);
    for (std::size_t at = begin; at < begin + size; at += 16) {
      if ((number_at<std::uint16_t>(cubin, at) & 0x1ff) != 0x12) continue;
      const auto table = static_cast<std::uint8_t>(cubin[at + 9]);
      for (const int of_xor : {0x96, 0x3c, 0x5a, 0x66}) xors += table == of_xor ? 1 : 0;
    }
  }
  return xors;
}

std::size_t number_in(const std::string& text, const std::string& expression) {
  std::smatch match;
  REQUIRE_MESSAGE(std::regex_search(text, match, std::regex(expression)), text);
  return std::stoul(match[1].str());
}

Compiled compiled(const std::string& compiler, const Code& code, const Program& program,
                  KernelOptions options) {
  options.language = KernelLanguage::kCuda;
  const TemporaryFolder folder;
  folder.write("kernel.cu", emit_kernel(code, {"run", program}, options).source);
  REQUIRE(complaint_of(folder, fmt::format("'{}' -arch=sm_90 -cubin -Xptxas -v -o kernel.cubin "
                                           "kernel.cu >said 2>&1 || {{ cat said; false; }}",
                                           compiler)) == "");
  const std::string said = folder.read("said");
  return {number_in(said, "Used (\\d+) registers"), number_in(said, "(\\d+) bytes spill stores"),
          count_xors(folder.read("kernel.cubin"))};
}

Program iterative(const Code& code, const std::vector<std::size_t>& lost) {
  return optimize(searched_program(code, {.erased = lost}), {.effort = Effort::kNormal});
}

}  // namespace

TEST_CASE("accumulators take at most 64 registers and the three-way XORs of the equations") {
  const std::string compiler = nvcc();
  SKIP_WITHOUT_NVCC(compiler);
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const KernelOptions options{.form = KernelForm::kAccumulators, .vector_bytes = 4};
  const Compiled encoding = compiled(compiler, code, direct_encoding(code), options);
  CHECK(encoding.registers <= 64);
  CHECK(encoding.spilled_bytes == 0);
  CHECK(encoding.three_way_xors <= 437);
  const Code wide = make_code("cauchy-good:k=28,m=4,w=8");
  const Compiled of_28 = compiled(compiler, wide, direct_encoding(wide), options);
  CHECK(of_28.registers <= 64);
  CHECK(of_28.spilled_bytes == 0);
  CHECK(of_28.three_way_xors <= 1348);
}

TEST_CASE("iterative kernels take the three-way XORs of their equations and spill nothing") {
  const std::string compiler = nvcc();
  SKIP_WITHOUT_NVCC(compiler);
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const KernelOptions options{.form = KernelForm::kIterative, .vector_bytes = 4};
  const Compiled encoding = compiled(compiler, code, iterative(code, {}), options);
  CHECK(encoding.registers <= 128);
  CHECK(encoding.spilled_bytes == 0);
  CHECK(encoding.three_way_xors <= 245);
  const Compiled decoding = compiled(compiler, code, iterative(code, {0, 1, 2, 3}), options);
  CHECK(decoding.registers <= 128);
  CHECK(decoding.spilled_bytes == 0);
  CHECK(decoding.three_way_xors <= 291);
}

TEST_CASE("kernels that are chosen by the price spill nothing, whatever their vectors are") {
  const std::string compiler = nvcc();
  SKIP_WITHOUT_NVCC(compiler);
  for (const std::string spec : {"cauchy-good:k=10,m=4,w=8", "rs:k=10,m=4", "rs:k=10,m=4,w=16",
                                 "leopard:k=10,m=4", "clay:k=4,m=2"}) {
    const Code code = make_code(spec);
    const Program program = direct_encoding(code, {}, over_of(code));
    for (const std::size_t vector_bytes : std::vector<std::size_t>{4, 8}) {
      CAPTURE(spec);
      CAPTURE(vector_bytes);
      CHECK(compiled(compiler, code, program, {.vector_bytes = vector_bytes}).spilled_bytes == 0);
    }
  }
}

}  // namespace xorloom
