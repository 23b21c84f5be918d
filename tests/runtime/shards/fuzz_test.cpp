#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/fuzz/atlas_fuzz.hpp"
#include "tests/fuzz/shard_fuzz.hpp"

namespace xorloom::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kSeed = 1;

class Random {
 public:
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(engine_()); }

  Bytes bytes(std::size_t size) {
    Bytes bytes(size);
    std::ranges::generate(bytes, [this] { return byte(); });
    return bytes;
  }

  /// A few bytes changed, inserted or taken out.
  Bytes mutated(Bytes bytes) {
    for (std::size_t change = below(8); change != 0 && !bytes.empty(); --change) {
      const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size()));
      const std::size_t kind = below(6);
      if (kind == 0) {
        bytes.erase(at);
      } else if (kind == 1) {
        bytes.insert(at, byte());
      } else if (kind == 2) {
        bytes.resize(below(bytes.size()) + 1);
      } else {
        *at = byte();
      }
    }
    return bytes;
  }

 private:
  std::mt19937 engine_{kSeed};
};

void feed(const Bytes& input) { LLVMFuzzerTestOneInput(input.data(), input.size()); }

/// Feeds inputs to a harness as they are, and each so often changed.
void feed_changed(const std::vector<Bytes>& seeds, int rounds, const auto& harness) {
  Random random;
  for (const Bytes& seed : seeds) {
    CHECK_NOTHROW(harness(seed));
    for (int round = 0; round < rounds; ++round) {
      CAPTURE(kSeed);
      CAPTURE(round);
      CHECK_NOTHROW(harness(random.mutated(seed)));
    }
  }
}

}  // namespace

TEST_CASE("Random bytes are no shard, and what is mended of them holds together") {
  Random random;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(kSeed);
    CAPTURE(round);
    CHECK_NOTHROW(feed(random.bytes(random.below(500))));
  }
}

TEST_CASE("Shards changed at random hold together or are said not to") {
  feed_changed(shard_seeds(), 200, feed);
}

TEST_CASE("Atlases changed at random hold together or are said not to") {
  feed_changed(atlas_seeds(), 2000, fuzz_atlas);
}

}  // namespace xorloom::test
