#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "tests/gen/source/compiled_sources.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/worked_example.hpp"

// Generated source, compiled and held against the oracle.

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

constexpr std::array<std::size_t, 4> kPacketBytes = {64, 8, 24, 4096};

/// Runs a function on a stripe whose outputs hold junk, and compares everything.
void check_on(const Stripe& before, const Program& program, const Code& code, Compute* compute,
              const Oracle& truth) {
  Stripe expected = before;
  Stripe actual = before;
  for (const Element output : program.outputs) {
    for (std::size_t at = output % program.rows * code.packet_bytes; at < before.chunk_bytes();
         at += chunk_multiple(code)) {
      std::ranges::fill(actual.chunk(output / program.rows).subspan(at, code.packet_bytes), 0xee);
    }
  }
  truth(expected.chunks(), expected.chunk_bytes());
  CHECK(compute(needed_chunks(actual, program).data(), actual.chunk_bytes()) == 0);
  CHECK(actual == expected);
  CHECK(actual.guards_intact());
}

/// Unit vectors, each in a lane of its own, a lane being a bit of a packet; the zero vector in the
/// lanes that are left, of which there is one at least.
void check_units(const Program& program, const Code& code, Compute* compute, const Oracle& truth) {
  const std::size_t lanes = 3 * code.packet_bytes * 8;
  for (std::size_t first = 0; first < program.inputs.size(); first += lanes - 1) {
    Stripe stripe(code.locations, 3 * chunk_multiple(code), 0, 1);
    for (std::size_t i = 0; i < code.locations; ++i) std::ranges::fill(stripe.chunk(i), 0);
    const std::size_t last = std::min(program.inputs.size(), first + lanes - 1);
    for (std::size_t i = first; i < last; ++i) {
      const Element input = program.inputs[i];
      const std::size_t lane = i - first;
      const std::size_t byte = lane / 8 / code.packet_bytes * chunk_multiple(code) +
                               input % program.rows * code.packet_bytes +
                               lane / 8 % code.packet_bytes;
      stripe.chunk(input / program.rows)[byte] = static_cast<std::uint8_t>(1U << lane % 8);
    }
    check_on(stripe, program, code, compute, truth);
  }
}

void check_random(const Program& program, const Code& code, Compute* compute, const Oracle& truth) {
  for (const std::size_t misalignment : Sizes{0, 1, 8}) {
    CAPTURE(misalignment);
    for (const std::size_t super_blocks : Sizes{0, 1, 3}) {
      const std::uint64_t seed = 1 + misalignment + super_blocks;
      CAPTURE(seed);
      check_on(Stripe(code.locations, super_blocks * chunk_multiple(code), seed, misalignment),
               program, code, compute, truth);
    }
  }
}

/// Wrong lengths are refused, and nothing is touched: there is nothing there.
void check_lengths(const Code& code, Compute* compute) {
  const std::size_t whole = chunk_multiple(code);
  const std::vector<std::uint8_t*> nowhere(code.locations, nullptr);
  for (const std::size_t length : {std::size_t{1}, std::size_t{7}, whole - 8, whole - 1, whole + 1,
                                   whole + 8, 3 * whole - 1, SIZE_MAX / whole * whole + 1}) {
    CAPTURE(length);
    CHECK(compute(nowhere.data(), length) == (length % whole == 0 ? 0 : 1));
  }
  CHECK(compute(nowhere.data(), 0) == 0);
}

void check_all(const LoadedLibrary& library, const Sources& sources) {
  for (const Source& source : sources) {
    for (std::size_t i = 0; i < source.programs.size(); ++i) {
      const NamedProgram& named = source.programs[i];
      CAPTURE(symbol(source, named));
      const auto compute = library.function<Compute>(symbol(source, named));
      check_units(named.program, source.code, compute, source.oracles[i]);
      check_random(named.program, source.code, compute, source.oracles[i]);
      check_lengths(source.code, compute);
    }
  }
}

/// Flags for every width of vectors that this machine has.
std::vector<std::string> widths() {
  std::vector<std::string> flags{"-O1"};
#if defined(__x86_64__)
  flags.emplace_back("-O1 -mgeneral-regs-only");
  if (__builtin_cpu_supports("avx2") != 0) flags.emplace_back("-O1 -mavx2");
  if (__builtin_cpu_supports("avx512f") != 0) flags.emplace_back("-O1 -mavx512f");
#endif
  return flags;
}

}  // namespace

TEST_CASE("small codes are computed by every compiler, and with vectors of every width") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const std::vector<std::string> flags = widths();
  for (std::size_t c = 0; c < all.size(); ++c) {
    for (std::size_t f = 0; f < flags.size(); ++f) {
      // If all four compilers are there, those of C get every other width, and those of C++ the
      // rest.
      const bool is_next = all.size() < 4 || (c / 2 + f) % 2 == 0;
      if (!is_next && !test::tries_all()) continue;
      CAPTURE(all[c].name);
      CAPTURE(flags[f]);
      const std::size_t packet_bytes = kPacketBytes[(c + f) % kPacketBytes.size()];
      CAPTURE(packet_bytes);
      Sources sources;
      add_code(sources, "paper", kWorkedExample, packet_bytes).add_direct({{0, 3}, {4, 6}});
      add_code(sources, "good", "cauchy-good:k=4,m=2,w=4", packet_bytes).add_direct({{1}, {2, 5}});
      const TemporaryFolder folder;
      check_all(build(folder, all[c], flags[f], sources), sources);
    }
  }
}

TEST_CASE("10 + 4 chunks are computed by every compiler, encoded and decoded") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].name);
    Sources sources;
    add_code(sources, "good", "cauchy-good:k=10,m=4,w=8", kPacketBytes[i % kPacketBytes.size()])
        .add_direct({{0, 3, 11, 12}, {9}});
    const TemporaryFolder folder;
    const std::vector<std::string> flags = widths();
    check_all(build(folder, all[i], flags[i % flags.size()], sources), sources);
  }
}

TEST_CASE("temporaries, copies, zeros and outputs that are read are computed, in parts too") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  std::array<Sources, 2> sources;
  for (const std::size_t number : Sizes{0, 1}) {
    const std::size_t part_operands = number == 0 ? 3 : 10'000;
    Source& paper = add_code(sources[number], "paper", kWorkedExample, 24);
    paper.part_operands = part_operands;
    paper.add("iterative", paper_iterative(), encoding_map(paper.code));
    const Program direct = direct_encoding(paper.code);
    paper.add("chained", chained(direct), encoding_map(paper.code));
    Source& random = sources[number].emplace_back(Source{"random", packet_layout(9, 5, 40)});
    random.part_operands = part_operands;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      random.add(fmt::format("seed_{}", seed), random_program(9, 5, 30, seed));
    }
  }
  const std::vector<std::size_t> numbers{0, 1};
  for (std::size_t c = 0; c < all.size(); ++c) {
    CAPTURE(all[c].name);
    for (const std::size_t number : test::one_by_turns(numbers, c + c / 2)) {
      const TemporaryFolder folder;
      check_all(build(folder, all[c], "-O2", sources[number]), sources[number]);
    }
  }
}

}  // namespace xorloom
