// Many small stripes: single calls beside batches, beside batches with a set of losses for each
// stripe, and beside one large stripe of as many bytes. Chunks of 416 bytes make stripes of some 4 KiB
// of data.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace {

using namespace xorloom;

enum Layout { kAscending, kByLocation, kShuffled };

const std::vector<std::string> kSpecs = {"isa-cauchy:k=10,m=4", "cauchy-good:k=10,m=4,w=8"};
constexpr std::size_t kLocations = 14;
constexpr std::size_t kSets = 16;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kStagger = 576;  // so that chunks begin at different places of pages

struct Scene {
  Codec codec;
  std::size_t chunk_bytes;
  std::vector<std::uint8_t> memory;
  std::vector<std::uint8_t*> chunks;
  std::vector<std::uint8_t* const*> stripes;
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::span<const std::size_t>> losses;

  explicit Scene(const benchmark::State& state)
      : codec(kSpecs[static_cast<std::size_t>(state.range(0))],
              {.threads = static_cast<int>(state.range(3))}),
        chunk_bytes(codec.round_up(static_cast<std::size_t>(state.range(4)))) {
    const auto count = static_cast<std::size_t>(state.range(1));
    memory.resize(count * kLocations * chunk_bytes + kLocations * kStagger + kPage);
    std::mt19937_64 random(1);
    for (std::uint8_t& byte : memory) byte = static_cast<std::uint8_t>(random());
    std::uint8_t* const first =
        &memory[kPage - reinterpret_cast<std::uintptr_t>(memory.data()) % kPage];
    for (std::size_t i = 0; i < count * kLocations; ++i) {
      const std::size_t location = i % kLocations;
      const std::size_t by_location = (location * count + i / kLocations) * chunk_bytes;
      chunks.push_back(first + (state.range(2) == kByLocation ? by_location + location * kStagger
                                                              : i * chunk_bytes));
    }
    if (state.range(2) == kShuffled) std::ranges::shuffle(chunks, random);
    for (std::size_t i = 0; i < kSets; ++i) {
      sets.push_back({i % 7, i % 7 + 1, 8, i < kSets / 2 ? 9U : 12U});
      static_cast<void>(codec.decoding(sets.back()));
    }
    for (std::size_t s = 0; s < count; ++s) {
      stripes.push_back(&chunks[s * kLocations]);
      losses.emplace_back(sets[random() % kSets]);
    }
  }
};

template <typename Call>
void run(benchmark::State& state, const Call& call) {
  const Scene scene(state);
  for (auto _ : state) {
    if (call(scene) != Status::kOk) throw std::runtime_error(last_error());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(1));
}

template <typename Call>
Status each(const Scene& scene, const Call& call) {
  for (std::size_t s = 0; s < scene.stripes.size(); ++s) {
    if (const Status status = call(scene.stripes[s], scene.losses[s]); status != Status::kOk) {
      return status;
    }
  }
  return Status::kOk;
}

void encode_calls(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    return each(scene,
                [&](auto* chunks, auto) { return scene.codec.encode(chunks, scene.chunk_bytes); });
  });
}

void encode_batch(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    return scene.codec.encode_batch(scene.stripes, scene.chunk_bytes);
  });
}

/// The chunks of each location lie behind one another, so they are a chunk of one large stripe.
void encode_large_stripe(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    std::vector<std::uint8_t*> chunks(scene.stripes[0], scene.stripes[0] + kLocations);
    return scene.codec.encode(chunks.data(), scene.stripes.size() * scene.chunk_bytes);
  });
}

void decode_calls(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    return each(scene, [&](auto* chunks, auto) {
      return scene.codec.decode(chunks, scene.sets[0], scene.chunk_bytes);
    });
  });
}

void decode_batch(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    return scene.codec.decode_batch(scene.stripes, scene.sets[0], scene.chunk_bytes);
  });
}

void decode_calls_of_many_losses(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    return each(scene, [&](auto* chunks, auto lost) {
      return scene.codec.decode(chunks, lost, scene.chunk_bytes);
    });
  });
}

void decode_batch_of_many_losses(benchmark::State& state) {
  run(state, [](const Scene& scene) {
    return scene.codec.decode_batch(scene.stripes, scene.losses, scene.chunk_bytes);
  });
}

constexpr std::pair<std::int64_t, std::int64_t> kSizes[] = {
    {16, 416}, {256, 416}, {4096, 416}, {64, 4096}, {16, 65536}};  // stripes, and bytes of a chunk

void scenes_of(benchmark::internal::Benchmark* bench, std::initializer_list<std::int64_t> layouts) {
  bench->ArgNames({"spec", "stripes", "layout", "threads", "bytes"});
  for (const std::int64_t spec : {0, 1}) {
    for (const auto& [stripes, bytes] : kSizes) {
      for (const std::int64_t layout : layouts) {
        for (const std::int64_t threads : {1, 2}) {
          bench->Args({spec, stripes, layout, threads, bytes});
        }
      }
    }
  }
}

void scenes(benchmark::internal::Benchmark* bench) {
  scenes_of(bench, {kAscending, kByLocation, kShuffled});
}

void large_scenes(benchmark::internal::Benchmark* bench) { scenes_of(bench, {kByLocation}); }

BENCHMARK(encode_calls)->Apply(scenes);
BENCHMARK(encode_batch)->Apply(scenes);
BENCHMARK(encode_large_stripe)->Apply(large_scenes);
BENCHMARK(decode_calls)->Apply(scenes);
BENCHMARK(decode_batch)->Apply(scenes);
BENCHMARK(decode_calls_of_many_losses)->Apply(scenes);
BENCHMARK(decode_batch_of_many_losses)->Apply(scenes);

}  // namespace

BENCHMARK_MAIN();
