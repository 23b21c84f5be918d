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
#include "tests/gen/gpu/host_kernels.hpp"
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
  std::size_t three_way_xors = 0;  ///< XORs of two or three operands
};

template <typename Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Counts the instructions LOP3 of a kernel in a cubin that are XORs of two or three operands. An
/// instruction is 16 bytes, its low 9 bits are the operation, and byte 9 of a LOP3 is its table of
/// truth.
std::size_t count_xors(const std::string& cubin, const std::string& entry) {
  const auto sections = number_at<std::uint64_t>(cubin, 40);
  const auto names = number_at<std::uint64_t>(
      cubin, sections + 64 * std::size_t{number_at<std::uint16_t>(cubin, 62)} + 24);
  std::size_t xors = 0;
  for (std::size_t i = 0; i < number_at<std::uint16_t>(cubin, 60); ++i) {
    const std::size_t header = sections + 64 * i;
    const std::string name(cubin.c_str() + names + number_at<std::uint32_t>(cubin, header));
    if (name != ".text." + entry) continue;
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

void add_cuda(std::vector<KernelText>& kernels, const Code& code, const Program& program,
              KernelOptions options) {
  options.language = KernelLanguage::kCuda;
  options.name = fmt::format("test{}", kernels.size());
  kernels.push_back(emit_kernel(code, {"run", program}, options));
}

/// All kernels in one file, as the compiler takes longer to start than for most of them.
std::vector<Compiled> compiled(const std::string& compiler,
                               const std::vector<KernelText>& kernels) {
  const TemporaryFolder folder;
  std::string source;
  for (const KernelText& kernel : kernels) source += in_namespace(kernel);
  folder.write("kernels.cu", source);
  REQUIRE(complaint_of(folder, fmt::format("'{}' -arch=sm_90 -cubin -Xptxas -v -o kernels.cubin "
                                           "kernels.cu >said 2>&1 || {{ cat said; false; }}",
                                           compiler)) == "");
  const std::string said = folder.read("said");
  const std::string cubin = folder.read("kernels.cubin");
  std::vector<Compiled> result;
  for (const KernelText& kernel : kernels) {
    const std::string begin = "Compiling entry function ";
    const std::size_t at = said.find(begin + "'" + kernel.entry + "'");
    REQUIRE_MESSAGE(at != std::string::npos, said);
    const std::string part = said.substr(at, said.find(begin, at + 1) - at);
    result.push_back({number_in(part, "Used (\\d+) registers"),
                      number_in(part, "(\\d+) bytes spill stores"),
                      count_xors(cubin, kernel.entry)});
  }
  return result;
}

Program iterative(const Code& code, const std::vector<std::size_t>& lost) {
  return optimize(searched_program(code, {.erased = lost}), {.effort = Effort::kNormal});
}

}  // namespace

TEST_CASE("accumulators take at most 64 registers and the three-way XORs of the equations") {
  const std::string compiler = nvcc();
  SKIP_WITHOUT_NVCC(compiler);
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const Code wide = make_code("cauchy-good:k=28,m=4,w=8");
  const KernelOptions options{.form = KernelForm::kAccumulators, .vector_bytes = 4};
  std::vector<KernelText> kernels;
  add_cuda(kernels, code, direct_encoding(code), options);
  add_cuda(kernels, wide, direct_encoding(wide), options);
  const std::vector<Compiled> all = compiled(compiler, kernels);
  for (const Compiled& kernel : all) {
    CHECK(kernel.registers <= 64);
    CHECK(kernel.spilled_bytes == 0);
  }
  CHECK(all[0].three_way_xors <= 437);
  CHECK(all[1].three_way_xors <= 1348);
  CHECK(all[1].three_way_xors > all[0].three_way_xors);
}

TEST_CASE("iterative kernels take the three-way XORs of their equations and spill nothing") {
  const std::string compiler = nvcc();
  SKIP_WITHOUT_NVCC(compiler);
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const KernelOptions options{.form = KernelForm::kIterative, .vector_bytes = 4};
  std::vector<KernelText> kernels;
  add_cuda(kernels, code, iterative(code, {}), options);
  add_cuda(kernels, code, iterative(code, {0, 1, 2, 3}), options);
  const std::vector<Compiled> all = compiled(compiler, kernels);
  for (const Compiled& kernel : all) {
    CHECK(kernel.registers <= 128);
    CHECK(kernel.spilled_bytes == 0);
    CHECK(kernel.three_way_xors > 100);
  }
  CHECK(all[0].three_way_xors <= 245);
  CHECK(all[1].three_way_xors <= 291);
}

TEST_CASE("kernels that are chosen by the price spill nothing, whatever their vectors are") {
  const std::string compiler = nvcc();
  SKIP_WITHOUT_NVCC(compiler);
  std::vector<KernelText> kernels;
  std::vector<std::string> names;
  for (const std::string spec : {"cauchy-good:k=10,m=4,w=8", "rs:k=10,m=4", "rs:k=10,m=4,w=16",
                                 "leopard:k=10,m=4", "clay:k=4,m=2"}) {
    const Code code = make_code(spec);
    const Program program = direct_encoding(code, {}, over_of(code));
    for (const std::size_t vector_bytes : std::vector<std::size_t>{4, 8}) {
      add_cuda(kernels, code, program, {.vector_bytes = vector_bytes});
      names.push_back(fmt::format("{}, vectors of {} bytes", spec, vector_bytes));
    }
  }
  const std::vector<Compiled> all = compiled(compiler, kernels);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(names[i]);
    CHECK(all[i].spilled_bytes == 0);
  }
}

}  // namespace xorloom
