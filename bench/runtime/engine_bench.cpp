// GB/s of encoding, of rebuilding m lost data chunks, and of every way of plain XOR with the same
// number of chunks, by instruction set: data bytes (k chunks) over time, on one thread with warm
// caches, in the sizes of `xorloom bench`. Every output is compared with the oracle's, or with that
// of another instruction set, before the clock starts.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/plain_xor.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "xorloom/xorloom.hpp"

namespace {

using xorloom::Codec;
using xorloom::Status;

/// Chunks in one buffer that begin at lines, each at another place of a page than its neighbours.
struct Stripe {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t*> chunks;
  Stripe(std::size_t locations, std::size_t chunk_bytes) {
    constexpr std::size_t kPage = 4096;
    const std::size_t pitch = (chunk_bytes + kPage - 1) / kPage * kPage + 576;
    bytes.resize(locations * pitch + kPage);
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      const std::uint64_t word = random();
      std::memcpy(bytes.data() + i, &word, 8);
    }
    const std::size_t first = kPage - reinterpret_cast<std::uintptr_t>(bytes.data()) % kPage;
    for (std::size_t i = 0; i < locations; ++i) chunks.push_back(bytes.data() + first + i * pitch);
  }
};

void check(Status status) {
  if (status != Status::kOk) throw std::runtime_error(xorloom::last_error());
}

void count_bytes(benchmark::State& state, std::size_t data_bytes) {
  state.counters["data_bytes"] = benchmark::Counter(static_cast<double>(data_bytes),
                                                    benchmark::Counter::kIsIterationInvariantRate,
                                                    benchmark::Counter::kIs1000);
}

/// Encodes by the oracle; stripes above 4 MiB, which would take long, by another instruction set.
void encode_otherwise(const std::string& spec, xorloom::Isa isa, Stripe& stripe,
                      std::size_t chunk_bytes) {
  const std::vector<xorloom::Isa>& isas = xorloom::machine_isas();
  const xorloom::Isa other = isa == isas.front() ? isas.back() : isas.front();
  if (stripe.bytes.size() > std::size_t{4} << 20 && other != isa) {
    xorloom::Options options;
    options.isa = other;
    return check(Codec(spec, options).encode(stripe.chunks.data(), chunk_bytes));
  }
  const xorloom::Code code = xorloom::make_code(spec);
  xorloom::oracle(code, xorloom::encoding_map(code), stripe.chunks.data(), chunk_bytes);
}

void run(benchmark::State& state, const std::string& spec, xorloom::Isa isa,
         std::size_t wanted_bytes, bool decode) {
  xorloom::Options options;
  options.isa = isa;
  const Codec codec(spec, options);
  const xorloom::Info info = codec.info();
  const std::size_t chunk_bytes = codec.round_up(wanted_bytes);
  Stripe stripe(info.locations, chunk_bytes);

  encode_otherwise(spec, isa, stripe, chunk_bytes);
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
  count_bytes(state, info.k * chunk_bytes);
}

void run_limit(benchmark::State& state, xorloom::Isa isa, const xorloom::PlainXorShape& shape,
               std::size_t k, std::size_t m, std::size_t chunk_bytes) {
  Stripe stripe(k + m, chunk_bytes);
  const xorloom::PlainXorStreams streams{stripe.chunks.data(), k, stripe.chunks.data() + k, m};
  for (auto _ : state) {
    xorloom::plain_xor(isa, shape, streams, 0, chunk_bytes);
    benchmark::ClobberMemory();
  }
  count_bytes(state, k * chunk_bytes);
}

struct Size {
  const char* level;
  std::size_t stripe_bytes;
};

/// Half of L1, half of L2, four times L2, four times L3 but at most 512 MiB.
std::vector<Size> sizes() {
  const xorloom::CacheSizes caches = xorloom::cache_sizes();
  return {{"L1", caches.l1 / 2},
          {"L2", caches.l2 / 2},
          {"L3", 4 * caches.l2},
          {"DRAM", std::min(4 * caches.l3, std::size_t{512} << 20)}};
}

void add_code(const std::string& spec, xorloom::Isa isa, const Size& size) {
  const std::size_t chunk_bytes = size.stripe_bytes / xorloom::Codec(spec).info().locations;
  for (const bool decode : {false, true}) {
    const std::string name =
        spec + "/" + to_string(isa) + "/" + size.level + (decode ? "/decode" : "/encode");
    benchmark::RegisterBenchmark(
        name.c_str(), [=](benchmark::State& state) { run(state, spec, isa, chunk_bytes, decode); });
  }
}

void add_limits(std::size_t k, std::size_t m, xorloom::Isa isa, const Size& size) {
  const std::size_t chunk_bytes = size.stripe_bytes / (k + m) / 64 * 64;
  for (const xorloom::PlainXorVariant& variant : xorloom::plain_xor_variants(isa)) {
    const std::string name = "limit " + std::to_string(k) + "+" + std::to_string(m) + "/" +
                             to_string(isa) + "/" + size.level + "/" + variant.name;
    benchmark::RegisterBenchmark(name.c_str(), [=, shape = variant.shape](benchmark::State& state) {
      run_limit(state, isa, shape, k, m, chunk_bytes);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const xorloom::Isa isa : xorloom::machine_isas()) {
    for (const Size& size : sizes()) {
      for (const char* spec : {"cauchy-good:k=10,m=4,w=8", "cauchy-good:k=10,m=4,w=4",
                               "cauchy-good:k=10,m=4,w=8,packet_bytes=4096", "isa-cauchy:k=10,m=4",
                               "rs:k=10,m=4,w=16"}) {
        add_code(spec, isa, size);
      }
      add_limits(10, 4, isa, size);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
