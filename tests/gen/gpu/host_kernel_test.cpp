#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "tests/gen/gpu/host_kernels.hpp"
#include "tests/support/compilers.hpp"

// The text of kernels, compiled for a processor and held against the oracle.

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

/// Those of the machine that compile C++.
std::vector<Compiler> cpp_compilers() {
  std::vector<Compiler> found = compilers();
  std::erase_if(found, [](const Compiler& compiler) { return !compiler.is_cpp; });
  return found;
}

}  // namespace

TEST_CASE("every family on packets is encoded and rebuilt by kernels") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    const Code code = make_code(family->example);
    if (code.arrangement != Arrangement::kPacket) continue;
    for (const std::size_t vector_bytes : Sizes{4, 8}) {
      const KernelOptions options{.vector_bytes = vector_bytes};
      add_encoding(kernels, code, options);
      add_decoding(kernels, code, {0}, options);
      add_decoding(kernels, code, {code.locations - 1}, options);
    }
  }
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.front(), kernels);
  for (const HostKernel& kernel : kernels) {
    for (const std::size_t super_blocks : Sizes{0, 1, 3}) {
      check_kernel(library, kernel, super_blocks * chunk_multiple(kernel.code));
    }
  }
}

TEST_CASE("packets of 8 to 4096 bytes are computed by kernels") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  std::size_t turn = 0;
  for (const std::size_t packet_bytes : Sizes{8, 24, 64, 1000, 4096}) {
    const Code code = make_code("cauchy-good:k=4,m=2,w=4", {.packet_bytes = packet_bytes});
    const KernelOptions options{.vector_bytes = ++turn % 2 == 0 ? std::size_t{4} : 8};
    add_encoding(kernels, code, options);
    add_decoding(kernels, code, {1, 4}, options);
  }
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.back(), kernels);
  for (const HostKernel& kernel : kernels) {
    check_kernel(library, kernel, 3 * chunk_multiple(kernel.code));
  }
}

}  // namespace xorloom
