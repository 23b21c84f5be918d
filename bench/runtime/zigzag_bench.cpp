// Zigzag codes as Qin et al. measure them (A generic FPGA accelerator for minimum storage
// regenerating codes, 2019, table I and figure 5): GB/s of encoding and of rebuilding one lost
// location, over object sizes and threads. GB/s is data bytes (k chunks) over time.
//
//   batch    many objects in one go, at least 4 MiB and one per thread; each is one thread's, whole
//   slices   one object after the other, the columns of each shared among the threads
//
// Every output is compared with the oracle before the clock starts.

#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/ir/oracle.hpp"
#include "xorloom/xorloom.hpp"

namespace {

using xorloom::Chunks;
using xorloom::Codec;
using xorloom::Plan;
using xorloom::Status;

constexpr const char* kSpec = "zigzag:k=4,r=2";
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

/// Encoding, or rebuilding a location that alone is lost.
struct Operation {
  const char* name;
  bool decodes;
  std::size_t lost;
};

constexpr Operation kOperations[] = {{"encode", false, 0},
                                     {"rebuild first data", true, 0},
                                     {"rebuild second data", true, 1},
                                     {"rebuild parity", true, 4}};

void check(Status status) {
  if (status != Status::kOk) throw std::runtime_error(xorloom::last_error());
}

/// Objects of the same random data with its redundancy, by the oracle. Those of the last call are
/// kept, as benchmarks that follow take the same.
const std::vector<Chunks>& objects_of(const xorloom::Code& code, const Codec& codec,
                                      std::size_t chunk_bytes, std::size_t count) {
  static std::vector<Chunks> objects;
  if (!objects.empty() && objects[0][0].size() != chunk_bytes) objects.clear();
  while (objects.size() > count) objects.pop_back();
  while (objects.size() < count) {
    Chunks& chunks = objects.emplace_back(codec, chunk_bytes);
    if (objects.size() == 1) {
      std::independent_bits_engine<std::mt19937, 8, unsigned> random;
      for (std::size_t location = 0; location < code.locations; ++location) {
        for (std::uint8_t& byte : chunks[location]) byte = static_cast<std::uint8_t>(random());
      }
      xorloom::oracle(code, xorloom::encoding_map(code), chunks.data(), chunk_bytes);
    } else {
      for (std::size_t location = 0; location < code.locations; ++location) {
        std::ranges::copy(objects[0][location], chunks[location].begin());
      }
    }
  }
  return objects;
}

/// Forgets what the plan writes, runs it, and compares.
void verify(const Plan& plan, const Chunks& chunks, std::size_t chunk_bytes) {
  std::vector<std::vector<std::uint8_t>> expected;
  for (const std::size_t location : plan.writes()) {
    expected.emplace_back(chunks[location].begin(), chunks[location].end());
    std::ranges::fill(chunks[location], std::uint8_t{0xee});
  }
  check(plan.run(chunks.data(), chunk_bytes));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!std::ranges::equal(chunks[plan.writes()[i]], expected[i])) {
      throw std::runtime_error(std::string(kSpec) + ": wrong bytes");
    }
  }
}

void run(benchmark::State& state, const Operation& operation, bool batch, std::size_t object_bytes,
         int threads) {
  const xorloom::Code code = xorloom::make_code(kSpec);
  xorloom::Options options;
  options.threads = batch ? 1 : threads;
  const Codec codec(kSpec, options);
  const std::size_t chunk_bytes = codec.round_up(object_bytes / code.k);
  const Plan plan =
      operation.decodes ? codec.decoding(std::vector{operation.lost}) : codec.encoding();
  const std::size_t objects =
      std::max(static_cast<std::size_t>(threads), kBatchBytes / object_bytes);
  const std::vector<Chunks>& all = objects_of(code, codec, chunk_bytes, objects);
  for (const Chunks& chunks : all) verify(plan, chunks, chunk_bytes);

  tbb::task_arena arena(threads);
  for (auto _ : state) {
    if (batch) {
      arena.execute([&] {
        tbb::parallel_for(
            std::size_t{0}, objects,
            [&](std::size_t i) { check(plan.run(all[i].data(), chunk_bytes)); },
            tbb::simple_partitioner());
      });
    } else {
      for (const Chunks& chunks : all) check(plan.run(chunks.data(), chunk_bytes));
    }
    benchmark::ClobberMemory();
  }
  state.counters["data_bytes"] =
      benchmark::Counter(static_cast<double>(objects * code.k * chunk_bytes),
                         benchmark::Counter::kIsIterationInvariantRate);
}

std::string size_text(std::size_t bytes) {
  return bytes < std::size_t{1} << 20 ? std::to_string(bytes >> 10) + "KiB"
                                      : std::to_string(bytes >> 20) + "MiB";
}

/// 1, 2, 4, … threads, and all that the machine has.
std::vector<int> thread_counts() {
  const int most = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<int> result;
  for (int threads = 1; threads < most; threads *= 2) result.push_back(threads);
  result.push_back(most);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  for (std::size_t bytes = std::size_t{16} << 10; bytes <= std::size_t{64} << 20; bytes *= 8) {
    for (const Operation& operation : kOperations) {
      for (const int threads : thread_counts()) {
        for (const bool batch : {true, false}) {
          if (threads == 1 && !batch) continue;  // both ways are the same
          const std::string name = std::string(operation.name) + "/" + size_text(bytes) + "/" +
                                   (batch ? "batch" : "slices") + "/" + std::to_string(threads);
          benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            run(state, operation, batch, bytes, threads);
          })->UseRealTime();
        }
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
