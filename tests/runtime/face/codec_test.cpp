#include "xorloom/xorloom.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/plan_options.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;

const std::vector<std::string> kSpecs = {"cauchy:k=5,m=2,w=3", "cauchy-good:k=10,m=4,w=8",
                                         "rs:k=10,m=4",        "rs:k=4,m=2,w=5,arrangement=packet",
                                         "isa-cauchy:k=4,m=3", "isa-vandermonde:k=4,m=2"};

/// The sentence of the Error that making a codec throws, after checking its kind.
std::string refusal(Status kind, const std::string& spec, const Options& options = {}) {
  try {
    const Codec codec(spec, options);
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "accepted";
}

std::string sentence_of_last_error() { return last_error(); }

TEST_CASE("a codec says what it is, every default written out") {
  const Codec codec("cauchy-good:k=10,m=4",
                    {.threads = 2, .isa = Isa::kPortable, .executor = Executor::kGraph});
  const Info info = codec.info();
  CHECK(info.locations == 14);
  CHECK(info.data_cells == 10);
  CHECK(info.rows == 8);
  CHECK(info.k == 10);
  CHECK(info.m == 4);
  CHECK(info.w == 8);
  CHECK(info.packet_bytes == 64);
  CHECK(info.chunk_multiple == 512);
  CHECK(info.spec == "cauchy-good:k=10,m=4,w=8,poly=0x11d,packet_bytes=64");
  CHECK(info.isa == Isa::kPortable);
  CHECK(info.executor == Executor::kGraph);
  CHECK(Codec("rs:k=3,m=2,w=16").info().packet_bytes == 0);
  CHECK(Codec("cauchy:k=3,m=2,w=3", {.packet_bytes = 24}).info().packet_bytes == 24);
}

TEST_CASE("round_up gives the next multiple, at least one") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  CHECK(codec.chunk_multiple() == 192);
  CHECK(codec.round_up(0) == 192);
  CHECK(codec.round_up(192) == 192);
  CHECK(codec.round_up(193) == 384);
  const std::size_t largest = codec.round_up(std::numeric_limits<std::size_t>::max());
  CHECK(largest % 192 == 0);
  CHECK(largest > std::numeric_limits<std::size_t>::max() - 192);
}

TEST_CASE("encoding writes what the oracle does and nothing else") {
  for (const std::string& spec : kSpecs) {
    CAPTURE(spec);
    const Codec codec(spec);
    const Code code = make_code(spec);
    for (const std::size_t multiples : {1U, 3U, 40U}) {
      const std::size_t chunk_bytes = multiples * codec.chunk_multiple();
      Stripe stripe(code.locations, chunk_bytes, 5, 3);
      Stripe expected = stripe;
      oracle(code, encoding_map(code), expected.chunks(), chunk_bytes);
      CHECK(codec.encode(stripe.chunks(), chunk_bytes) == Status::kOk);
      CHECK(stripe == expected);
      CHECK(stripe.guards_intact());
    }
  }
}

TEST_CASE("a plan names the locations it reads and writes") {
  const Codec codec("rs:k=4,m=2");
  CHECK(codec.encoding().reads() == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(codec.encoding().writes() == std::vector<std::size_t>{4, 5});
  const Plan plan = codec.decoding(std::vector<std::size_t>{5, 1}, std::vector<std::size_t>{1});
  CHECK(plan.reads() == std::vector<std::size_t>{0, 2, 3, 4});
  CHECK(plan.writes() == std::vector<std::size_t>{1});
}

TEST_CASE("options out of bounds are refused with the value and the bound") {
  const std::string spec = "cauchy:k=3,m=2,w=3";
  constexpr Status kind = Status::kInvalidArgument;
  CHECK(refusal(kind, spec, {.threads = -1}) == "threads = -1 is not one of 0 to 1024");
  CHECK(refusal(kind, spec, {.threads = 1025}) == "threads = 1025 is not one of 0 to 1024");
  CHECK(refusal(kind, spec, {.executor = static_cast<Executor>(7)}) ==
        "executor = 'unknown' is not ranges, graph, plan, auto, opencl, cuda or hybrid");
  CHECK(refusal(kind, spec, {.style = static_cast<EquationForm>(-1)}) ==
        "style = 'unknown' is not direct, iterative or auto");
  CHECK(refusal(kind, spec, {.engine = static_cast<Engine>(3)}) ==
        "engine = 'unknown' is not code, kernels or auto");
  CHECK(refusal(kind, spec, {.effort = Effort::kMax}) ==
        "effort = 'max' is not auto, fast, quick or normal");
  CHECK(refusal(kind, spec, {.isa = static_cast<Isa>(99)}) ==
        "isa = 'unknown' is not portable, neon, ssse3, avx2, avx2-gfni, avx512, avx512-gfni, "
        "neon-sha3 or rvv");
  CHECK(refusal(kind, spec, {.packet_bytes = 12}) == "packet_bytes = 12 is not a multiple of 8");
  CHECK(refusal(kind, "cauchy:k=7,m=2,w=3") == "k + m = 9 exceeds 2^w = 8");
  CHECK(refusal(Status::kParse, "") != "accepted");
}

TEST_CASE("options go by their names, and another name is refused with those allowed") {
  for (const Executor executor :
       {Executor::kRanges, Executor::kGraph, Executor::kPlan, Executor::kAuto}) {
    CHECK(parse_executor(to_string(executor)) == executor);
  }
  using Form = EquationForm;
  for (const Form form : {Form::kDirect, Form::kIterative, Form::kAuto}) {
    CHECK(parse_equation_form(to_string(form)) == form);
  }
  for (const Engine engine : {Engine::kCode, Engine::kKernels, Engine::kAuto}) {
    CHECK(parse_engine(to_string(engine)) == engine);
  }
  for (const Effort effort : {Effort::kFast, Effort::kQuick, Effort::kNormal, Effort::kAuto}) {
    CHECK(parse_effort(to_string(effort)) == effort);
  }
  CHECK(std::string(to_string(Engine::kCode)) == "code");
  CHECK(std::string(to_string(Form::kIterative)) == "iterative");
  CHECK(std::string(to_string(Executor::kGraph)) == "graph");
  CHECK(std::string(to_string(Effort::kMax)) == "max");
  CHECK_THROWS_WITH_AS(parse_executor("fast"),
                       "executor = 'fast' is not ranges, graph, plan, auto, opencl, cuda or hybrid",
                       Error);
  CHECK_THROWS_WITH_AS(parse_equation_form("fewest"),
                       "style = 'fewest' is not direct, iterative or auto", Error);
  CHECK_THROWS_WITH_AS(parse_engine("gpu"), "engine = 'gpu' is not code, kernels or auto", Error);
  CHECK_THROWS_WITH_AS(parse_effort("max"), "effort = 'max' is not auto, fast, quick or normal",
                       Error);
  CHECK_THROWS_WITH_AS(parse_engine(""), "engine = '' is not code, kernels or auto", Error);
}

TEST_CASE("a code that is not proved is taken only if the options allow it") {
  const std::string trap = "isa-vandermonde:k=30,m=4";
  CHECK(refusal(Status::kInvalidArgument, trap) != "accepted");
  CHECK(refusal(Status::kInvalidArgument, trap, {.allow_non_mds = true}) == "accepted");
}

TEST_CASE("wrong buffers are refused with a sentence, and nothing is written") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  const std::size_t chunk_bytes = 2 * codec.chunk_multiple();
  const Stripe stripe(5, chunk_bytes + 100, 9);
  const Stripe untouched = stripe;
  const auto pointers = [&] {
    return std::vector<std::uint8_t*>(stripe.chunks(), stripe.chunks() + 5);
  };

  CHECK(codec.encode(stripe.chunks(), 200) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "chunk_bytes = 200 is not a multiple of 192");
  CHECK(codec.encode(nullptr, chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "the array of chunk pointers is null");

  auto chunks = pointers();
  chunks[1] = nullptr;
  CHECK(codec.encode(chunks.data(), chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "the pointer to chunk 1 is null, and it is read");
  chunks = pointers();
  chunks[4] = nullptr;
  CHECK(codec.encode(chunks.data(), chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "the pointer to chunk 4 is null, and it is written");

  chunks = pointers();
  chunks[3] = chunks[0] + chunk_bytes - 1;
  CHECK(codec.encode(chunks.data(), chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "chunk 3, which is written, overlaps chunk 0 within 384 bytes");
  chunks = pointers();
  chunks[4] = chunks[3];
  CHECK(codec.encode(chunks.data(), chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "chunk 3, which is written, overlaps chunk 4 within 384 bytes");
  CHECK(stripe == untouched);

  std::uint8_t one = 0;
  std::uint8_t* const same[] = {&one, &one, &one};
  CHECK(Codec("rs:k=2,m=1").encode(same, 1) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "chunk 2, which is written, overlaps chunk 0 within 1 byte");
}

TEST_CASE("chunks that are only read may be the same, and those that touch do not overlap") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  const std::size_t chunk_bytes = codec.chunk_multiple();
  std::vector<std::uint8_t> bytes(3 * chunk_bytes, 1);
  std::uint8_t* const begin = bytes.data();
  const std::vector<std::uint8_t*> chunks = {begin, begin, begin, begin + chunk_bytes,
                                             begin + 2 * chunk_bytes};
  CHECK(codec.encode(chunks.data(), chunk_bytes) == Status::kOk);
}

TEST_CASE("chunks of wide codes that overlap are found, whatever order they lie in") {
  const Codec codec("leopard:k=40,m=32");
  constexpr std::size_t kBytes = 128;
  for (const bool are_in_order : {true, false}) {
    CAPTURE(are_in_order);
    Stripe stripe(codec.info().locations, kBytes, 3, 0);
    std::vector<std::uint8_t*> chunks(stripe.chunks(), stripe.chunks() + codec.info().locations);
    std::ranges::sort(chunks);
    if (!are_in_order) std::ranges::reverse(chunks);
    CHECK(codec.encode(chunks.data(), kBytes) == Status::kOk);
    std::vector<std::uint8_t*> wrong = chunks;
    wrong[60] = chunks[59] + 1;
    CHECK(codec.encode(wrong.data(), kBytes) == Status::kInvalidArgument);
    wrong = chunks;
    wrong[45] = wrong[7];
    CHECK(codec.encode(wrong.data(), kBytes) == Status::kInvalidArgument);
  }
}

TEST_CASE("no bytes are no work") {
  const Codec codec("cauchy:k=3,m=2,w=3", {.threads = 2});
  CHECK(codec.encode(nullptr, 0) == Status::kOk);
  CHECK(codec.decode(nullptr, std::vector<std::size_t>{0}, 0) == Status::kOk);
}

TEST_CASE("rebuilding nothing writes nothing") {
  for (const std::string& spec : kSpecs) {
    const Codec codec(spec, {.threads = 2});
    const std::size_t chunk_bytes = codec.chunk_multiple();
    const Stripe stripe(codec.info().locations, chunk_bytes, 2);
    const Stripe untouched = stripe;
    CHECK(codec.decode(stripe.chunks(), {}, chunk_bytes) == Status::kOk);
    CHECK(stripe == untouched);
    CHECK(codec.decoding({}).reads().empty());
  }
}

TEST_CASE("too many losses are damage, said with the set, and nothing is written") {
  for (const std::string& spec : kSpecs) {
    CAPTURE(spec);
    const Codec codec(spec);
    const std::size_t chunk_bytes = codec.chunk_multiple();
    const Stripe stripe(codec.info().locations, chunk_bytes, 2);
    const Stripe untouched = stripe;
    std::vector<std::size_t> erased;
    for (std::size_t i = 0; i <= codec.info().m; ++i) erased.push_back(i);
    CHECK(codec.decode(stripe.chunks(), erased, chunk_bytes) == Status::kDamaged);
    CHECK(sentence_of_last_error().find(set_text(erased)) != std::string::npos);
    CHECK(stripe == untouched);
    CHECK(stripe.guards_intact());
    CHECK_THROWS_AS(codec.decoding(erased), Error);
  }
}

TEST_CASE("locations out of range, named twice or wanted but not erased are refused") {
  const Codec codec("rs:k=4,m=2");
  const std::size_t chunk_bytes = codec.chunk_multiple();
  const Stripe stripe(6, chunk_bytes, 2);
  CHECK(codec.decode(stripe.chunks(), Set{6}, chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "lost location 6 is not one of 0 to 5");
  CHECK(codec.decode(stripe.chunks(), Set{1, 1}, chunk_bytes) == Status::kInvalidArgument);
  CHECK(sentence_of_last_error() == "lost location 1 is named twice");
  CHECK_THROWS_WITH_AS(codec.decoding(Set{1}, Set{2}),
                       "wanted location 2 is not one of the lost locations {1}", Error);
  CHECK_THROWS_WITH_AS(codec.decoding(Set{1, 2}, Set{2, 2}), "wanted location 2 is named twice",
                       Error);
}

TEST_CASE("What is wanted but not erased is refused after an update of it, too") {
  const Codec codec("rs:k=4,m=2");
  const std::size_t chunk_bytes = codec.chunk_multiple();
  const Stripe stripe(6, chunk_bytes, 2);
  const std::vector<std::uint8_t> changed(chunk_bytes, 7);
  REQUIRE(codec.update(2, stripe.chunks()[2], changed.data(), stripe.chunks(), chunk_bytes) ==
          Status::kOk);
  CHECK_THROWS_WITH_AS(codec.decoding({}, Set{2}),
                       "wanted location 2 is not one of the lost locations {}", Error);
}

TEST_CASE("on one thread a plan allocates nothing, whether it runs or refuses") {
  for (const Executor executor :
       {Executor::kRanges, Executor::kGraph, Executor::kPlan, Executor::kAuto}) {
    for (const std::string& spec : kSpecs) {
      const Codec codec(spec, {.executor = executor});
      const Plan plan = codec.decoding(std::vector<std::size_t>{0, codec.info().k});
      const std::size_t chunk_bytes = 9 * codec.chunk_multiple();
      const Stripe stripe(codec.info().locations, chunk_bytes, 2, 1);
      const AllocationCount count;
      const Status encoded = codec.encode(stripe.chunks(), chunk_bytes);
      const Status decoded = plan.run(stripe.chunks(), chunk_bytes);
      const Status refused = plan.run(nullptr, chunk_bytes);
      CHECK(count.so_far() == 0);
      CHECK(encoded == Status::kOk);
      CHECK(decoded == Status::kOk);
      CHECK(refused == Status::kInvalidArgument);
    }
  }
}

TEST_CASE("a first decode of new losses allocates little") {
  struct Limit {
    const char* spec;
    std::size_t most;
  };
  for (const Limit& limit : {Limit{"isa-cauchy:k=10,m=4", 26}, Limit{"rs:k=10,m=4", 26},
                             Limit{"cauchy-good:k=10,m=4,w=8", 29}}) {
    const Codec codec(limit.spec);
    const std::size_t chunk_bytes = codec.chunk_multiple();
    const Stripe stripe(14, chunk_bytes, 2, 1);
    for (const std::size_t losses : {1UL, 2UL, 4UL}) {
      // The first set of so many losses accepts kernels. The cache grows with the second or third.
      std::size_t least = SIZE_MAX;
      for (std::size_t first = 0; first < 4; ++first) {
        std::vector<std::size_t> lost(losses);
        std::iota(lost.begin(), lost.end(), first);
        const AllocationCount count;
        const Status status = codec.decode(stripe.chunks(), lost, chunk_bytes);
        least = std::min(least, count.so_far());
        REQUIRE(status == Status::kOk);
      }
      CAPTURE(limit.spec);
      CAPTURE(losses);
      CHECK(least <= limit.most);
    }
  }
}

TEST_CASE("without memory a decode says so and writes nothing") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  const std::size_t chunk_bytes = codec.chunk_multiple();
  const Stripe stripe(5, chunk_bytes, 2);
  const Stripe untouched = stripe;
  const std::vector<std::size_t> erased = {0};
  Status status = Status::kOk;
  {
    const AllocationLimit limit(3);
    status = codec.decode(stripe.chunks(), erased, chunk_bytes);
  }
  CHECK(status == Status::kUnsupported);
  CHECK(sentence_of_last_error() == "there is not enough memory");
  CHECK(stripe == untouched);
}

TEST_CASE("the last error of a thread is its own") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  CHECK(codec.encode(nullptr, 1) == Status::kInvalidArgument);
  std::string of_other;
  std::thread([&] { of_other = last_error(); }).join();
  CHECK(of_other.empty());
  CHECK(sentence_of_last_error() == "chunk_bytes = 1 is not a multiple of 192");
}

TEST_CASE("many threads use one codec and one plan at once") {
  for (const Executor executor :
       {Executor::kRanges, Executor::kGraph, Executor::kPlan, Executor::kAuto}) {
    for (const int threads : {1, 2}) {
      CAPTURE(to_string(executor));
      CAPTURE(threads);
      const Codec codec("cauchy-good:k=4,m=2,w=4", {.threads = threads, .executor = executor});
      const std::vector<std::size_t> erased = {1, 4};
      const Plan plan = codec.decoding(erased);
      const std::size_t chunk_bytes = 50 * codec.chunk_multiple();
      std::vector<int> is_good(8);
      std::vector<std::thread> callers;
      for (std::size_t caller = 0; caller < is_good.size(); ++caller) {
        callers.emplace_back([&, caller] {
          Stripe stripe(6, chunk_bytes, caller, caller);
          bool good = codec.encode(stripe.chunks(), chunk_bytes) == Status::kOk;
          const Stripe original = stripe;
          for (int round = 0; round < 5; ++round) {
            for (const std::size_t location : erased) stripe.lose(location);
            good = good && (round % 2 == 0 ? plan.run(stripe.chunks(), chunk_bytes)
                                           : codec.decode(stripe.chunks(), erased, chunk_bytes)) ==
                               Status::kOk;
            good = good && stripe == original && stripe.guards_intact();
          }
          is_good[caller] = good ? 1 : 0;
        });
      }
      for (std::thread& caller : callers) caller.join();
      CHECK(is_good == std::vector<int>(8, 1));
    }
  }
}

}  // namespace
}  // namespace xorloom
