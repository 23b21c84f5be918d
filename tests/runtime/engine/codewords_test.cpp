#include "runtime/engine/codewords.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/word_kernels.hpp"

namespace xorloom {
namespace {

/// Kernels of rows that are accepted as transforms are.
class OfCodewords final : public Computation {
 public:
  OfCodewords(const Code& code, const LinearMap& map, std::size_t wrong_from)
      : rows_(code, map, Isa::kPortable), output_(map.outputs.front()), wrong_from_(wrong_from) {
    facts_.column_multiple = rows_.facts().column_multiple;
    facts_.sizes = rows_.facts().sizes;
    facts_.is_of_codewords = true;
  }

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    rows_.run(chunks, chunk_bytes, begin, end, stores);
    if (begin <= wrong_from_ && wrong_from_ < end) chunks[output_][wrong_from_] ^= 1;
  }
  std::size_t memory_bytes() const noexcept override { return rows_.memory_bytes(); }

 private:
  WordKernels rows_;
  Cell output_;
  std::size_t wrong_from_;
};

const char* const kCodesOfBytes[] = {"isa-cauchy:k=5,m=3", "rs:k=4,m=3,w=16", "leopard:k=6,m=3",
                                     "leopard:k=5,m=4,w=16"};

std::vector<std::size_t> some_losses(const Code& code) { return {1, code.k}; }

}  // namespace

TEST_CASE("What computes a code's map is right on codewords, whatever is lost") {
  for (const char* spec : kCodesOfBytes) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    REQUIRE(Codewords::fits(code));
    const Codewords codewords(code);
    for (const Isa isa : machine_isas()) {
      for (const LinearMap& map : {encoding_map(code), decoding_map(code, some_losses(code))}) {
        const WordKernels kernels(code, map, isa);
        CHECK_NOTHROW(codewords.check(map, kernels));
        for (const std::size_t units : {1U, 3U, 50U}) {
          const auto test_case = codewords.test_case(map, units * chunk_multiple(code));
          CHECK_NOTHROW(accept(code, test_case, kernels));
        }
      }
    }
  }
}

TEST_CASE("Codewords of any length are what the oracle makes of their data") {
  for (const char* spec : kCodesOfBytes) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    AcceptanceCase test_case = Codewords(code).test_case(map, 200 * chunk_multiple(code));
    std::vector<std::uint8_t*> chunks;
    for (const AcceptanceCase::Place place : test_case.chunks) {
      chunks.push_back(test_case.before[place.region].data() + place.offset);
    }
    CHECK(test_case.before != test_case.after);
    oracle(code, map, chunks.data(), test_case.chunk_bytes);
    CHECK(test_case.before == test_case.after);
  }
}

TEST_CASE("One wrong factor of any row is refused") {
  for (const char* spec : kCodesOfBytes) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Codewords codewords(code);
    const LinearMap map = decoding_map(code, some_losses(code));
    std::mt19937 random(1);
    for (std::size_t o = 0; o < map.outputs.size(); ++o) {
      for (std::size_t i = 0; i < map.inputs.size(); ++i) {
        LinearMap wrong = map;
        wrong.coefficients(o, i) ^=
            static_cast<Field::Symbol>(1 + random() % (code.field.size() - 1));
        const WordKernels kernels(code, wrong, Isa::kPortable);
        CHECK_THROWS_AS(codewords.check(map, kernels), Error);
      }
    }
  }
}

TEST_CASE("What is accepted by codewords has to have every byte right, and every factor") {
  const std::size_t never = ~std::size_t{0};
  for (const char* spec : kCodesOfBytes) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    CHECK_NOTHROW(accept(code, map, OfCodewords(code, map, never)));
    for (const std::size_t byte : {0U, 63U, 1000U, 4096U}) {
      CHECK_THROWS_AS(accept(code, map, OfCodewords(code, map, byte)), Error);
    }
    LinearMap wrong = map;
    wrong.coefficients(1, 2) ^= 1;
    CHECK_THROWS_AS(accept(code, map, OfCodewords(code, wrong, never)), Error);
  }
}

TEST_CASE("What computes other losses, or writes nothing, is refused") {
  const Code code = make_code("leopard:k=6,m=3");
  const Codewords codewords(code);
  const LinearMap map = decoding_map(code, std::vector<std::size_t>{1, 2});
  LinearMap swapped = map;
  std::swap(swapped.outputs[0], swapped.outputs[1]);
  CHECK_THROWS_AS(codewords.check(map, WordKernels(code, swapped, Isa::kPortable)), Error);
  const LinearMap other = decoding_map(code, std::vector<std::size_t>{1, 3});
  CHECK_THROWS_AS(codewords.check(map, WordKernels(code, other, Isa::kPortable)), Error);
  const LinearMap one =
      decoding_map(code, std::vector<std::size_t>{1, 2}, std::vector<std::size_t>{1});
  CHECK_THROWS_AS(codewords.check(map, WordKernels(code, one, Isa::kPortable)), Error);
}

TEST_CASE("Codewords are those of symbols of bytes, one to a location") {
  CHECK_FALSE(Codewords::fits(make_code("cauchy-good:k=4,m=2,w=8")));
  CHECK_FALSE(Codewords::fits(make_code("rs:k=4,m=3,w=4")));
  CHECK_FALSE(Codewords::fits(make_code("clay:k=4,m=2,arrangement=word")));
}

}  // namespace xorloom
