// GB/s of encoding, and of rebuilding m lost data chunks, by instruction set: data bytes (k chunks)
// over time, on one thread with warm caches. Every output is compared with the oracle before the
// clock starts.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "codes/families.hpp"
#include "equations/oracle.hpp"
#include "runtime/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace {

using xorloom::Codec;
using xorloom::Status;

/// Chunks in one buffer, each starting at another place of a page than its neighbours.
struct Stripe {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t*> chunks;
  Stripe(std::size_t locations, std::size_t chunk_bytes) : bytes(locations * (chunk_bytes + 576)) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      const std::uint64_t word = random();
      std::memcpy(bytes.data() + i, &word, 8);
    }
    for (std::size_t i = 0; i < locations; ++i) {
      chunks.push_back(bytes.data() + i * (chunk_bytes + 576));
    }
  }
};

void check(Status status) {
  if (status != Status::kOk) throw std::runtime_error(xorloom::last_error());
}

void run(benchmark::State& state, const std::string& spec, xorloom::Isa isa,
         std::size_t wanted_bytes, bool decode) {
  xorloom::Options options;
  options.isa = to_string(isa);
  const Codec codec(spec, options);
  const xorloom::Info info = codec.info();
  const std::size_t chunk_bytes = codec.round_up(wanted_bytes);
  Stripe stripe(info.locations, chunk_bytes);

  const xorloom::Code code = xorloom::make_code(spec);
  xorloom::oracle(code, xorloom::encoding_map(code), stripe.chunks.data(), chunk_bytes);
  const std::vector<std::uint8_t> expected = stripe.bytes;
  std::vector<std::size_t> lost(info.m);
  std::iota(lost.begin(), lost.end(), decode ? std::size_t{0} : info.k);
  for (const std::size_t location : lost) std::memset(stripe.chunks[location], 0xee, chunk_bytes);

  const xorloom::Plan plan = decode ? codec.decoding(lost) : codec.encoding();
  check(plan.run(stripe.chunks.data(), chunk_bytes));
  if (stripe.bytes != expected) throw std::runtime_error(spec + ": wrong bytes");
  for (auto _ : state) {
    check(plan.run(stripe.chunks.data(), chunk_bytes));
    benchmark::ClobberMemory();
  }
  state.counters["data_bytes"] = benchmark::Counter(static_cast<double>(info.k * chunk_bytes),
                                                    benchmark::Counter::kIsIterationInvariantRate,
                                                    benchmark::Counter::kIs1000);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* spec :
       {"cauchy-good:k=10,m=4,w=8", "cauchy-good:k=10,m=4,w=4",
        "cauchy-good:k=10,m=4,w=8,packet_bytes=4096", "isa-cauchy:k=10,m=4", "rs:k=10,m=4,w=16"}) {
    for (const xorloom::Isa isa : xorloom::machine_isas()) {
      for (const std::size_t kib : {std::size_t{32}, std::size_t{4096}}) {
        for (const bool decode : {false, true}) {
          const std::string name = std::string(spec) + "/" + to_string(isa) + "/" +
                                   std::to_string(kib) + "KiB" + (decode ? "/decode" : "/encode");
          benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            run(state, spec, isa, kib << 10, decode);
          });
        }
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
