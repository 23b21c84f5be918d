// Atlases of codes on words: their programs are over symbols, and their format is version 2.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/proof.hpp"
#include "gen/machines/machines.hpp"
#include "runtime/atlas/atlas_plans.hpp"
#include "runtime/atlas/loss_patterns.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/repair_plan.hpp"
#include "tests/fuzz/atlas_fuzz.hpp"
#include "tests/runtime/atlas/atlas_scene.hpp"
#include "tests/support/sample.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kSmallWords = "rs:k=2,m=2,w=8";

// Byte offsets of fields of the header.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kWordBitsAt = 76;

/// Codes of every width and of families whose examples have many patterns; and the families'
/// examples that lie in words, if they have no more patterns than the machine tries in a moment, or
/// with XORLOOM_TEST_WHOLE in seconds.
std::vector<std::string> specs_on_words() {
  std::vector<std::string> specs{"rs:k=3,m=2,w=4",
                                 "rs:k=3,m=2,w=16",
                                 "rs:k=2,m=2,w=32",
                                 "clay:k=2,m=2,d=3",
                                 "clay:k=4,m=2",
                                 "lrc:k=4,m=2,l=3",
                                 "rs:k=5,m=3",
                                 "rs-poly:k=4,m=3",
                                 "isa-cauchy:k=4,m=3",
                                 "shec:k=4,m=3,c=2",
                                 "isa-vandermonde:k=4,m=3",
                                 "leopard:k=5,m=3"};
  for (const Family* family : families()) {
    if (family->name == "file") continue;  // its example names a file
    const Code code = make_code(family->example, {.packet_bytes = 0, .allow_non_mds = true});
    const auto patterns = number_of_patterns(code.locations, code.m, tries_all() ? 1500 : 100);
    const bool is_small = patterns && *patterns * code.num_cells() <= 30'000;
    if (code.arrangement == Arrangement::kWord && is_small) specs.emplace_back(family->example);
  }
  return specs;
}

/// A file with two fields of its header changed, and checksums that hold.
std::string changed(std::string file, std::uint32_t version, std::uint32_t word_bits) {
  auto* const at = reinterpret_cast<std::uint8_t*>(file.data());
  put(at + kVersionAt, version);
  put(at + kWordBitsAt, word_bits);
  mend_atlas({at, file.size()});
  return file;
}

TEST_CASE("A program over symbols is packed with its coefficients and comes back") {
  for (const std::string spec :
       {"rs:k=4,m=2", "rs:k=4,m=2,w=4", "rs:k=3,m=2,w=32", "clay:k=4,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (const std::vector<std::size_t>& lost : subsets(code.locations, 2)) {
      const LinearMap map = lost.empty() ? encoding_map(code) : in_memory_map(code, lost, {});
      const Program program = direct_symbols(code, map);
      const Program bare = without_places(program);
      CHECK(unpacked(packed(bare), bare.num_cells(), code.field) == bare);
      const Program back =
          placed(bare, code.locations, code.subchunks, program.inputs, program.outputs);
      CHECK(without_places(back) == bare);
      prove(back, code);
    }
  }
}

TEST_CASE("Bytes that are no program over symbols are damage, whatever they are") {
  std::mt19937 random(1);
  for (const std::size_t w : {4U, 8U, 32U}) {
    const Code code = make_code(fmt::format("rs:k=3,m=2,w={}", w));
    const std::vector<std::uint8_t> whole =
        packed(without_places(direct_symbols(code, encoding_map(code))));
    CHECK_THROWS_AS(unpacked(whole, 1U << 20), Error);  // as an XOR program
    for (int round = 0; round < 10'000; ++round) {
      std::vector<std::uint8_t> bytes = whole;
      for (auto changes = 1 + random() % 3; changes != 0; --changes) {
        bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      }
      if (random() % 2 == 0) bytes.resize(random() % bytes.size());
      try {
        const Program program = unpacked(bytes, 1U << 20, code.field);
        check_program(program);
        for (const Equation& equation : program.equations) {
          for (const Operand& operand : equation.operands) {
            const bool is_in_range =
                operand.coefficient != 0 && operand.coefficient < code.field.size();
            CHECK(is_in_range);
          }
        }
      } catch (const Error& error) {
        CHECK(error.kind() == Status::kDamaged);
      }
    }
  }
  // One equation: output 1 is a coefficient times input 0.
  const auto scaled = [](std::uint8_t coefficient) {
    return std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0, coefficient};
  };
  CHECK(unpacked(scaled(15), 2, Field(4)).equations[0].operands[0].coefficient == 15);
  CHECK_THROWS_AS(unpacked(scaled(0), 2, Field(4)), Error);
  CHECK_THROWS_AS(unpacked(scaled(16), 2, Field(4)), Error);
}

TEST_CASE("Every program of an atlas of words is proved, and codes rebuild by it as without") {
  for (const std::string& spec : sample_if_sanitized(specs_on_words(), 6)) {
    CAPTURE(spec);
    const TemporaryFolder folder;
    made_atlas(folder, "a", spec, 0);
    const Code code = make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
    const Atlas atlas(folder / "a");
    atlas.check_code(code);
    CHECK(version_of(atlas.header().subject) == 2);
    CHECK(atlas.num_damaged() == 0);
    std::size_t recoverable = 0;
    for (const std::vector<std::size_t>& lost : subsets(code.locations, code.m)) {
      const auto found = atlas.find(code, lost);
      REQUIRE(found.has_value() == is_recoverable(code, lost));
      if (!found) continue;
      ++recoverable;
      for (const Program* program :
           {&found->equations, found->two_way.get(), found->three_way.get()}) {
        REQUIRE(find_disagreement(*program, code) == std::nullopt);
        CHECK(program->inputs == found->equations.inputs);
      }
    }
    PlanCounts counts{};
    CHECK(flaw_of(spec, {.allow_non_mds = true, .atlas = folder / "a"}, &counts) == "");
    CHECK(counts.from_atlas == recoverable);
    CHECK(counts.atlas_damaged == 0);
  }
}

TEST_CASE("An atlas of words serves every instruction set, engine and executor") {
  const TemporaryFolder folder;
  const std::string spec = "clay:k=2,m=2,d=3";
  made_atlas(folder, "a", spec);
  for (const Isa isa : machine_isas()) {
    for (const Executor executor : {Executor::kRanges, Executor::kGraph, Executor::kPlan}) {
      for (const Engine engine : {Engine::kAuto, Engine::kKernels}) {
        PlanCounts counts{};
        CHECK(flaw_of(spec,
                      {.threads = 2,
                       .isa = isa,
                       .executor = executor,
                       .style = EquationForm::kDirect,
                       .engine = engine,
                       .atlas = folder / "a"},
                      &counts) == "");
        CHECK(counts.from_atlas == 1 + 4 + 6);
      }
    }
  }
}

TEST_CASE("Machine code of an atlas takes no more instructions than that of a codec") {
  for (const std::string spec : {"clay:k=4,m=2", "lrc:k=4,m=2,l=3", "rs:k=4,m=3"}) {
    CAPTURE(spec);
    const TemporaryFolder folder;
    made_atlas(folder, "a", spec);
    const Code code = make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
    const Atlas atlas(folder / "a");
    const PlanOptions options{.isa = choose_isa()};
    std::size_t shorter = 0;
    for (const std::vector<std::size_t>& lost : subsets(code.locations, code.m)) {
      const auto found = atlas.find(code, lost);
      if (!found) continue;
      const LinearMap map = lost.empty() ? encoding_map(code) : in_memory_map(code, lost, {});
      const ProvedComputation usual = proved_computation(code, map, options);
      const auto machine = vector_machine(options.isa, code.packet_bytes);
      const auto order = machine ? found->order(machine->xor_operands) : nullptr;
      const auto given = make_computation(code, found->equations, options, order.get());
      if (!usual.computation->has_code()) break;  // no machine code here
      REQUIRE(given->has_code());
      const double of_usual = work_per_vector(usual.computation->counts());
      const double of_given = work_per_vector(given->counts());
      CHECK(of_given <= of_usual);
      shorter += of_given < of_usual ? 1U : 0U;
    }
    MESSAGE(spec << ": " << shorter << " patterns take fewer");
  }
}

TEST_CASE("An order that is not one of the program is damage, on words too") {
  const Code code = make_code("rs:k=4,m=2");
  const Program program = direct_symbols(code, encoding_map(code));
  Program wrong = program;
  wrong.equations[1].operands[2].coefficient ^= 1;
  const MachineFacts machine = kTwoWayMachine;
  CHECK_THROWS_AS(proved_order(program, &wrong, machine), Error);
  CHECK(proved_order(program, nullptr, machine) == program);
  Program in_rows = program;
  in_rows.rows = 0;
  CHECK_THROWS_AS(proved_order(program, &in_rows, machine), Error);
  // Far too many temporaries, which would take memory before anything is refused.
  Program endless = program;
  for (Element i = 0; i < 20'000; ++i) {
    endless.equations.push_back({endless.num_cells() + i, {}});
  }
  CHECK_THROWS_AS(proved_order(program, &endless, machine), Error);
  CHECK_THROWS_AS(make_plan(code, endless, PlanOptions{.isa = choose_isa()}), Error);
  // Programs of another code, over another field, or over bits.
  for (const char* other : {"rs:k=5,m=2", "rs:k=4,m=2,w=4", "cauchy:k=4,m=2,w=8"}) {
    CAPTURE(other);
    const Code packets_or_words = make_code(other);
    const Program foreign = packets_or_words.arrangement == Arrangement::kWord
                                ? direct_symbols(packets_or_words, encoding_map(packets_or_words))
                                : direct_encoding(packets_or_words);
    CHECK_THROWS_AS(make_plan(code, foreign, PlanOptions{.isa = choose_isa()}), Error);
  }
}

TEST_CASE("A byte changed anywhere in an atlas of words is refused, or caught where it is used") {
  const TemporaryFolder folder;
  const std::string whole = made_atlas(folder, "a", kSmallWords);
  std::size_t refused = 0;
  std::size_t caught = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    CAPTURE(at);
    std::string file = whole;
    file[at] = static_cast<char>(file[at] ^ (1 << at % 8));
    folder.write("b", file);
    const Status kind = refusal(kSmallWords, folder / "b");
    if (kind != Status::kOk) {
      CHECK((kind == Status::kDamaged || kind == Status::kParse || kind == Status::kUnsupported));
      ++refused;
      continue;
    }
    PlanCounts counts{};
    CHECK(flaw_of(kSmallWords, {.atlas = folder / "b"}, &counts) == "");
    CHECK(counts.atlas_damaged > 0);
    ++caught;
  }
  CHECK(refused > 300);
  CHECK(caught > 100);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder.write("b", whole.substr(0, size));
    const Status kind = refusal(kSmallWords, folder / "b");
    CHECK((kind == Status::kDamaged || kind == Status::kParse));
  }
}

TEST_CASE("Numbers of words that lie, with checksums that hold, do no harm") {
  const TemporaryFolder folder;
  const std::string whole = made_atlas(folder, "a", kSmallWords);
  std::mt19937 random(1);
  std::size_t used = 0;
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    std::string file = whole;
    for (auto changes = 1 + random() % 3; changes != 0; --changes) {
      const std::size_t at = random() % file.size();
      const auto kind = random() % 3;
      file[at] = static_cast<char>(kind == 0 ? random() : kind == 1 ? 0xff : 0);
    }
    mend_atlas({reinterpret_cast<std::uint8_t*>(file.data()), file.size()});
    folder.write("b", file);
    if (refusal(kSmallWords, folder / "b") != Status::kOk) continue;
    ++used;
    CHECK(flaw_of(kSmallWords, {.atlas = folder / "b"}, nullptr) == "");
  }
  CHECK(used > 30);
}

TEST_CASE("A format version of other codes is damage, and a newer one is unsupported") {
  const TemporaryFolder folder;
  const std::string packets_spec = "cauchy:k=2,m=2,w=4";
  const std::string words = made_atlas(folder, "w", kSmallWords);
  const std::string packets = made_atlas(folder, "p", packets_spec);
  const auto refused = [&](const std::string& spec, const std::string& file) {
    folder.write("b", file);
    return refusal(spec, folder / "b");
  };
  CHECK(refused(kSmallWords, changed(words, 2, 8)) == Status::kOk);
  CHECK(refused(kSmallWords, changed(words, 1, 0)) == Status::kDamaged);
  CHECK(refused(kSmallWords, changed(words, 1, 8)) == Status::kDamaged);
  CHECK(refused(kSmallWords, changed(words, 2, 0)) == Status::kDamaged);
  CHECK(refused(kSmallWords, changed(words, 2, 4)) == Status::kDamaged);
  CHECK(refused(kSmallWords, changed(words, 2, 7)) == Status::kDamaged);
  CHECK(refused(kSmallWords, changed(words, 0, 8)) == Status::kDamaged);
  CHECK(refused(kSmallWords, changed(words, 3, 8)) == Status::kUnsupported);
  CHECK(refused(packets_spec, changed(packets, 1, 0)) == Status::kOk);
  CHECK(refused(packets_spec, changed(packets, 2, 4)) == Status::kDamaged);
  CHECK(refused(packets_spec, changed(packets, 2, 0)) == Status::kDamaged);
  CHECK(refused("rs:k=2,m=2,w=8,arrangement=packet", words) == Status::kInvalidArgument);
  CHECK(refused("rs:k=2,m=3,w=8", words) == Status::kInvalidArgument);
}

}  // namespace
}  // namespace xorloom::test
