#include "xorloom/xorloom.h"

#include <doctest/doctest.h>

#include <chrono>
#include <climits>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "runtime/engine/program_code.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/runtime/face/c_codec.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/page_edge.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

xl_options options_of_this_version() {
  xl_options options{};
  options.size = sizeof options;
  options.threads = 1;
  return options;
}

TEST_CASE("what is encoded through the C face is decoded through it") {
  const CodecOwner owner("rs:k=4,m=2");
  REQUIRE(owner.status == XL_OK);
  const std::size_t chunk_bytes = 100 * xl_codec_chunk_multiple(owner.codec);
  Stripe stripe(6, chunk_bytes, 1, 7);
  REQUIRE(xl_encode(owner.codec, stripe.chunks(), chunk_bytes) == XL_OK);
  const Stripe original = stripe;
  const std::vector<int> erased = {5, 0};
  for (const int location : erased) stripe.lose(static_cast<std::size_t>(location));
  CHECK(xl_decode(owner.codec, stripe.chunks(), erased.data(), 2, chunk_bytes) == XL_OK);
  CHECK(stripe == original);
  CHECK(stripe.guards_intact());
}

TEST_CASE("only wanted chunks are rebuilt, and the other lost ones need no memory") {
  const CodecOwner owner("rs:k=4,m=2");
  const std::size_t bytes = 100 * xl_codec_chunk_multiple(owner.codec);
  Stripe stripe(6, bytes, 1, 7);
  REQUIRE(xl_encode(owner.codec, stripe.chunks(), bytes) == XL_OK);
  const Stripe original = stripe;
  stripe.lose(0);
  std::vector<uint8_t*> chunks(stripe.chunks(), stripe.chunks() + 6);
  chunks[5] = nullptr;
  const std::vector<int> erased = {5, 0};
  const std::vector<int> wanted = {0, 1};
  const auto decode = [&](int num_wanted) {
    return xl_decode_wanted(owner.codec, chunks.data(), erased.data(), 2, wanted.data(), num_wanted,
                            bytes);
  };
  CHECK(decode(1) == XL_OK);
  CHECK(stripe == original);
  CHECK(decode(2) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence().find("location 1") != std::string::npos);
  CHECK(decode(0) == XL_INVALID_ARGUMENT);  // all, of which one has no memory
  CHECK(decode(-1) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "num_wanted = -1 is less than 0");
}

TEST_CASE("a plan outlives its codec and allocates nothing when it runs") {
  xl_plan* plan = nullptr;
  const std::vector<int> erased = {1, 3};
  Stripe stripe(5, 384, 1);
  {
    const CodecOwner owner(kSmallSpec);
    REQUIRE(xl_encode(owner.codec, stripe.chunks(), 384) == XL_OK);
    REQUIRE(xl_plan_create(owner.codec, erased.data(), 2, nullptr, 0, &plan) == XL_OK);
  }
  const Stripe original = stripe;
  stripe.lose(1);
  stripe.lose(3);
  const AllocationCount count;
  const int status = xl_plan_run(plan, stripe.chunks(), 384);
  CHECK(count.so_far() == 0);
  CHECK(status == XL_OK);
  CHECK(stripe == original);
  xl_plan_destroy(plan);
}

TEST_CASE("null arguments are refused by name, and destroying null is nothing") {
  const CodecOwner owner(kSmallSpec);
  const Stripe stripe(5, 192, 1);
  xl_codec* codec = owner.codec;
  xl_plan* plan = nullptr;
  xl_info info{};
  info.size = sizeof info;
  const int erased = 0;

  CHECK(xl_codec_create(kSmallSpec, nullptr, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "codec is null");
  CHECK(xl_codec_create(nullptr, nullptr, &codec) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "spec is null");
  CHECK(codec == nullptr);
  CHECK(xl_codec_chunk_multiple(nullptr) == 0);
  CHECK(xl_codec_info(nullptr, &info) == XL_INVALID_ARGUMENT);
  CHECK(xl_codec_info(owner.codec, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "info is null");
  CHECK(xl_encode(nullptr, stripe.chunks(), 192) == XL_INVALID_ARGUMENT);
  CHECK(xl_encode(owner.codec, nullptr, 192) == XL_INVALID_ARGUMENT);
  CHECK(xl_decode(nullptr, stripe.chunks(), &erased, 1, 192) == XL_INVALID_ARGUMENT);
  CHECK(xl_decode(owner.codec, nullptr, &erased, 1, 192) == XL_INVALID_ARGUMENT);
  CHECK(xl_decode(owner.codec, stripe.chunks(), nullptr, 1, 192) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "erased is null");
  CHECK(xl_decode(owner.codec, stripe.chunks(), nullptr, 0, 192) == XL_OK);
  CHECK(xl_plan_create(nullptr, &erased, 1, nullptr, 0, &plan) == XL_INVALID_ARGUMENT);
  CHECK(xl_plan_create(owner.codec, &erased, 1, nullptr, 0, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(xl_plan_create(owner.codec, &erased, 1, nullptr, 1, &plan) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "wanted is null");
  CHECK(plan == nullptr);
  CHECK(xl_plan_run(nullptr, stripe.chunks(), 192) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "plan is null");
  xl_plan_destroy(nullptr);
  xl_codec_destroy(nullptr);
}

TEST_CASE("counts and locations out of bounds are refused with the value") {
  const CodecOwner owner(kSmallSpec);
  const Stripe stripe(5, 192, 1);
  std::vector<int> erased = {0, -3};
  CHECK(xl_decode(owner.codec, stripe.chunks(), erased.data(), -1, 192) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "num_erased = -1 is less than 0");
  CHECK(xl_decode(owner.codec, stripe.chunks(), erased.data(), 2, 192) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "erased[1] = -3 is less than 0");
  erased[1] = 5;
  CHECK(xl_decode(owner.codec, stripe.chunks(), erased.data(), 2, 192) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "lost location 5 is not one of 0 to 4");
  CHECK(xl_encode(owner.codec, stripe.chunks(), 191) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "chunk_bytes = 191 is not a multiple of 192");
}

TEST_CASE("counts above their bound are refused before an array is read beyond it") {
  const CodecOwner owner(kSmallSpec);
  const Stripe stripe(5, 192, 1);
  const test::PageEdge<int> five({0, 1, 2, 3, 4});
  for (const int count : {6, 4096, INT_MAX}) {
    const std::string sentence =
        "num_erased = " + std::to_string(count) + " exceeds the 5 locations of the code";
    CHECK(xl_decode(owner.codec, stripe.chunks(), five.data(), count, 192) == XL_INVALID_ARGUMENT);
    CHECK(last_sentence() == sentence);
    xl_plan* plan = nullptr;
    CHECK(xl_plan_create(owner.codec, five.data(), count, nullptr, 0, &plan) ==
          XL_INVALID_ARGUMENT);
    CHECK(last_sentence() == sentence);
    CHECK(xl_plan_create(owner.codec, five.data(), 1, five.data(), count, &plan) ==
          XL_INVALID_ARGUMENT);
    CHECK(xl_decode_device(owner.codec, nullptr, nullptr, five.data(), count, nullptr, 192) ==
          XL_INVALID_ARGUMENT);
    CHECK(last_sentence() == sentence);
    const int* const sets = five.data();
    uint8_t* const* const stripes = stripe.chunks();
    CHECK(xl_decode_batch(owner.codec, &stripes, 1, &sets, &count, 1, 192, nullptr) ==
          XL_INVALID_ARGUMENT);
    CHECK(last_sentence() == sentence);
    // One stripe, and one set at the end of a page.
    const test::PageEdge<const int*> one_set({sets});
    const test::PageEdge<int> one_count({1});
    CHECK(xl_decode_batch(owner.codec, &stripes, 1, one_set.data(), one_count.data(),
                          static_cast<std::size_t>(count), 192, nullptr) == XL_INVALID_ARGUMENT);
    CHECK(last_sentence() ==
          "num_sets = " + std::to_string(count) + " is neither num_stripes = 1 nor 1");
    xl_repair repair{};
    repair.size = sizeof repair;
    repair.erased = five.data();
    repair.num_erased = count;
    CHECK(xl_plan_create_repair(owner.codec, &repair, &plan) == XL_INVALID_ARGUMENT);
    CHECK(last_sentence() == sentence);
    repair.num_erased = 1;
    repair.at_hand = five.data() + 1;
    repair.num_at_hand = count;
    CHECK(xl_plan_create_repair(owner.codec, &repair, &plan) == XL_INVALID_ARGUMENT);
    repair.num_at_hand = 0;
    const test::PageEdge<uint32_t> three_units({0, 1, 2});
    const uint32_t* const units = three_units.data();
    repair.units = &units;
    repair.num_units = &count;
    CHECK(xl_plan_create_repair(owner.codec, &repair, &plan) == XL_INVALID_ARGUMENT);
    CHECK(last_sentence() ==
          "num_units[0] = " + std::to_string(count) + " exceeds the 3 units of a chunk");
  }
}

TEST_CASE("options are read as far as their size says") {
  xl_options options = options_of_this_version();
  options.threads = -7;
  options.packet_bytes = 12;
  options.isa = "none";
  options.size = offsetof(xl_options, threads);
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_OK);
  options.size = offsetof(xl_options, threads) + sizeof options.threads;
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "threads = -7 is not one of 0 to 1024");
  options.threads = XL_ALL_THREADS;
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_OK);
  options.threads = 2;
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_OK);
  options.size = offsetof(xl_options, isa);
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "packet_bytes = 12 is not a multiple of 8");
  options.packet_bytes = 16;
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_OK);
  options.size = sizeof options;
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() ==
        "isa = 'none' is not portable, neon, ssse3, avx2, avx2-gfni, avx512, avx512-gfni, "
        "neon-sha3 or rvv");
}

TEST_CASE("options of zeros and no options are the same default: the calling thread alone") {
  // On a busy machine threads may start late: calls are repeated until `wanted` threads exist.
  const auto threads_of = [](const xl_options* options, int wanted = 1) {
    return in_child([&] {
      const auto tasks = [] {  // an emulator has some of its own
        const std::filesystem::directory_iterator all("/proc/self/task");
        return static_cast<int>(std::distance(begin(all), end(all)));
      };
      const int before = tasks();
      const CodecOwner owner(kSmallSpec, options);
      const std::size_t bytes = std::size_t{192} << 14;
      Stripe stripe(5, bytes, 1);
      int threads = 0;
      const auto end_of_waiting = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (threads < wanted && std::chrono::steady_clock::now() < end_of_waiting) {
        if (xl_encode(owner.codec, stripe.chunks(), bytes) != XL_OK) return -1;
        threads = tasks() - before + 1;
      }
      return threads;
    });
  };
  xl_options options{};
  options.size = sizeof options;
  CHECK(threads_of(nullptr) == 1);
  CHECK(threads_of(&options) == 1);
  options.size = sizeof options.size;
  CHECK(threads_of(&options) == 1);
  options.size = sizeof options;
  options.threads = XL_ALL_THREADS;
  const int all = threads_of(&options, 2);
  if (std::thread::hardware_concurrency() > 1) CHECK(all > 1);
}

TEST_CASE("a size that is too small, too large or ends inside a field is refused") {
  xl_options options = options_of_this_version();
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, offsetof(xl_options, threads) + 1,
                                 offsetof(xl_options, style) + 3, sizeof options * 1000}) {
    CAPTURE(size);
    options.size = size;
    CHECK(CodecOwner(kSmallSpec, &options).status == XL_INVALID_ARGUMENT);
    CHECK(last_sentence().find("options.size = " + std::to_string(size)) == 0);
  }
}

TEST_CASE("options of a later version are taken if what this one does not know is zero") {
  struct {
    xl_options known;
    std::size_t later;
  } options{options_of_this_version(), 0};
  options.known.size = sizeof options;
  CHECK(CodecOwner(kSmallSpec, &options.known).status == XL_OK);
  options.later = 1;
  CHECK(CodecOwner(kSmallSpec, &options.known).status == XL_UNSUPPORTED);
}

TEST_CASE("every option reaches the codec") {
  xl_options options = options_of_this_version();
  options.packet_bytes = 24;
  options.isa = "portable";
  options.executor = "ranges";
  options.style = "direct";
  const CodecOwner owner(kSmallSpec, &options);
  xl_info info{};
  info.size = sizeof info;
  REQUIRE(xl_codec_info(owner.codec, &info) == XL_OK);
  CHECK(info.packet_bytes == 24);
  CHECK(info.chunk_multiple == 72);
  CHECK(std::string(info.isa) == "portable");
  CHECK(std::string(info.executor) == "ranges");

  options.packet_bytes = 0;
  constexpr const char* kTrap = "isa-vandermonde:k=30,m=4";
  CHECK(CodecOwner(kTrap, &options).status == XL_INVALID_ARGUMENT);
  options.allow_non_mds = 1;
  CHECK(CodecOwner(kTrap, &options).status == XL_OK);
  options.style = "best";
  CHECK(CodecOwner(kSmallSpec, &options).status == XL_INVALID_ARGUMENT);
}

TEST_CASE("info is written as far as its size says, and what is not known is zero") {
  const CodecOwner owner(kSmallSpec);
  xl_info info;
  std::memset(&info, 0xee, sizeof info);
  info.size = offsetof(xl_info, rows);
  REQUIRE(xl_codec_info(owner.codec, &info) == XL_OK);
  CHECK(info.size == offsetof(xl_info, rows));
  CHECK(info.locations == 5);
  CHECK(info.data == 3);
  CHECK(info.rows == SIZE_MAX / 255 * 0xee);

  struct {
    xl_info known;
    std::size_t later;
  } larger{{}, 77};
  larger.known.size = sizeof larger;
  REQUIRE(xl_codec_info(owner.codec, &larger.known) == XL_OK);
  CHECK(larger.known.w == 3);
  CHECK(std::string(larger.known.spec).find("cauchy:k=3,m=2,w=3,") == 0);
  CHECK(larger.later == 0);

  info.size = offsetof(xl_info, data) + 2;
  CHECK(xl_codec_info(owner.codec, &info) == XL_INVALID_ARGUMENT);
}

TEST_CASE("errors of every kind come out as their numbers") {
  CHECK(CodecOwner("cauchy:k").status == XL_PARSE);
  CHECK(CodecOwner("no-such-code:k=3").status == XL_INVALID_ARGUMENT);
  xl_codec* codec = nullptr;
  int status = XL_OK;
  {
    const AllocationLimit limit(0);
    status = xl_codec_create(kSmallSpec, nullptr, &codec);
  }
  CHECK(status == XL_UNSUPPORTED);
  CHECK(last_sentence() == "there is not enough memory");
}

TEST_CASE("every status has a name, and so has a number that is none") {
  CHECK(std::string(xl_strerror(XL_OK)) == "ok");
  CHECK(std::string(xl_strerror(XL_DAMAGED)) == "damaged beyond repair");
  for (const int status : {-1, 7, INT_MAX, INT_MIN}) {
    CHECK(std::string(xl_strerror(status)) == "unknown status");
  }
}

}  // namespace
TEST_CASE("xl_set_log hears why kernels run, and xl_info says that no code is held") {
  const int ended = in_child([] {
    if (!deny_executable_memory()) return 77;
    int times = 0;
    const auto count = [](const char*, void* context) { ++*static_cast<int*>(context); };
    xl_set_log(count, &times);
    xl_options options{};
    options.size = sizeof options;
    options.effort = "fast";  // machine code at once
    const CodecOwner first(kSmallSpec, &options);
    const CodecOwner second(kSmallSpec, &options);
    xl_info info{};
    info.size = sizeof info;
    if (xl_codec_info(second.codec, &info) != XL_OK) return 1;
    if (info.code_memory != std::string("none")) return 2;
    const int refusals = vector_machine(machine_isas().back()) ? 1 : 0;
    return times == refusals ? 0 : 3;
  });
  if (ended != 77) CHECK(ended == 0);
}

TEST_CASE("stripes are filled, verified, updated and read in C") {
  const CodecOwner owner(kSmallSpec);
  xl_codec* const codec = owner.codec;
  const std::vector<std::uint8_t> data{1, 2, 3, 4, 5};
  const std::size_t bytes = xl_chunk_bytes_for(codec, 577);
  CHECK(bytes == 384);
  CHECK(xl_data_bytes(codec, bytes) == 1152);
  CHECK(xl_data_bytes(codec, bytes + 1) == 0);
  Stripe stripe(5, bytes, 1);
  REQUIRE(xl_spread(codec, data.data(), data.size(), stripe.chunks(), bytes) == XL_OK);
  REQUIRE(xl_encode(codec, stripe.chunks(), bytes) == XL_OK);
  CHECK(xl_verify(codec, stripe.chunks(), bytes) == XL_OK);
  const Stripe fresh(1, bytes, 2);
  std::uint8_t* const chunk = stripe.chunks()[1];
  REQUIRE(xl_update(codec, 1, chunk, fresh.chunks()[0], stripe.chunks(), bytes) == XL_OK);
  CHECK(xl_verify(codec, stripe.chunks(), bytes) == XL_DAMAGED);
  CHECK(last_sentence().starts_with("chunk 3 does not agree with the data, first at byte "));
  std::memcpy(chunk, fresh.chunks()[0], bytes);
  CHECK(xl_verify(codec, stripe.chunks(), bytes) == XL_OK);
  std::vector<std::uint8_t> back(data.size());
  REQUIRE(xl_collect(codec, stripe.chunks(), bytes, back.data(), back.size()) == XL_OK);
  CHECK(back == data);
  CHECK(xl_update(codec, -1, nullptr, chunk, stripe.chunks(), bytes) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "location = -1 is less than 0");
  CHECK(xl_spread(codec, nullptr, 5, stripe.chunks(), bytes) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "data is null");
  CHECK(xl_verify(nullptr, stripe.chunks(), bytes) == XL_INVALID_ARGUMENT);
  CHECK(xl_update(nullptr, 1, chunk, chunk, stripe.chunks(), bytes) == XL_INVALID_ARGUMENT);
  CHECK(xl_spread(nullptr, data.data(), 5, stripe.chunks(), bytes) == XL_INVALID_ARGUMENT);
  CHECK(xl_collect(nullptr, stripe.chunks(), bytes, back.data(), 5) == XL_INVALID_ARGUMENT);
  CHECK(xl_data_bytes(nullptr, bytes) == 0);
  CHECK(xl_chunk_bytes_for(nullptr, 1) == 0);
  CHECK(xl_chunk_bytes_for(codec, SIZE_MAX) == 0);
}

TEST_CASE("batches are encoded and decoded in C, and say which stripe failed") {
  const CodecOwner owner(kSmallSpec);
  xl_codec* const codec = owner.codec;
  const std::size_t bytes = xl_codec_chunk_multiple(codec);
  Stripe a(5, bytes, 1);
  Stripe b(5, bytes, 2);
  const std::vector<std::uint8_t* const*> stripes{a.chunks(), b.chunks()};
  std::vector<int> statuses{-1, -1};
  REQUIRE(xl_encode_batch(codec, stripes.data(), 2, bytes, statuses.data()) == XL_OK);
  CHECK(statuses == std::vector<int>{XL_OK, XL_OK});
  REQUIRE(xl_verify(codec, a.chunks(), bytes) == XL_OK);
  REQUIRE(xl_verify(codec, b.chunks(), bytes) == XL_OK);
  const Stripe whole_a(a);
  const Stripe whole_b(b);
  const std::vector<int> lost_of_a{0, 4};
  const std::vector<int> lost_of_b{2};
  const std::vector<const int*> lost{lost_of_a.data(), lost_of_b.data()};
  const std::vector<int> num_lost{2, 1};
  for (const std::size_t location : {0U, 4U}) a.lose(location);
  b.lose(2);
  CHECK(xl_decode_batch(codec, stripes.data(), 2, lost.data(), num_lost.data(), 2, bytes,
                        statuses.data()) == XL_OK);
  CHECK(a == whole_a);
  CHECK(b == whole_b);
  a.lose(2);
  b.lose(2);
  CHECK(xl_decode_batch(codec, stripes.data(), 2, &lost[1], &num_lost[1], 1, bytes, nullptr) ==
        XL_OK);
  CHECK(a == whole_a);
  CHECK(b == whole_b);
  const std::vector<int> too_many{0, 1, 2};
  const std::vector<const int*> first_fails{too_many.data(), lost_of_b.data()};
  const std::vector<int> num_first_fails{3, 1};
  CHECK(xl_decode_batch(codec, stripes.data(), 2, first_fails.data(), num_first_fails.data(), 2,
                        bytes, statuses.data()) == XL_DAMAGED);
  CHECK(statuses == std::vector<int>{XL_DAMAGED, XL_OK});
  CHECK(last_sentence().starts_with("stripe 0: "));
  CHECK(xl_encode_batch(nullptr, stripes.data(), 2, bytes, statuses.data()) == XL_INVALID_ARGUMENT);
  CHECK(statuses == std::vector<int>{XL_INVALID_ARGUMENT, XL_INVALID_ARGUMENT});
  CHECK(xl_encode_batch(codec, nullptr, 2, bytes, nullptr) == XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "stripes is null");
  CHECK(xl_encode_batch(codec, nullptr, 0, bytes, nullptr) == XL_OK);
  CHECK(xl_decode_batch(codec, stripes.data(), 2, nullptr, num_lost.data(), 2, bytes, nullptr) ==
        XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "erased is null");
  const std::vector<int> negative{-2};
  const int* const of_negative = negative.data();
  const int one = 1;
  CHECK(xl_decode_batch(codec, stripes.data(), 2, &of_negative, &one, 1, bytes, statuses.data()) ==
        XL_INVALID_ARGUMENT);
  CHECK(last_sentence() == "erased[0] = -2 is less than 0");
  CHECK(a == whole_a);
}

}  // namespace xorloom
