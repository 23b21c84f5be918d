#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/oracle.hpp"
#include "gen/source/lean_decoder.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/has.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"

// Lean decoders, compiled, with every loss of small codes against the oracle.

namespace xorloom {
namespace {

using test::has;
using Invert = int(const std::uint16_t lost[], std::size_t num_lost);
using Recover = int(std::uint8_t* const chunks[], std::size_t chunk_bytes);
using StateBytes = unsigned long();

/// Flags for generated C99: warnings are errors.
constexpr const char* kStrict =
    "-std=c99 -Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Werror";

/// The decoder of a code, compiled by one compiler.
struct Decoder {
  Code code;
  LoadedLibrary library;

  Invert* invert() const { return library.function<Invert>("xl_t_invert"); }
  Recover* recover() const { return library.function<Recover>("xl_t_recover"); }
};

std::vector<Compiler> c_compilers() {
  std::vector<Compiler> all = compilers();
  std::erase_if(all, [](const Compiler& compiler) { return compiler.is_cpp; });
  return all;
}

Decoder compiled(const TemporaryFolder& folder, const Compiler& compiler, const std::string& spec) {
  Code code = make_code(spec);
  folder.write("decoder.c", emit_lean_decoder(code, "t") +
                                "\nunsigned long state_bytes(void);\n"
                                "unsigned long state_bytes(void) { return sizeof state; }\n");
  REQUIRE(complaint_of(folder, fmt::format("{} {} -O2 -shared -fPIC -o decoder.so decoder.c",
                                           compiler.name, kStrict)) == "");
  return {std::move(code), LoadedLibrary(folder / "decoder.so")};
}

/// Loses chunks of an encoded stripe and decodes. Says what is wrong; empty if nothing is.
std::string complaint(const Decoder& decoder, const Stripe& whole,
                      const std::vector<std::size_t>& lost) {
  Stripe stripe = whole;
  for (const std::size_t location : lost) stripe.lose(location);
  const Stripe before = stripe;
  const std::vector<std::uint16_t> numbers(lost.begin(), lost.end());
  const int status = decoder.invert()(numbers.data(), numbers.size());
  if (status != (is_recoverable(decoder.code, lost) ? 0 : 2)) {
    return fmt::format("invert returned {}", status);
  }
  const int done = decoder.recover()(stripe.chunks(), stripe.chunk_bytes());
  if (done != status) return fmt::format("recover returned {}", done);
  if (!stripe.guards_intact()) return "wrote past a chunk";
  return stripe == (status == 0 ? whole : before) ? "" : "other bytes";
}

Stripe encoded(const Code& code, std::size_t super_blocks, std::uint64_t seed) {
  const std::size_t multiple = code.arrangement == Arrangement::kPacket
                                   ? chunk_multiple(code)
                                   : std::max<std::size_t>(4, code.field.w() / 8) * code.subchunks;
  Stripe stripe(code.locations, super_blocks * multiple, seed, 1);
  oracle(code, encoding_map(code), stripe.chunks(), stripe.chunk_bytes());
  return stripe;
}

/// Decodes every set of at most `most` lost chunks, or a sample of these sets.
void check_all_losses(const Decoder& decoder, std::size_t most, std::size_t sampled) {
  const Stripe stripe = encoded(decoder.code, 3, 7);
  std::size_t wrong = 0;
  for (const auto& lost :
       test::sample_unless_whole(test::subsets(decoder.code.locations, most), sampled)) {
    const std::string what = complaint(decoder, stripe, lost);
    if (what.empty()) continue;
    CAPTURE(set_text(lost));
    CHECK(what == "");
    if (++wrong == 3) return;
  }
}

}  // namespace

TEST_CASE("a lean decoder of each family gives back every loss that the code survives") {
  const auto all = c_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  std::vector<std::string> specs = {"rs:k=10,m=4",
                                    "rs:k=3,m=3,w=4",
                                    "rs:k=3,m=2,w=16",
                                    "rs:k=3,m=2,w=32",
                                    "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0",
                                    "leopard:k=5,m=3,w=8"};
  for (const Family* family : families()) {
    if (family->name != "file") specs.emplace_back(family->example);
  }
  std::size_t turn = 0;
  for (const std::string& spec : specs) {
    CAPTURE(spec);
    for (const Compiler& compiler : test::one_by_turns(all, turn++)) {
      CAPTURE(compiler.name);
      const TemporaryFolder folder;
      const Decoder decoder = compiled(folder, compiler, spec);
      check_all_losses(decoder, std::min<std::size_t>(decoder.code.m + 1, 5), 400);
    }
  }
}

TEST_CASE("all losses of 10+4 on words and on packets, and one more, are told apart") {
  const auto all = c_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  for (const std::string spec : {"rs:k=10,m=4", "cauchy-good:k=10,m=4,w=4,packet_bytes=8"}) {
    CAPTURE(spec);
    const TemporaryFolder folder;
    check_all_losses(compiled(folder, all.front(), spec), 5, 10'000);
  }
}

TEST_CASE("the sizes that the comment states are those of the state and the tables") {
  const auto all = c_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  for (const std::string spec :
       {"rs:k=10,m=4", "rs:k=5,m=3,w=16", "rs:k=5,m=3,w=32", "evenodd:k=5,p=5", "lrc:k=8,m=4,l=3",
        "clay:k=4,m=2", "leopard:k=4,m=3"}) {
    CAPTURE(spec);
    const TemporaryFolder folder;
    const Decoder decoder = compiled(folder, all.front(), spec);
    const DecoderMemory memory = decoder_memory(decoder.code);
    CHECK(decoder.library.function<StateBytes>("state_bytes")() == memory.state);
    std::string text = emit_lean_decoder(decoder.code, "t");
    std::ranges::replace(text, '\n', ' ');
    CHECK(has(text, fmt::format("It takes {} bytes of static memory that it", memory.state)));
  }
  // A few KiB: 32 x 32 bytes, and numbers of cells.
  CHECK(decoder_memory(make_code("rs:k=223,m=32")).state == 1024 + 2 * 97 + 1 + 32 + 1);
}

TEST_CASE("a lean decoder refers to no symbol of a library") {
  const auto all = c_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  std::size_t turn = 0;
  for (const std::string spec : {"rs:k=10,m=4", "rs:k=5,m=3,w=32", "cauchy-good:k=4,m=2,w=4",
                                 "evenodd:k=5,p=5", "clay:k=4,m=2"}) {
    for (const Compiler& compiler : all) {
      for (const char* level : test::one_by_turns<const char*>({"-Os", "-O2", "-O3"}, turn++)) {
        CAPTURE(spec);
        CAPTURE(level);
        const TemporaryFolder folder;
        folder.write("decoder.c", emit_lean_decoder(make_code(spec)));
        CHECK(
            complaint_of(folder, fmt::format("{} {} {} -c decoder.c && nm -u decoder.o >undefined",
                                             compiler.name, kStrict, level)) == "");
        CHECK(folder.read("undefined") == "");
      }
    }
  }
}

TEST_CASE("wrong use of a lean decoder is told, and touches nothing") {
  const auto all = c_compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const TemporaryFolder folder;
  const Decoder decoder = compiled(folder, all.front(), "rs:k=4,m=2,w=16");
  const Stripe whole = encoded(decoder.code, 5, 11);
  Stripe stripe = whole;
  const std::vector<std::uint16_t> lost{5, 0};
  const std::vector<std::uint16_t> twice{3, 3};
  const std::vector<std::uint16_t> outside{6};
  CHECK(decoder.recover()(stripe.chunks(), stripe.chunk_bytes()) == 2);  // before invert
  CHECK(decoder.invert()(lost.data(), lost.size()) == 0);
  CHECK(decoder.recover()(stripe.chunks(), 3) == 1);
  CHECK(decoder.invert()(twice.data(), twice.size()) == 1);
  CHECK(decoder.recover()(stripe.chunks(), stripe.chunk_bytes()) == 2);  // the last one failed
  CHECK(decoder.invert()(outside.data(), outside.size()) == 1);
  CHECK(stripe == whole);
  CHECK(decoder.invert()(lost.data(), 0) == 0);  // nothing is lost
  CHECK(decoder.recover()(stripe.chunks(), stripe.chunk_bytes()) == 0);
  CHECK(stripe == whole);
}

}  // namespace xorloom
