// Fingerprints beside encoding: of one chunk, as a node computes it in a scrub, and of all chunks
// of a stripe. "of encode" is the processor time as a part of that of encoding the stripe, measured
// in the same run, the best of several turns.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "xorloom/error_location.hpp"
#include "xorloom/xorloom.hpp"

namespace {

using namespace xorloom;

const std::vector<std::string> kSpecs = {"rs:k=10,m=4", "rs:k=10,m=4,w=16", "leopard:k=10,m=4",
                                         "cauchy-good:k=10,m=4,w=8"};
constexpr std::uint64_t kKey = 20;

void require(bool is_right) {
  if (!is_right) throw std::runtime_error(last_error());
}

struct Scene {
  Codec codec;
  Chunks chunks;
  std::vector<std::vector<std::uint8_t>> fingerprints;

  Scene(const std::string& spec, std::size_t bytes)
      : codec(spec, {.effort = Effort::kFast}), chunks(codec, codec.round_up(bytes)) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      for (std::uint8_t& byte : chunks[i]) byte = static_cast<std::uint8_t>(random());
      fingerprints.emplace_back(codec.fingerprint_bytes());
    }
    require(encode() == Status::kOk);
    std::vector<const std::uint8_t*> pointers;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      hash(i);
      pointers.push_back(fingerprints[i].data());
    }
    require(codec.check_fingerprints(pointers.data()) == ErrorLocation{});
  }

  void hash(std::size_t i) {
    require(codec.fingerprint(chunks[i].data(), chunks[i].size(), kKey, fingerprints[i]) ==
            Status::kOk);
  }

  Status encode() const { return codec.encode(chunks.data(), chunks[0].size()); }
};

/// Processor time of this process for a call, the best of several turns.
template <typename Call>
double seconds_of(const Call& call) {
  constexpr int kTurns = 30;
  constexpr int kCalls = 20;
  double best = 1e9;
  for (int turn = 0; turn < kTurns; ++turn) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < kCalls; ++i) call();
    const auto spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    best = std::min(best, spent / kCalls);
  }
  return best;
}

void fingerprints(benchmark::State& state) {
  Scene scene(kSpecs[static_cast<std::size_t>(state.range(0))],
              static_cast<std::size_t>(state.range(1)));
  const std::size_t count = state.range(2) == 1 ? 1 : scene.chunks.size();
  const auto hash_all = [&] {
    for (std::size_t i = 0; i < count; ++i) scene.hash(i);
  };
  for (auto _ : state) hash_all();
  const double encoding = seconds_of([&] { require(scene.encode() == Status::kOk); });
  state.SetLabel(scene.codec.info().spec + ", " + to_string(scene.codec.info().isa));
  state.counters["of encode"] = seconds_of(hash_all) / encoding;
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(count * scene.chunks[0].size()));
}

BENCHMARK(fingerprints)
    ->ArgNames({"spec", "chunk", "chunks"})
    ->ArgsProduct({{0, 1, 2, 3}, {4096, 65536, 1 << 20}, {1, 14}});

}  // namespace

BENCHMARK_MAIN();
