// The drop-ins for libisal and libJerasure beside the libraries that they stand in for, in one
// process: 10 + 4 on words of a byte, GB/s of data. With XORLOOM_DENY_WRITTEN_PAGES=1 written pages
// may not be executed, as in a service with MemoryDenyWriteExecute.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/support/denied.hpp"

namespace {

constexpr int kData = 10;
constexpr int kRedundant = 4;
constexpr int kLocations = kData + kRedundant;

template <typename Function>
Function* find(const std::string& library, const char* name) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = handle == nullptr ? nullptr : ::dlsym(handle, name);
  if (found == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function*>(found);
}

/// Chunks in one piece of memory, 64 bytes apart, so that they do not compete for cache sets.
struct Stripe {
  explicit Stripe(int chunk_bytes)
      : bytes(static_cast<std::size_t>(kLocations) * (static_cast<std::size_t>(chunk_bytes) + 64)) {
    std::mt19937 random{1};
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    for (int i = 0; i < kLocations; ++i) chunks.push_back(bytes.data() + i * (chunk_bytes + 64));
  }
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t*> chunks{};
};

void count(benchmark::State& state, int chunk_bytes) {
  state.SetBytesProcessed(state.iterations() * kData * chunk_bytes);
}

/// The first chunks of data are lost; with none, redundancy is computed.
void run_isal(benchmark::State& state, const std::string& library, int lost, int chunk_bytes) {
  const auto cauchy = find<void(std::uint8_t*, int, int)>(library, "gf_gen_cauchy1_matrix");
  const auto invert = find<int(std::uint8_t*, std::uint8_t*, int)>(library, "gf_invert_matrix");
  const auto tables_of =
      find<void(int, int, std::uint8_t*, std::uint8_t*)>(library, "ec_init_tables");
  const auto encode = find<void(int, int, int, std::uint8_t*, std::uint8_t**, std::uint8_t**)>(
      library, "ec_encode_data");
  std::vector<std::uint8_t> matrix(kLocations * kData), rows(kData * kData),
      inverted(kData * kData);
  cauchy(matrix.data(), kLocations, kData);
  Stripe stripe(chunk_bytes);
  std::uint8_t* coefficients = matrix.data() + kData * kData;
  std::vector<std::uint8_t*> read(stripe.chunks.begin() + lost,
                                  stripe.chunks.begin() + kData + lost);
  std::vector<std::uint8_t*> written(stripe.chunks.begin() + kData, stripe.chunks.end());
  if (lost != 0) {
    std::copy_n(matrix.begin() + lost * kData, kData * kData, rows.begin());
    if (invert(rows.data(), inverted.data(), kData) != 0) return state.SkipWithError("singular");
    coefficients = inverted.data();
    written.assign(stripe.chunks.begin(), stripe.chunks.begin() + lost);
  }
  const int outputs = lost == 0 ? kRedundant : lost;
  std::vector<std::uint8_t> tables(static_cast<std::size_t>(32 * kData * outputs));
  tables_of(kData, outputs, coefficients, tables.data());
  for (auto _ : state) {
    encode(chunk_bytes, kData, outputs, tables.data(), read.data(), written.data());
    benchmark::ClobberMemory();
  }
  count(state, chunk_bytes);
}

void run_jerasure(benchmark::State& state, const std::string& library, int lost, int chunk_bytes) {
  const auto matrix_of = find<int*(int, int, int)>(library, "reed_sol_vandermonde_coding_matrix");
  const auto encode =
      find<void(int, int, int, int*, char**, char**, int)>(library, "jerasure_matrix_encode");
  const auto decode = find<int(int, int, int, int*, int, int*, char**, char**, int)>(
      library, "jerasure_matrix_decode");
  int* const matrix = matrix_of(kData, kRedundant, 8);
  Stripe stripe(chunk_bytes);
  auto** const chunks = reinterpret_cast<char**>(stripe.chunks.data());
  std::vector<int> erased;
  for (int i = 0; i < lost; ++i) erased.push_back(i);
  erased.push_back(-1);
  for (auto _ : state) {
    if (lost == 0) {
      encode(kData, kRedundant, 8, matrix, chunks, chunks + kData, chunk_bytes);
    } else if (decode(kData, kRedundant, 8, matrix, 1, erased.data(), chunks, chunks + kData,
                      chunk_bytes) != 0) {
      return state.SkipWithError("not decoded");
    }
    benchmark::ClobberMemory();
  }
  count(state, chunk_bytes);
  std::free(matrix);
}

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv("XORLOOM_DENY_WRITTEN_PAGES") != nullptr &&
      !xorloom::deny_execution_of_written_pages()) {
    std::fprintf(stderr, "this kernel cannot deny the execution of written pages\n");
    return 1;
  }
  // The first to be loaded keeps the bare name; the drop-ins are found by their paths.
  for (const char* name : {"libisal.so.2", "libJerasure.so.2"})
    ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const std::string folder = XORLOOM_DROP_INS;
  for (const int chunk_bytes : {4096, 65536, 1 << 20}) {
    for (const int lost : {0, 1, 2, kRedundant}) {
      const std::string what = (lost == 0 ? "encode" : std::to_string(lost) + " lost") + "/" +
                               std::to_string(chunk_bytes) + "/";
      for (const auto& [side, path] :
           {std::pair<std::string, std::string>{"theirs", ""}, {"ours", folder + "/"}}) {
        benchmark::RegisterBenchmark(("isal/" + what + side).c_str(), run_isal,
                                     path + "libisal.so.2", lost, chunk_bytes);
        benchmark::RegisterBenchmark(("jerasure/" + what + side).c_str(), run_jerasure,
                                     path + "libJerasure.so.2", lost, chunk_bytes);
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
