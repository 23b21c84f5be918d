#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "tests/gen/gpu/host_kernels.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/sample.hpp"

// The text of kernels, compiled for a processor and held against the oracle.

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

/// Compilers take a third of the time without optimization. Most cases are optimized.
const char* quickly() { return test::tries_all() ? "-O1" : "-O0"; }

/// The compilers of the machine that compile C++.
std::vector<Compiler> cpp_compilers() {
  std::vector<Compiler> found = compilers();
  std::erase_if(found, [](const Compiler& compiler) { return !compiler.is_cpp; });
  return found;
}

}  // namespace

TEST_CASE("every family is encoded and rebuilt by kernels in every form") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const std::vector<const Family*> every(families().begin(), families().end());
  HostKernels kernels;
  std::size_t turn = 0;
  for (const Family* family : test::sample_if_sanitized(every, 4)) {
    if (family->name == "file") continue;
    const Code code = make_code(family->example);
    for (const KernelForm form : forms_of(code)) {
      const KernelOptions options{.form = form, .vector_bytes = ++turn % 2 == 0 ? 8U : 4U};
      add_encoding(kernels, code, options);
      std::vector<Sizes> losses{{0}, {code.locations - 1}};
      if (code.promised_losses > 1) losses.push_back({turn % 2, code.locations - 1});
      for (const Sizes& lost : test::one_by_turns(losses, turn / 2)) {
        add_decoding(kernels, code, lost, options);
      }
    }
  }
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.front(), kernels, "-O0");
  for (const HostKernel& kernel : kernels) {
    const std::size_t least = chunk_multiple(kernel.code);
    for (const std::size_t multiple : Sizes{0, 1, 3}) {
      check_kernel(library, kernel, multiple * least);
    }
    if (kernel.code.arrangement == Arrangement::kWord) {
      for (const std::size_t multiple : Sizes{7, 8, 9, 200, 1030}) {
        check_kernel(library, kernel, multiple * least);
      }
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
    const KernelOptions options{
        .form = turn % 3 == 0 ? KernelForm::kIterative : KernelForm::kAccumulators,
        .vector_bytes = turn % 2 == 0 ? 4U : 8U};
    ++turn;
    add_encoding(kernels, code, options);
    add_decoding(kernels, code, {1, 4}, options);
  }
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.back(), kernels);
  for (const HostKernel& kernel : kernels) {
    check_kernel(library, kernel, 3 * chunk_multiple(kernel.code));
  }
}

TEST_CASE("symbols of every width are computed by kernels, and tails of every length") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  for (const std::string spec : {"rs:k=3,m=2,w=4", "rs:k=3,m=2,w=8,poly=0x12b", "rs:k=3,m=2,w=16",
                                 "rs:k=2,m=2,w=32", "leopard:k=3,m=2", "leopard:k=3,m=2,w=16"}) {
    const Code code = make_code(spec);
    for (const KernelForm form : forms_of(code)) {
      for (const std::size_t vector_bytes : Sizes{4, 8}) {
        add_decoding(kernels, code, {0, 2}, {.form = form, .vector_bytes = vector_bytes});
      }
    }
  }
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.back(), kernels, quickly());
  for (const HostKernel& kernel : kernels) {
    const std::size_t least = chunk_multiple(kernel.code);
    for (std::size_t multiple = 0; multiple <= 40; ++multiple) {
      check_kernel(library, kernel, multiple * least);
    }
    for (const std::size_t bytes : Sizes{127, 128, 129, 1020, 1024, 1028, 2048, 4096, 5000}) {
      check_kernel(library, kernel, bytes * least);
    }
  }
}

TEST_CASE("sums of more values than registers hold are computed in parts") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  add_encoding(kernels, make_code("cauchy-good:k=4,m=14,w=8"),
               {.form = KernelForm::kAccumulators, .vector_bytes = 4});
  add_encoding(kernels, make_code("rs:k=60,m=3"), {.form = KernelForm::kHorner, .vector_bytes = 8});
  add_encoding(kernels, make_code("rs:k=3,m=16"),
               {.form = KernelForm::kBitSliced, .vector_bytes = 4});
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.front(), kernels);
  for (const HostKernel& kernel : kernels) {
    check_kernel(library, kernel, 5 * chunk_multiple(kernel.code));
  }
  CHECK(kernels[0].text.source.find("  {\n") != std::string::npos);
  CHECK(kernels[1].text.source.find(" ^ A;\n") != std::string::npos);
}

TEST_CASE("iterative equations with temporaries are computed by kernels") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  const auto add = [&](const std::string& spec, const std::vector<std::size_t>& lost) {
    const Code code = make_code(spec);
    const Request request{.erased = lost, .over = over_of(code)};
    const Program program = optimize(searched_program(code, request), {.effort = Effort::kFast});
    const LinearMap map = lost.empty() ? encoding_map(code) : decoding_map(code, lost);
    for (const KernelForm form : forms_of(code))
      add_kernel(kernels, code, program, map, {.form = form});
    add_kernel(kernels, code, program, map, {});
  };
  add("cauchy-good:k=6,m=3,w=8", {});
  add("cauchy-good:k=6,m=3,w=8", {0, 2, 7});
  add("clay:k=4,m=2", {});
  add("clay:k=4,m=2", {1});
  add("lrc:k=8,m=4,l=3", {0, 1});
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.front(), kernels, quickly());
  for (const HostKernel& kernel : kernels) {
    check_kernel(library, kernel, 3 * chunk_multiple(kernel.code));
  }
}

TEST_CASE("products are looked up in every kind of table and memory") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  const Code code = make_code("rs:k=3,m=2");
  for (const KernelTables tables : kKernelTables) {
    for (const KernelTableMemory memory : kKernelTableMemories) {
      if (tables == KernelTables::kFull && memory == KernelTableMemory::kLocal) continue;
      add_decoding(kernels, code, {0, 3},
                   {.form = KernelForm::kTables, .tables = tables, .table_memory = memory});
    }
  }
  add_encoding(kernels, make_code("leopard:k=4,m=2"), {.form = KernelForm::kTables});
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.front(), kernels);
  for (const HostKernel& kernel : kernels) {
    check_kernel(library, kernel, 301 * chunk_multiple(kernel.code));
  }
}

TEST_CASE("a file whose kernel takes tables has another kernel that writes them") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const Code code = make_code("rs:k=3,m=2");
  const NamedProgram program{"run", direct_encoding(code, {}, Over::kSymbols)};
  const TemporaryFolder folder;
  for (const KernelTables tables : {KernelTables::kFull, KernelTables::kCarry}) {
    for (const KernelTableMemory memory : kKernelTableMemories) {
      if (tables == KernelTables::kFull && memory == KernelTableMemory::kLocal) continue;
      CAPTURE(memory_name(memory));
      HostKernels kernels;
      const KernelOptions options{
          .form = KernelForm::kTables, .tables = tables, .table_memory = memory};
      add_encoding(kernels, code, options);
      HostKernel& kernel = kernels.front();
      KernelOptions of_file = options;
      of_file.language = KernelLanguage::kHost;
      of_file.name = "test0";
      folder.write("file.cpp", emit_kernels(code, std::vector{program}, of_file));
      const std::string name =
          fmt::format("file-{}-{}.so", tables_name(tables), memory_name(memory));
      REQUIRE(complaint_of(folder, fmt::format("{} -std=c++17 -O1 -Wall -Wextra -Wshadow -Werror "
                                               "-shared -fPIC -o {} file.cpp",
                                               all.front().name, name)) == "");
      const LoadedLibrary library(folder / name);
      std::vector<std::uint8_t>& expected = kernel.text.tables;
      CHECK(expected.empty() == (memory == KernelTableMemory::kConstant));
      if (!expected.empty()) {
        std::vector<std::uint8_t> written(expected.size());
        library.function<void(unsigned char*)>(kernel.text.entry + "_tables")(written.data());
        CHECK(written == expected);
      }
      check_kernel(library, kernel, 301);
    }
  }
}

TEST_CASE("an update is computed from differences and old redundancy") {
  const std::vector<Compiler> all = cpp_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  HostKernels kernels;
  for (const std::string spec : {"cauchy-good:k=4,m=2,w=4", "rs:k=4,m=2"}) {
    const Code code = make_code(spec);
    for (const KernelForm form : forms_of(code)) {
      const Program program = direct_update(code, Sizes{1, 2}, {}, over_of(code));
      kernels.push_back({code, program, {}, {}});
      kernels.back().text = emit_kernel(code, {"run", program},
                                        {.language = KernelLanguage::kHost,
                                         .form = form,
                                         .name = fmt::format("test{}", kernels.size())});
      // Locations past the code's: two of differences, two of old and two of updated redundancy.
      CHECK(kernels.back().text.chunks == Sizes{6, 7, 8, 9, 10, 11});
      kernels.back().oracle = [code](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
        Stripe difference(code.locations, chunk_bytes, 1);
        for (const std::size_t i : Sizes{0, 1, 2, 3}) {
          std::ranges::fill(difference.chunk(i), std::uint8_t{0});
        }
        for (const std::size_t i : Sizes{1, 2}) {
          std::copy_n(chunks[5 + i], chunk_bytes, difference.chunks()[i]);
        }
        oracle(code, encoding_map(code), difference.chunks(), chunk_bytes);
        for (const std::size_t i : Sizes{0, 1}) {
          for (std::size_t at = 0; at < chunk_bytes; ++at) {
            chunks[10 + i][at] =
                static_cast<std::uint8_t>(chunks[8 + i][at] ^ difference.chunk(4 + i)[at]);
          }
        }
      };
    }
  }
  const TemporaryFolder folder;
  const LoadedLibrary library = build(folder, all.front(), kernels);
  for (const HostKernel& kernel : kernels) {
    check_kernel(library, kernel, 3 * chunk_multiple(kernel.code));
  }
}

}  // namespace xorloom
