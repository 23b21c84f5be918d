#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/proof.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "tests/gen/source/compiled_sources.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"

// Generated source for codes on words, in each of its forms, compiled and held against the oracle.

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;
using Lost = std::vector<std::vector<std::size_t>>;

/// Compilers take about half of the time without optimization. Iterative equations are optimized.
std::string quickly() { return test::tries_all() ? "-O1 " : "-O0 "; }

/// Flags that compile a file for one form alone, for each form that this machine can run. On x86
/// the test says which it cannot; other processors have one form.
std::vector<std::string> forced_forms() {
  bool has_tables = false;
  bool has_gfni = false;
#if defined(__x86_64__)
  has_tables = __builtin_cpu_supports("avx2") != 0;
  has_gfni = has_tables && __builtin_cpu_supports("gfni") != 0 &&
             __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  if (!has_tables) MESSAGE("SKIPPED: tables are not run, as this machine lacks AVX2");
  if (!has_gfni) MESSAGE("SKIPPED: GFNI is not run, as this machine lacks it or AVX-512");
#endif
  std::vector<std::string> flags{"-DXL_FORM=0"};
  if (has_tables) flags.emplace_back("-DXL_FORM=1");
  if (has_gfni) flags.emplace_back("-DXL_FORM=2");
  return test::sample_if_sanitized(flags, 2);
}

/// If all four compilers are there: gcc and clang++ in even turns, clang and g++ in odd turns.
std::vector<Compiler> one_of_each_language(const std::vector<Compiler>& all, std::size_t turn) {
  if (all.size() < 4 || test::tries_all()) return all;
  return turn % 2 == 0 ? std::vector{all[0], all[3]} : std::vector{all[1], all[2]};
}

/// One compiler. Of four: gcc in the first turn, then clang and clang++ alternately, which read the
/// headers of vectors in half of the time. Of fewer: each in turn.
std::vector<Compiler> quick_one(const std::vector<Compiler>& all, std::size_t turn) {
  return test::one_by_turns(all, all.size() < 4 || turn == 0 ? turn : 2 * turn + 3);
}

Source& add_words(Sources& sources, const std::string& name, const std::string& spec,
                  const Lost& losses, bool is_iterative = false) {
  Source& source = sources.emplace_back(Source{name, make_code(spec)});
  const auto add = [&](const std::string& function, const Request& request, const LinearMap& map) {
    source.add(function,
               is_iterative ? optimize(searched_program(source.code, request))
                            : direct_program(source.code, request),
               map);
  };
  add("encode", {.over = Over::kSymbols}, encoding_map(source.code));
  for (const std::vector<std::size_t>& lost : losses) {
    add(fmt::format("decode_{}", fmt::join(lost, "_")), {.erased = lost, .over = Over::kSymbols},
        decoding_map(source.code, lost));
  }
  return source;
}

/// An example of every family on words, with the loss of its first or its last chunk by turns.
Sources every_family() {
  Sources sources;
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    const Code code = make_code(family->example);
    if (code.arrangement != Arrangement::kWord) continue;
    add_words(sources, fmt::format("family_{}", sources.size()), std::string(family->example),
              test::one_by_turns(Lost{{0}, {code.locations - 1}}, sources.size()));
  }
  return sources;
}

/// Small codes over symbols of 4 and 16 bits, or of 8 and 32.
Sources two_widths(bool of_4_and_16) {
  Sources sources;
  if (of_4_and_16) {
    add_words(sources, "w4", "rs:k=3,m=2,w=4", {{0, 1}});
    add_words(sources, "w16", "rs:k=3,m=2,w=16", {{1, 2}});
  } else {
    add_words(sources, "w8", "rs:k=3,m=2,w=8,poly=0x12b", {{0, 2}});
    add_words(sources, "w32", "rs:k=3,m=2,w=32", {{0, 2}});
  }
  return sources;
}

/// Runs a function on a stripe whose outputs hold junk, and compares everything.
void check_word_stripe(const Stripe& before, const Program& program, Compute* compute,
                       const Oracle& truth) {
  Stripe expected = before;
  Stripe actual = before;
  const std::size_t sub = before.chunk_bytes() / program.rows;
  for (const Element output : program.outputs) {
    std::ranges::fill(actual.chunk(output / program.rows).subspan(output % program.rows * sub, sub),
                      0xee);
  }
  truth(expected.chunks(), expected.chunk_bytes());
  CHECK(compute(needed_chunks(actual, program).data(), actual.chunk_bytes()) == 0);
  CHECK(actual == expected);
  CHECK(actual.guards_intact());
}

/// Unit vectors: symbol i·w + b of input i has bit b alone, so that each bit of each coefficient
/// is seen by itself; after them one symbol is 0 everywhere.
void check_word_units(const Program& program, Compute* compute, const Oracle& truth,
                      std::size_t locations) {
  const std::size_t w = program.field.w();
  const std::size_t symbols = program.inputs.size() * w + 2;
  const std::size_t sub = symbols * w / 8 / 4 * 4 + 4;
  Stripe stripe(locations, sub * program.rows, 0, 1);
  for (std::size_t i = 0; i < locations; ++i) std::ranges::fill(stripe.chunk(i), 0);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const Element input = program.inputs[i];
    const auto cell = stripe.chunk(input / program.rows).subspan(input % program.rows * sub, sub);
    for (std::size_t b = 0; b < w; ++b) {
      const std::size_t bit = (i * w + b) * w + b;
      cell[bit / 8] = static_cast<std::uint8_t>(cell[bit / 8] | 1U << bit % 8);
    }
  }
  check_word_stripe(stripe, program, compute, truth);
}

/// Random data in sizes from nothing to several vectors of every form, with and without a rest.
void check_random_words(const Program& program, const Code& code, Compute* compute,
                        const Oracle& truth) {
  for (const std::size_t misalignment : Sizes{0, 1}) {
    CAPTURE(misalignment);
    const std::size_t least = chunk_multiple(code) / code.subchunks;
    for (const std::size_t bytes :
         Sizes{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200}) {
      const std::size_t sub = bytes * least;
      CAPTURE(sub);
      check_word_stripe(Stripe(code.locations, sub * code.subchunks, 1 + bytes, misalignment),
                        program, compute, truth);
    }
  }
}

/// Wrong lengths are refused, and nothing is touched: there is nothing there.
void check_word_lengths(const Code& code, Compute* compute) {
  const std::size_t multiple = chunk_multiple(code);
  const std::vector<std::uint8_t*> nowhere(code.locations, nullptr);
  CHECK(compute(nowhere.data(), 0) == 0);
  for (const std::size_t length : {std::size_t{1}, multiple - 1, multiple + 1, 3 * multiple - 1}) {
    if (length % multiple == 0) continue;
    CAPTURE(length);
    CHECK(compute(nowhere.data(), length) == 1);
  }
}

void check_words(const LoadedLibrary& library, const Sources& sources) {
  for (const Source& source : sources) {
    for (std::size_t i = 0; i < source.programs.size(); ++i) {
      const NamedProgram& named = source.programs[i];
      CAPTURE(source.code.spec);
      CAPTURE(named.name);
      const auto compute = library.function<Compute>(symbol(source, named));
      check_word_units(named.program, compute, source.oracles[i], source.code.locations);
      check_random_words(named.program, source.code, compute, source.oracles[i]);
      check_word_lengths(source.code, compute);
    }
  }
}

/// A program with random coefficients, as random_program, of cells of a code.
Program random_sums(const Code& code, std::size_t temporaries, std::uint64_t seed) {
  Program program = random_program(code.locations, code.subchunks, temporaries, seed);
  program.field = code.field;
  std::mt19937_64 random(seed);
  for (Equation& equation : program.equations) {
    for (Operand& operand : equation.operands) {
      operand.coefficient = static_cast<Field::Symbol>(1 + random() % (code.field.size() - 1));
    }
  }
  check_program(program);
  return program;
}

}  // namespace

TEST_CASE("symbols of every width are computed in every form by gcc and clang") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  std::vector<std::string> forms = forced_forms();
  forms.emplace_back("");  // the form chosen at run time
  std::size_t turn = 0;
  for (const std::string& flags : forms) {
    for (const Compiler& compiler : one_of_each_language(all, turn)) {
      CAPTURE(flags);
      CAPTURE(compiler.name);
      const TemporaryFolder folder;
      // Compilers of C get one width or the other two, alternately; those of C++ get the rest.
      const Sources sources = two_widths(compiler.is_cpp == (turn / 2 % 2 == 0));
      check_words(build(folder, compiler, quickly() + flags, sources), sources);
    }
    ++turn;
  }
}

TEST_CASE("every family on words is encoded and rebuilt in every form") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const Sources sources = every_family();
  CHECK(sources.size() >= 8);
  std::size_t turn = 1;
  for (const std::string& flags : forced_forms()) {
    for (const Compiler& compiler : quick_one(all, turn++)) {
      CAPTURE(flags);
      CAPTURE(compiler.name);
      const TemporaryFolder folder;
      check_words(build(folder, compiler, quickly() + flags, sources), sources);
    }
  }
}

TEST_CASE("iterative equations of words are computed in every form") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const std::vector<std::pair<std::string, Lost>> codes{{"lrc:k=8,m=4,l=3", {{2}, {0, 1}}},
                                                        {"isa-cauchy:k=6,m=3", {{0, 2, 7}}},
                                                        {"clay:k=4,m=2", {{1}, {0, 5}}}};
  std::size_t turn = 1;
  for (const std::string& flags : forced_forms()) {
    const Compiler& compiler = all[turn % all.size()];
    Sources sources;
    for (const auto& [spec, losses] : test::one_by_turns(codes, turn++)) {
      add_words(sources, fmt::format("code_{}", sources.size()), spec, losses, true);
    }
    CAPTURE(flags);
    CAPTURE(compiler.name);
    const TemporaryFolder folder;
    check_words(build(folder, compiler, "-O2 " + flags, sources), sources);
  }
}

TEST_CASE("temporaries, copies, zeros and outputs of words that are read, in parts too") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  Sources sources;
  const auto add = [&](const std::string& spec, std::size_t temporaries,
                       std::size_t part_operands) {
    Source& source =
        sources.emplace_back(Source{fmt::format("random_{}", sources.size()), make_code(spec)});
    source.part_operands = part_operands;
    const Program program = random_sums(source.code, temporaries, sources.size());
    source.add("sums", program, {program.inputs, program.outputs, coefficients_of(program)});
  };
  add("rs:k=9,m=3,w=4", 8, 10);
  add("rs:k=9,m=3,w=8", 8, 10'000);
  add("rs:k=9,m=3,w=8", 8, 20);
  add("rs:k=9,m=3,w=16", 6, 40);
  add("rs:k=6,m=2,w=32", 3, 10'000);
  add("clay:k=4,m=2", 6, 60);
  std::size_t turn = 0;
  for (const std::string& flags : forced_forms()) {
    for (const Compiler& compiler : quick_one(all, turn++)) {
      CAPTURE(flags);
      CAPTURE(compiler.name);
      const TemporaryFolder folder;
      check_words(build(folder, compiler, quickly() + flags, sources), sources);
    }
  }
}

TEST_CASE("without vectors of the target, words of 8 bytes take their place") {
  const std::vector<Compiler> all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
#if defined(__x86_64__)
  for (const Compiler& compiler : one_of_each_language(all, 0)) {
    CAPTURE(compiler.name);
    const TemporaryFolder folder;
    const Sources sources = two_widths(compiler.name.starts_with("g"));
    check_words(build(folder, compiler, "-O1 -mgeneral-regs-only -DXL_FORM=0", sources), sources);
  }
#endif
}

}  // namespace xorloom
