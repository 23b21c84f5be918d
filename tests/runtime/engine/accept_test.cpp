#include "runtime/engine/accept.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/operands.hpp"
#include "runtime/engine/acceptance_cases.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

using Made = std::unique_ptr<const Computation>;

Made ready(const Code& code, const LinearMap& map, Isa isa) {
  const bool is_word = code.arrangement == Arrangement::kWord;
  return make_computation(code, is_word ? direct_symbols(code, map) : direct_program(code, map),
                          {.isa = isa});
}

/// Whether a computation is accepted; that it is refused as the design says is checked here.
bool is_accepted(const Code& code, const LinearMap& map, const Made& computation) {
  try {
    accept(code, map, *computation);
    return true;
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kInternal);
    CHECK(
        std::string(error.what()).starts_with("a kernel for " + code.spec + " was not accepted: "));
    return false;
  }
}

/// A right computation that does nothing where chunks begin at equal places of pages, or says that
/// it does not look.
class IdleWhereCrowded final : public Computation {
 public:
  IdleWhereCrowded(Made right, bool looks) : Computation(right->facts()), right_(std::move(right)) {
    facts_.looks_at_addresses = looks;
  }
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    const auto place = [](const std::uint8_t* chunk) {
      return reinterpret_cast<std::uintptr_t>(chunk) % 4096;
    };
    if (place(chunks[0]) != place(chunks[1])) right_->run(chunks, chunk_bytes, begin, end, stores);
  }
  std::size_t memory_bytes() const noexcept override { return right_->memory_bytes(); }

 private:
  Made right_;
};

/// A correct computation that says that it adds. It adds to its outputs only if `adds` is set.
class SaysItAdds final : public Computation {
 public:
  SaysItAdds(const Code& code, Made right, bool adds)
      : Computation(right->facts()), code_(code), right_(std::move(right)), adds_(adds) {
    facts_.adds = true;
  }
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    std::vector<std::vector<std::uint8_t>> before;
    for (std::size_t i = code_.k; i < code_.locations; ++i) {
      before.emplace_back(chunks[i] + begin, chunks[i] + end);
    }
    right_->run(chunks, chunk_bytes, begin, end, stores);
    for (std::size_t i = 0; adds_ && i < before.size(); ++i) {
      for (std::size_t at = begin; at < end; ++at) chunks[code_.k + i][at] ^= before[i][at - begin];
    }
  }
  std::size_t memory_bytes() const noexcept override { return right_->memory_bytes(); }

 private:
  const Code& code_;
  Made right_;
  bool adds_;
};

const char* const kSpecs[] = {
    "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb",
    "cauchy-good:k=6,m=3,w=8",
    "cauchy-good:k=4,m=2,w=4,packet_bytes=8",
    "cauchy-good:k=4,m=2,w=4,packet_bytes=40",
    "cauchy-good:k=4,m=2,w=4,packet_bytes=72",
    "cauchy-good:k=4,m=2,w=4,packet_bytes=256",
    "cauchy-good:k=4,m=2,w=4,packet_bytes=4096",
    "cauchy-good:k=4,m=2,w=4,packet_bytes=1048576",
    "rs:k=4,m=3,w=8",
    "rs:k=4,m=3,w=16",
    "rs:k=4,m=3,w=32",
    "isa-cauchy:k=6,m=3",
};

}  // namespace

TEST_CASE("what computes its code is accepted on every instruction set") {
  for (const Isa isa : machine_isas()) {
    for (const char* spec : kSpecs) {
      INFO(spec, " on ", to_string(isa));
      const Code code = make_code(spec);
      const LinearMap encoding = encoding_map(code);
      CHECK(is_accepted(code, encoding, ready(code, encoding, isa)));
      const std::vector<std::size_t> lost{0, code.k};
      const LinearMap decoding = decoding_map(code, lost);
      CHECK(is_accepted(code, decoding, ready(code, decoding, isa)));
      CHECK(!is_accepted(code, encoding, ready(code, decoding, isa)));
    }
  }
}

TEST_CASE("code for chunks at equal places of pages is refused if it is wrong") {
  for (const char* spec : {"cauchy-good:k=6,m=3,w=8", "rs:k=6,m=3"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    for (const bool looks : {true, false}) {
      const Made idle =
          std::make_unique<const IdleWhereCrowded>(ready(code, map, Isa::kPortable), looks);
      CHECK(is_accepted(code, map, idle) == !looks);
    }
  }
}

TEST_CASE("what says that it adds to its outputs is refused if it only writes them") {
  const Code code = make_code("rs:k=4,m=3");
  const LinearMap map = encoding_map(code);
  for (const bool adds : {true, false}) {
    const Made made =
        std::make_unique<const SaysItAdds>(code, ready(code, map, Isa::kPortable), adds);
    CHECK(is_accepted(code, map, made) == adds);
  }
}

TEST_CASE("equations with temporaries are accepted") {
  for (const Isa isa : machine_isas()) {
    const Code paper = make_code(kWorkedExample);
    CHECK(is_accepted(paper, encoding_map(paper),
                      make_computation(paper, paper_iterative(), {.isa = isa})));
    for (const char* spec : {"cauchy-good:k=6,m=3,w=8", "cauchy-good:k=6,m=3,w=8,packet_bytes=8",
                             "cauchy-good:k=6,m=3,w=8,packet_bytes=4096"}) {
      const Code code = make_code(spec);
      const Program program = chained(direct_encoding(code));
      CHECK(is_accepted(code, encoding_map(code), make_computation(code, program, {.isa = isa})));
    }
  }
}

TEST_CASE("one operand too few, too many or changed is refused in every equation") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t packet_bytes : Sizes{8, 64, 4096}) {
      const Code code = make_code(kWorkedExample, {.packet_bytes = packet_bytes});
      const LinearMap map = encoding_map(code);
      const Program right = paper_iterative();
      for (std::size_t i = 0; i < right.equations.size(); ++i) {
        INFO(to_string(isa), ", ", packet_bytes, "-byte packets, equation ", i);
        Program fewer = right;
        fewer.equations[i].operands.pop_back();
        CHECK(!is_accepted(code, map, make_computation(code, fewer, {.isa = isa})));
        Program changed = right;
        Element& operand = changed.equations[i].operands[0].element;
        operand = operand == 0 ? 14 : operand < 15 ? operand - 1 : 0;
        CHECK(!is_accepted(code, map, make_computation(code, changed, {.isa = isa})));
        Program more = right;
        add(more.equations[i].operands, 13);
        CHECK(!is_accepted(code, map, make_computation(code, more, {.isa = isa})));
      }
    }
  }
}

TEST_CASE("an equation left out, or one too many that writes a data cell, is refused") {
  const Code code = make_code(kWorkedExample);
  const LinearMap map = encoding_map(code);
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    Program fewer = direct_encoding(code);
    fewer.equations.pop_back();
    const PlanOptions by_kernels{.isa = isa, .engine = Engine::kKernels};
    if (vector_machine(isa)) {  // there is nothing to accept
      CHECK_THROWS_WITH_AS(make_computation(code, fewer, {.isa = isa}), "output 20 has no equation",
                           Error);
    }
    CHECK(!is_accepted(code, map, make_computation(code, fewer, by_kernels)));
    Program more = direct_encoding(code);
    more.equations.push_back({0, {1}});
    more.outputs.push_back(0);
    if (vector_machine(isa)) {  // its tile is refused before there is anything to accept
      CHECK_THROWS_WITH_AS(make_computation(code, more, {.isa = isa}),
                           "a tile was not proved: another sum is computed as output 6", Error);
    }
    CHECK(!is_accepted(code, map, make_computation(code, more, by_kernels)));
  }
}

TEST_CASE("a wrong input beyond the first batch of unit vectors is found") {
  // 8-byte packets have 64 lanes a super-block; k·w = 320 inputs need more than one batch.
  const Code code = make_code("cauchy-good:k=40,m=2,w=8,packet_bytes=8");
  const LinearMap map = encoding_map(code);
  Program program = direct_encoding(code);
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    CHECK(is_accepted(code, map, make_computation(code, program, {.isa = isa})));
  }
  program.equations.back().operands.pop_back();
  CHECK(!is_accepted(code, map, make_computation(code, program, {.isa = Isa::kPortable})));
}

TEST_CASE("a wrong coefficient of rows that are computed together is refused on packets") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t w : Sizes{4, 7, 8}) {
      const Code code = make_code(fmt::format("cauchy:k=10,m=3,w={}", w));
      const LinearMap map = decoding_map(code, Sizes{0, 1, 2}, {});
      const auto made = [&](const LinearMap& of) -> Made {
        auto kernels = std::make_unique<const PacketKernels>(code, of, isa);
        CHECK((kernels->facts().kernel_rows & kPacketRowSteps) != 0);
        return kernels;
      };
      CHECK(is_accepted(code, map, made(map)));
      for (std::size_t i = 0; i < map.inputs.size(); ++i) {
        INFO("w = ", w, " on ", to_string(isa), ", coefficient ", i % 3, ", ", i);
        LinearMap wrong = map;
        wrong.coefficients(i % 3, i) ^= 1U << i % w;
        CHECK(!is_accepted(code, map, made(wrong)));
      }
    }
  }
}

TEST_CASE("a wrong coefficient or field is refused on words") {
  for (const Isa isa : machine_isas()) {
    for (const char* spec : {"rs:k=4,m=3,w=8", "rs:k=4,m=3,w=16", "rs:k=4,m=3,w=32"}) {
      const Code code = make_code(spec);
      const LinearMap map = encoding_map(code);
      for (std::size_t o = 0; o < 3; ++o) {
        for (std::size_t i = 0; i < 4; ++i) {
          INFO(spec, " on ", to_string(isa), ", coefficient ", o, ", ", i);
          LinearMap wrong = map;
          wrong.coefficients(o, i) ^= 2;
          CHECK(!is_accepted(code, map, ready(code, wrong, isa)));
        }
      }
    }
    const Code code = make_code("rs:k=4,m=3,w=8");
    Code other = code;
    other.field = Field(8, 0x12d);
    CHECK(!is_accepted(other, encoding_map(code), ready(code, encoding_map(code), isa)));
  }
}

TEST_CASE("a wrong coefficient of a late input of a wide word code is refused") {
  const Code code = make_code("rs:k=1100,m=2,w=16");
  const LinearMap map = encoding_map(code);
  CHECK(is_accepted(code, map, ready(code, map, Isa::kPortable)));
  for (const std::size_t input : Sizes{0, 511, 512, 1023, 1024, 1099}) {
    INFO("input ", input);
    LinearMap wrong = map;
    wrong.coefficients(1, input) ^= 0x8000;
    CHECK(!is_accepted(code, map, ready(code, wrong, Isa::kPortable)));
    wrong.coefficients(1, input) = 0;
    CHECK(!is_accepted(code, map, ready(code, wrong, Isa::kPortable)));
  }
  LinearMap swapped = map;
  std::swap(swapped.inputs[1], swapped.inputs[1 + 61]);
  CHECK(!is_accepted(code, map, ready(code, swapped, Isa::kPortable)));
}

TEST_CASE(
    "a wrong coefficient of a wide code in planes is refused, wherever in a block it is tried") {
  const Code code = make_code("leopard:k=700,m=2,w=16");  // one bit of each input is tried
  const LinearMap map = encoding_map(code);
  const Isa isa = machine_isas().back();
  CHECK(is_accepted(code, map, ready(code, map, isa)));
  for (const std::size_t input : Sizes{0, 1, 23, 24, 31, 32, 345, 698, 699}) {
    INFO("input ", input);
    LinearMap wrong = map;
    wrong.coefficients(1, input) ^= 0x8000;
    CHECK(!is_accepted(code, map, ready(code, wrong, isa)));
  }
  LinearMap swapped = map;
  std::swap(swapped.inputs[5], swapped.inputs[5 + 32]);
  CHECK(!is_accepted(code, map, ready(code, swapped, isa)));
}

TEST_CASE("sub-chunks are told apart, and from those that are not to be read") {
  // Locations 0 to 2 are read, 2 to 4 written, 5 and 6 neither.
  for (const std::size_t w : Sizes{4, 8, 16, 32}) {
    Code code;
    code.spec = "by hand";
    code.field = Field(w);
    code.locations = 7;
    code.subchunks = 3;
    code.arrangement = Arrangement::kWord;
    LinearMap right{{0, 1, 2, 4, 6}, {7, 9, 14}, Matrix(3, 5)};
    for (std::size_t i = 0; i < 15; ++i) {
      right.coefficients(i / 5, i % 5) = static_cast<Field::Symbol>(i % 4 == 3 ? 0 : i % 15 + 1);
    }
    for (const Isa isa : machine_isas()) {
      CHECK(is_accepted(code, right, ready(code, right, isa)));
      for (std::size_t i = 0; i < 15; ++i) {
        INFO("w = ", w, " on ", to_string(isa), ", coefficient ", i / 5, ", ", i % 5);
        LinearMap wrong = right;
        wrong.coefficients(i / 5, i % 5) ^= 1;
        CHECK(!is_accepted(code, right, ready(code, wrong, isa)));
      }
      // Extra inputs: a cell of a location that is read, a cell of a location that is written, and
      // two cells of other locations, whose errors must not cancel.
      for (const std::vector<Cell>& more : {std::vector<Cell>{3}, {8}, {15, 18}}) {
        INFO("w = ", w, " on ", to_string(isa), ", cell ", more[0]);
        LinearMap wrong = right;
        wrong.inputs.insert(wrong.inputs.end(), more.begin(), more.end());
        wrong.coefficients = Matrix(3, wrong.inputs.size());
        for (std::size_t o = 0; o < 3; ++o) {
          std::ranges::fill(wrong.coefficients.row(o), 1);
          std::ranges::copy(right.coefficients.row(o), wrong.coefficients.row(o).begin());
        }
        CHECK(!is_accepted(code, right, ready(code, wrong, isa)));
      }
    }
  }
}

TEST_CASE("sums that read one another are accepted, and refused with any factor changed") {
  const Code code = make_code("clay:k=4,m=2");
  const LinearMap map = encoding_map(code);
  const Program program = sparse_sums(code, map).value().program;
  for (const Isa isa : machine_isas()) {
    CHECK(is_accepted(code, map, make_computation(code, program, {.isa = isa})));
    for (std::size_t s = 0; s < program.equations.size(); ++s) {
      INFO("on ", to_string(isa), ", sum ", s);
      Program wrong = program;
      std::vector<Operand>& operands = wrong.equations[s].operands;
      Operand& operand = operands[s % operands.size()];
      operand.coefficient = operand.coefficient == 2 ? 3 : operand.coefficient ^ 2;
      CHECK(!is_accepted(code, map, make_computation(code, wrong, {.isa = isa})));
    }
  }
}

TEST_CASE("The kernels of all numbers of rows, of several steps and of sub-chunks are accepted") {
  for (const Isa isa : machine_isas()) {
    for (const char* spec : {"isa-cauchy:k=4,m=2", "rs:k=4,m=2,w=4", "rs:k=4,m=2,w=16",
                             "rs:k=4,m=2,w=32", "leopard:k=6,m=3", "leopard:k=200,m=60"}) {
      CAPTURE(spec);
      CAPTURE(to_string(isa));
      CHECK_NOTHROW(accept_kernels(make_code(spec), isa, 0xffffU | kSeveralSteps));
    }
    for (const char* spec : {"cauchy-good:k=4,m=2,w=4,packet_bytes=8", "cauchy-good:k=4,m=2,w=8"}) {
      CHECK_NOTHROW(accept_kernels(make_code(spec), isa, kPlainPackets | kPacketRowSteps));
    }
  }
}

TEST_CASE("no two sub-chunks of a location begin or go on with the same random data") {
  const Code code = make_code("clay:k=10,m=4");  // 256, more than the data have units in a period
  const LinearMap map = encoding_map(code);
  const std::size_t bytes = 640;
  const AcceptanceCase test_case = WordCases(code, map).random(bytes);
  for (std::size_t location = 0; location < code.k; ++location) {
    const AcceptanceCase::Place place = test_case.chunks[location];
    const std::uint8_t* chunk = test_case.before[place.region].data() + place.offset;
    for (const std::size_t offset : {std::size_t{0}, bytes - 64}) {
      std::set<std::string> seen;
      for (std::size_t s = 0; s < code.subchunks; ++s) {
        const std::uint8_t* from = chunk + s * bytes + offset;
        seen.insert(std::string(from, from + 64));
      }
      CHECK(seen.size() == code.subchunks);
    }
  }
}

}  // namespace xorloom
