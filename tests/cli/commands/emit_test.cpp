#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kSpec = "cauchy-good:k=4,m=2,w=4";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Outcome emit(const std::vector<std::string>& options, const std::string& spec = kSpec) {
  std::vector<std::string> arguments{"emit", spec};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return xorloom(arguments);
}

}  // namespace

TEST_CASE("C and C++ come out, with an encoder alone unless chunks are erased") {
  const Outcome c = emit({"--target", "c"});
  CHECK(c.status == 0);
  CHECK(c.err.empty());
  CHECK(has(c.out, "\nint xl_cauchy_good_k4_m2_w4_encode(uint8_t *const chunks[], "));
  CHECK(!has(c.out, "decode"));
  const Outcome cpp = emit({"--target", "c++"});
  CHECK(cpp.status == 0);
  CHECK(has(cpp.out, "\nnamespace xl_cauchy_good_k4_m2_w4 {\n"));
  CHECK(has(cpp.out,
            "\nint encode(std::uint8_t *const chunks[], std::size_t chunk_bytes) noexcept;"));
  CHECK(widest_line(c.out) <= 80);
  CHECK(widest_line(cpp.out) <= 80);
}

TEST_CASE("Each set of erased chunks has a function, whatever order it is given in") {
  const Outcome outcome = emit({"--target", "c", "--name", "x", "--erase", "3,0", "--erase", "5"});
  CHECK(has(outcome.out, "// Computes chunks 0,3 from 1-2,4-5: "));
  CHECK(has(outcome.out, "\nint xl_x_decode_0_3("));
  CHECK(has(outcome.out, "// Computes chunk 5 from 0-3: "));
  CHECK(has(outcome.out, "\nint xl_x_decode_5("));
}

TEST_CASE("Of erased chunks those that are wanted are rebuilt alone") {
  const Outcome outcome =
      emit({"--target", "c", "--name", "x", "--erase", "0,3", "--erase", "3,4", "--want", "3"});
  CHECK(has(outcome.out, "// Computes chunk 3 from 1-2,4-5: "));
  CHECK(has(outcome.out, "\nint xl_x_decode_0_3_want_3("));
  CHECK(has(outcome.out, "\nint xl_x_decode_3_4_want_3("));
}

TEST_CASE("Source is written to the file that is named") {
  const TemporaryFolder folder;
  CHECK(emit({"--target", "c", "-o", folder / "code.c"}).out.empty());
  CHECK(read_file(folder / "code.c") == emit({"--target", "c"}).out);
}

TEST_CASE("packet_bytes may stand in the spec or beside it, and is in the source") {
  const Outcome beside = emit({"--target", "c", "--packet-bytes", "24"});
  CHECK(beside.out == emit({"--target", "c"}, std::string(kSpec) + ",packet_bytes=24").out);
  CHECK(has(beside.out, "packet_bytes = 24;"));
}

TEST_CASE("Calls that are wrong are refused, and what would be right is said") {
  const auto refused = [](const std::vector<std::string>& options, const std::string& sentence) {
    CHECK(not_refused(emit(options), sentence) == "");
  };
  refused({}, "--target is required");
  refused({"--target", "rust"}, "--target = 'rust' is not c++ or c");
  refused({"--target", "c", "--want", "1"},
          "--want chooses among the chunks of --erase: give --erase too");
  refused({"--target", "c", "--erase", "0,3", "--erase", "1,2", "--want", "0"},
          "wanted location 0 is not one of the lost locations {1, 2}");
  refused({"--target", "c", "--erase", "0,3", "--erase", "3,0"}, "--erase gives {0, 3} twice");
  refused({"--target", "c", "--erase", "6"}, "lost location 6 is not one of 0 to 5");
  refused({"--target", "c", "--erase", "0", "1"}, "'1' is not expected");
  refused({"--target", "c", "--erase", "0,x"}, "--erase = x is not a whole number from 0 to 65535");
  for (const std::string name : {"", "a b", "_x", "x__y"}) {
    refused({"--target", "c", "--name", name},
            "name = '" + name + "' is not letters and digits with single underscores between them");
  }
  CHECK(not_refused(emit({"--target", "c"}, "rs:k=4,m=2"),
                    "rs:k=4,m=2,w=8 lays out words, and source is written only for packets: "
                    "arrangement=packet puts its matrix on packets") == "");
}

TEST_CASE("What cannot be rebuilt gives exit status 1 and no source") {
  const Outcome outcome = emit({"--target", "c", "--erase", "0", "--erase", "0,1,2"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("xorloom: error: the loss of {0, 1, 2} cannot be rebuilt"));
}

TEST_CASE("Iterative equations have temporaries and fewer XORs") {
  const Outcome direct = xorloom({"emit", "cauchy-good:k=4,m=2,w=4", "--target", "c"});
  const Outcome iterative = xorloom({"emit", "cauchy-good:k=4,m=2,w=4", "--target", "c", "--style",
                                     "iterative", "--effort", "fast"});
  CHECK(iterative.status == 0);
  CHECK(iterative.out.find(" temporar") != std::string::npos);
  CHECK(direct.out.find(" temporar") == std::string::npos);
  CHECK(not_refused(xorloom({"emit", "cauchy-good:k=4,m=2,w=4", "--target", "c", "--seed", "2"}),
                    "search options need --style iterative: direct equations share nothing") == "");
}

}  // namespace xorloom::test
