#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/face/allocations.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;
using Losses = std::vector<std::span<const std::size_t>>;

const std::vector<std::string> kBatchSpecs = {
    "isa-cauchy:k=4,m=3", "cauchy-good:k=4,m=3,w=4", "rs:k=4,m=3,w=16", "clay:k=4,m=2",
    "lrc:k=4,m=2,l=3",    "leopard:k=5,m=3",         "evenodd:k=4,p=5"};

/// Stripes with memory of their own, and the pointers that a batch takes.
struct Stripes {
  std::deque<Stripe> stripes;
  std::vector<std::uint8_t* const*> pointers;

  Stripes(std::size_t count, std::size_t locations, std::size_t chunk_bytes) {
    for (std::size_t s = 0; s < count; ++s) {
      pointers.push_back(stripes.emplace_back(locations, chunk_bytes, s, 3).chunks());
    }
  }
  Stripes(const Stripes& other) : stripes(other.stripes) {
    for (const Stripe& stripe : stripes) pointers.push_back(stripe.chunks());
  }
  Stripes& operator=(const Stripes&) = delete;
};

std::string sentence() { return last_error(); }

/// Sets of losses that a code of any of these specs recovers, in an order that repeats some.
Losses losses_for(std::size_t count) {
  static const std::vector<Set> sets = {{1}, {0, 5}, {}, {1}, {5, 0}, {2}};
  Losses losses;
  for (std::size_t s = 0; s < count; ++s) losses.emplace_back(sets[s * s % sets.size()]);
  return losses;
}

TEST_CASE("batches give the bytes of single calls, on any threads and by any executor") {
  for (const std::string& spec : kBatchSpecs) {
    CAPTURE(spec);
    for (const Options& options :
         std::vector<Options>{{},
                              {.threads = 2},
                              {.threads = 3, .executor = Executor::kRanges},
                              {.threads = 2, .executor = Executor::kGraph}}) {
      CAPTURE(to_string(options.executor));
      CAPTURE(options.threads);
      const Codec codec(spec, options);
      for (const std::size_t count : {1U, 2U, 70U}) {
        const std::size_t chunk_bytes = codec.round_up(count == 2 ? 70'000 : 200);
        Stripes batch(count, codec.info().locations, chunk_bytes);
        Stripes single(batch);
        const Losses losses = losses_for(count);
        std::vector<Status> statuses(count, Status::kInternal);
        REQUIRE(codec.encode_batch(batch.pointers, chunk_bytes, statuses) == Status::kOk);
        CHECK(std::ranges::count(statuses, Status::kOk) == static_cast<std::ptrdiff_t>(count));
        for (const auto* chunks : single.pointers) {
          REQUIRE(codec.encode(chunks, chunk_bytes) == Status::kOk);
        }
        CHECK(batch.stripes == single.stripes);
        for (std::size_t s = 0; s < count; ++s) {
          for (const std::size_t location : losses[s]) batch.stripes[s].lose(location);
        }
        REQUIRE(codec.decode_batch(batch.pointers, losses, chunk_bytes, statuses) == Status::kOk);
        CHECK(batch.stripes == single.stripes);
        for (Stripe& stripe : batch.stripes) stripe.lose(2);
        REQUIRE(codec.decode_batch(batch.pointers, Set{2}, chunk_bytes) == Status::kOk);
        CHECK(batch.stripes == single.stripes);
        for (const Stripe& stripe : batch.stripes) CHECK(stripe.guards_intact());
      }
    }
  }
}

TEST_CASE("large batches of small stripes are shared between threads, whatever their losses") {
  struct Size {
    std::size_t stripes;
    std::size_t chunk_bytes;
  };
  // The second does not fit caches, and stores go past these.
  for (const Size& size : {Size{1500, 416}, Size{500, 4608}}) {
    for (const char* spec : {"isa-cauchy:k=10,m=4", "cauchy-good:k=10,m=4,w=8"}) {
      for (const int awake : {0, 1000}) {
        const Codec codec(spec, {.threads = 3, .awake_microseconds = awake});
        const std::size_t chunk_bytes = codec.round_up(size.chunk_bytes);
        Stripes stripes(size.stripes, 14, chunk_bytes);
        REQUIRE(codec.encode_batch(stripes.pointers, chunk_bytes) == Status::kOk);
        const Stripes whole(stripes);
        const Losses losses = losses_for(size.stripes);
        for (std::size_t s = 0; s < size.stripes; ++s) {
          CHECK(codec.verify(stripes.pointers[s], chunk_bytes) == Status::kOk);
          for (const std::size_t location : losses[s]) stripes.stripes[s].lose(location);
        }
        REQUIRE(codec.decode_batch(stripes.pointers, losses, chunk_bytes) == Status::kOk);
        CHECK(stripes.stripes == whole.stripes);
      }
    }
  }
}

TEST_CASE("a batch of no stripes does nothing, and arguments of the whole batch are checked") {
  const Codec codec("isa-cauchy:k=4,m=2");
  CHECK(codec.encode_batch({}, 64) == Status::kOk);
  CHECK(codec.decode_batch({}, Losses{}, 64) == Status::kOk);
  CHECK(codec.decode_batch({}, Set{1}, 64) == Status::kOk);
  const Stripes stripes(3, 6, 64);
  const Stripes untouched(stripes);
  std::vector<Status> statuses(2);
  CHECK(codec.encode_batch(stripes.pointers, 64, statuses) == Status::kInvalidArgument);
  CHECK(sentence() == "2 statuses are not one for each of 3 stripes");
  statuses.resize(3);
  CHECK(codec.decode_batch(stripes.pointers, losses_for(2), 64, statuses) ==
        Status::kInvalidArgument);
  CHECK(sentence() == "2 sets of losses are not one for each of 3 stripes, nor one");
  CHECK(statuses == std::vector<Status>(3, Status::kInvalidArgument));
  const Codec packets("cauchy:k=4,m=2,w=3");
  CHECK(packets.encode_batch(stripes.pointers, 64) == Status::kInvalidArgument);
  CHECK(sentence() == "chunk_bytes = 64 is not a multiple of 192");
  CHECK(codec.encode_batch(stripes.pointers, 0, statuses) == Status::kOk);
  CHECK(statuses == std::vector<Status>(3, Status::kOk));
  CHECK(stripes.stripes == untouched.stripes);
}

TEST_CASE("stripes that cannot be decoded fail alone, and the first one is named") {
  const Codec codec("isa-cauchy:k=4,m=2");
  Stripes stripes(6, 6, 128);
  REQUIRE(codec.encode_batch(stripes.pointers, 128) == Status::kOk);
  Stripes expected(stripes);
  const std::vector<Set> lost = {{1}, {0, 1, 2}, {5, 1}, {9}, {0, 1, 2}, {1}};
  for (std::size_t s : {0U, 2U, 5U}) {
    for (const std::size_t location : lost[s]) stripes.stripes[s].lose(location);
  }
  std::vector<Status> statuses(6);
  const Losses losses(lost.begin(), lost.end());
  CHECK(codec.decode_batch(stripes.pointers, losses, 128, statuses) == Status::kDamaged);
  CHECK(sentence().starts_with("stripe 1: "));
  CHECK(statuses == std::vector<Status>{Status::kOk, Status::kDamaged, Status::kOk,
                                        Status::kInvalidArgument, Status::kDamaged, Status::kOk});
  CHECK(stripes.stripes == expected.stripes);
  CHECK(codec.decode_batch(stripes.pointers, losses, 128) == Status::kDamaged);
}

TEST_CASE("null pointers and stripes that overlap fail, and the others are done") {
  const Codec codec("isa-cauchy:k=4,m=2");
  Stripes stripes(9, 6, 128);
  Stripes expected(stripes);
  std::vector<std::vector<std::uint8_t*>> chunks;
  for (const auto* pointers : stripes.pointers) chunks.emplace_back(pointers, pointers + 6);
  chunks[1][2] = nullptr;             // a chunk that is read
  chunks[3][5] = chunks[3][0] + 127;  // overlaps a chunk of its own stripe
  chunks[4][4] = chunks[6][1] - 127;  // overlaps a chunk that another stripe reads
  chunks[8][5] = chunks[7][5] + 1;    // both are written
  chunks[2][0] = chunks[0][0];        // both are read
  std::vector<std::uint8_t* const*> pointers;
  for (const auto& stripe : chunks) pointers.push_back(stripe.data());
  pointers[5] = nullptr;
  std::vector<Status> statuses(9);
  CHECK(codec.encode_batch(pointers, 128, statuses) == Status::kInvalidArgument);
  CHECK(sentence() == "stripe 1: the pointer to chunk 2 is null, and it is read");
  constexpr Status kBad = Status::kInvalidArgument;
  constexpr Status kOk = Status::kOk;
  CHECK(statuses == std::vector<Status>{kOk, kBad, kOk, kBad, kBad, kBad, kBad, kBad, kBad});
  std::memcpy(expected.stripes[2].chunks()[0], expected.stripes[0].chunks()[0], 128);
  for (const std::size_t s : {0U, 2U}) {
    REQUIRE(codec.encode(expected.pointers[s], 128) == Status::kOk);
  }
  std::memcpy(stripes.stripes[2].chunks()[0], stripes.stripes[0].chunks()[0], 128);
  CHECK(stripes.stripes == expected.stripes);
  const auto refusal = [&](std::size_t a, std::size_t b) {
    CHECK(codec.encode_batch(std::vector{pointers[a], pointers[b]}, 128) == kBad);
    return sentence();
  };
  CHECK(refusal(4, 6) ==
        "stripe 0: chunk 4 overlaps a chunk of stripe 1 within 128 bytes, and is written");
  CHECK(refusal(6, 4) ==
        "stripe 0: chunk 1 overlaps a chunk of stripe 1 within 128 bytes, and that one is written");
  CHECK(refusal(0, 0).starts_with("stripe 0: chunk 4 overlaps a chunk of stripe 1"));
  CHECK(stripes.stripes == expected.stripes);
}

/// The stripes that a batch has to refuse, by comparing each chunk with each.
std::vector<bool> refused(const std::vector<std::vector<std::uint8_t*>>& chunks, std::size_t data,
                          std::size_t bytes) {
  const auto overlaps = [&](std::size_t s, std::size_t t) {
    for (std::size_t i = 0; i < chunks[s].size(); ++i) {
      for (std::size_t j = 0; j < chunks[t].size(); ++j) {
        const bool is_same = s == t && i == j;
        const auto distance = std::abs(chunks[s][i] - chunks[t][j]);
        if (!is_same && (i >= data || j >= data) && distance < static_cast<std::ptrdiff_t>(bytes)) {
          return true;
        }
      }
    }
    return false;
  };
  std::vector<bool> is_wrong(chunks.size());
  for (std::size_t s = 0; s < chunks.size(); ++s) is_wrong[s] = overlaps(s, s);
  std::vector<bool> result = is_wrong;
  for (std::size_t s = 0; s < chunks.size(); ++s) {
    for (std::size_t t = 0; t < chunks.size(); ++t) {
      if (s != t && !is_wrong[s] && !is_wrong[t] && overlaps(s, t)) result[s] = true;
    }
  }
  return result;
}

TEST_CASE("of stripes anywhere in memory, those that overlap fail and no others") {
  const Codec codec("isa-cauchy:k=2,m=2");
  std::mt19937_64 random(11);
  int refusals = 0;
  int runs = 0;
  for (int turn = 0; turn < 400; ++turn) {
    CAPTURE(turn);
    const std::size_t bytes = 1 + random() % 90;
    const std::size_t count = 1 + random() % 12;
    // Tight, loose, or so wide that addresses are hashed; on places of a grid, or on any.
    const std::size_t per_chunk = std::vector<std::size_t>{2, 5, 40}[random() % 3];
    const std::size_t step = random() % 2 != 0 ? bytes : 1;
    std::vector<std::uint8_t> memory((count * 4 * per_chunk + 1) * bytes);
    std::vector<std::size_t> places(memory.size() / step - bytes / step);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i * step;
    std::ranges::shuffle(places, random);
    if (random() % 4 == 0) std::ranges::sort(std::span(places).first(4 * count));
    std::vector<std::vector<std::uint8_t*>> chunks(count);
    std::vector<std::uint8_t* const*> pointers;
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t i = 0; i < 4; ++i) chunks[s].push_back(&memory[places[4 * s + i]]);
      pointers.push_back(chunks[s].data());
    }
    const std::vector<bool> expected = refused(chunks, 2, bytes);
    std::vector<Status> statuses(count);
    static_cast<void>(codec.encode_batch(pointers, bytes, statuses));
    for (std::size_t s = 0; s < count; ++s) {
      CAPTURE(s);
      CHECK((statuses[s] != Status::kOk) == expected[s]);
      ++(expected[s] ? refusals : runs);
    }
  }
  CHECK(refusals > 100);
  CHECK(runs > 100);
}

TEST_CASE("thousands of stripes at one place are refused in no time") {
  const Codec codec("isa-cauchy:k=2,m=2");
  std::vector<std::uint8_t> memory(20'000);
  std::vector<std::vector<std::uint8_t*>> chunks;
  std::vector<std::uint8_t* const*> pointers;
  for (std::size_t s = 0; s < 10'000; ++s) {
    std::uint8_t* const at = memory.data() + s % 7;
    chunks.push_back({at, at + 4000, at + 8000, at + 12'000});
  }
  for (const auto& stripe : chunks) pointers.push_back(stripe.data());
  std::vector<Status> statuses(chunks.size());
  CHECK(codec.encode_batch(pointers, 1024, statuses) == Status::kInvalidArgument);
  CHECK(statuses == std::vector<Status>(chunks.size(), Status::kInvalidArgument));
}

TEST_CASE("losses that come again in a batch look up their plan once") {
  const Codec codec("isa-cauchy:k=4,m=2");
  Stripes stripes(40, 6, 64);
  REQUIRE(codec.encode_batch(stripes.pointers, 64) == Status::kOk);
  const std::vector<Set> two = {{1, 2}, {0}};
  Losses losses;
  for (std::size_t s = 0; s < 40; ++s) losses.emplace_back(two[s % 2]);
  REQUIRE(codec.decode_batch(stripes.pointers, losses, 64) == Status::kOk);
  CHECK(codec.plan_counts().misses == 2);
  CHECK(codec.plan_counts().hits == 0);
  REQUIRE(codec.decode_batch(stripes.pointers, losses, 64) == Status::kOk);
  CHECK(codec.plan_counts().hits == 2);
}

TEST_CASE("stripes that ascend in memory are encoded without any allocation") {
  const Codec codec("isa-cauchy:k=4,m=2");
  std::vector<std::uint8_t> memory(10 * 6 * 64);
  std::vector<std::vector<std::uint8_t*>> chunks(10);
  std::vector<std::uint8_t* const*> pointers;
  for (std::size_t i = 0; i < 60; ++i) chunks[i / 6].push_back(&memory[i * 64]);
  for (const auto& stripe : chunks) pointers.push_back(stripe.data());
  const AllocationCount count;
  CHECK(codec.encode_batch(pointers, 64) == Status::kOk);
  CHECK(count.so_far() == 0);
}

TEST_CASE("whatever memory is refused in a batch, stripes are whole or untouched, and say so") {
  const Codec codec("isa-cauchy:k=4,m=2");
  // Chunks of 64 KiB are looked for in a hash table.
  for (const std::size_t count : {12U, 3U}) {
    const std::size_t chunk_bytes = count == 12 ? 128 : 65536;
    const Losses losses = losses_for(count);
    for (const bool decodes : {false, true}) {
      bool was_refused = false;
      bool was_done = false;
      for (std::size_t granted = 0; !was_done; ++granted) {
        CAPTURE(granted);
        const Codec fresh("isa-cauchy:k=4,m=2");
        Stripes stripes(count, 6, chunk_bytes);
        const Stripes expected(stripes);
        // Neither order of the addresses, so that overlaps are looked for.
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t s) { return stripes.pointers[s][0]; });
        std::swap(order[0], order[1]);
        const std::vector<std::uint8_t* const*> by_stripe = stripes.pointers;
        for (std::size_t s = 0; s < count; ++s) stripes.pointers[s] = by_stripe[order[s]];
        std::vector<Status> statuses(count, Status::kInternal);
        Status status = Status::kOk;
        {
          const AllocationLimit limit(granted);
          status = decodes ? fresh.decode_batch(stripes.pointers, losses, chunk_bytes, statuses)
                           : fresh.encode_batch(stripes.pointers, chunk_bytes, statuses);
        }
        was_done = true;
        for (std::size_t s = 0; s < count; ++s) {
          if (statuses[s] != Status::kOk) {
            CHECK(statuses[s] == Status::kUnsupported);
            was_done = false;
            continue;
          }
          std::uint8_t* const* const chunks = expected.pointers[order[s]];
          REQUIRE((decodes ? codec.decode(chunks, losses[s], chunk_bytes)
                           : codec.encode(chunks, chunk_bytes)) == Status::kOk);
        }
        CHECK((status == Status::kOk) == was_done);
        CHECK(stripes.stripes == expected.stripes);
        was_refused = was_refused || !was_done;
      }
      CAPTURE(count);
      CAPTURE(decodes);
      CHECK(was_refused);
    }
  }
}

}  // namespace
}  // namespace xorloom
