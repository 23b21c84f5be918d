#include "gen/gpu/kernel_forms.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/refusal.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using test::change;
using test::refusal;

using Sizes = std::vector<std::size_t>;

const Sizes kChunks{1, 2, 5};

/// Chunks of two packets, of which 1 and 2 are read and 5 is written.
Program packets() {
  Program program{6, 2, {2, 3, 4, 5}, {10, 11}, {}};
  program.equations = {{10, {2, 4, 5}}, {11, {3, 5}}};
  return program;
}

std::string accumulators() {
  const Program program = packets();
  return accumulator_lines({kKernelWords, program, kChunks}, 4).lines;
}

/// One sub-chunk of 8 bits: e5 = 3·e1 + 4·e2.
Program words() {
  Program program{6, 1, {1, 2}, {5}, {}, {}, Field(8)};
  program.equations = {{5, {{1, 3}, {2, 4}}}};
  return program;
}

std::string horner() {
  Code code = make_code("rs:k=2,m=1");
  return horner_kernel({code, words(), kChunks, {}, 4}).lines;
}

void check_kernel_lines(const Program& program, std::size_t planes, const std::string& lines) {
  check_lines({kKernelWords, program, kChunks, planes}, std::array{lines});
}

/// Whether a change of lines is found, and what is said of it.
bool is_found(const Program& program, const std::string& lines, const std::string& from,
              const std::string& to, const std::string& what, std::size_t planes = 1) {
  const std::string changed = change(lines, from, to);
  const std::string sentence =
      refusal(Status::kInternal, [&] { check_kernel_lines(program, planes, changed); });
  INFO(from << " -> " << to << ": " << sentence);
  CHECK(sentence.find(what) != std::string::npos);
  return sentence.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the lines that are checked are these, on packets") {
  CHECK(accumulators() ==
        "  xl_in_order();\n"
        "  XL_MEMORY unsigned char *c1 = base + at[0] + place;\n"
        "  const xl_vec e2 = xl_get(c1, 0);\n"
        "  xl_vec e10 = e2;\n"
        "  const xl_vec e3 = xl_get(c1, 1);\n"
        "  xl_vec e11 = e3;\n"
        "  xl_in_order();\n"
        "  XL_MEMORY unsigned char *c2 = base + at[1] + place;\n"
        "  const xl_vec e4 = xl_get(c2, 0);\n"
        "  e10 ^= e4;\n"
        "  const xl_vec e5 = xl_get(c2, 1);\n"
        "  e10 ^= e5; e11 ^= e5;\n"
        "  xl_in_order();\n"
        "  XL_MEMORY unsigned char *c5 = base + at[2] + place;\n"
        "  xl_put(c5, 0, e10);\n"
        "  xl_put(c5, 1, e11);\n");
  CHECK(refusal(Status::kInternal, [] { check_kernel_lines(packets(), 1, accumulators()); }) == "");
}

TEST_CASE("lines that compute something else are found") {
  const auto found = [](const std::string& from, const std::string& to, const std::string& what) {
    return is_found(packets(), accumulators(), from, to, what);
  };
  CHECK(found("e10 ^= e4", "e10 ^= e2", "output 10 is wrong"));
  CHECK(found("e10 ^= e4", "e11 ^= e4", "output 10 is wrong"));
  CHECK(found("e10 ^= e4;", "e10 ^= e4; e10 ^= e4;", "output 10 is wrong"));
  CHECK(found("e11 = e3", "e11 = 0", "output 11 is wrong"));
  CHECK(found("xl_get(c1, 0)", "xl_get(c1, 1)", "output 10 is wrong"));
  CHECK(found("at[0]", "at[1]", "output 10 is wrong"));
  CHECK(found("at[0]", "at[2]", "what is loaded is neither input nor stored"));
  CHECK(found("at[0]", "at[3]", "chunk 3 does not exist"));
  CHECK(found("xl_get(c1, 0)", "xl_get(c1, 2)", "row 2 does not exist"));
  CHECK(found("xl_get(c1, 0)", "xl_get(c5, 0)", "'c5' points nowhere"));
  CHECK(found("xl_put(c5, 0, e10)", "xl_put(c5, 0, e11)", "output 10 is wrong"));
  CHECK(found("xl_put(c5, 0, e10)", "xl_put(c5, 1, e10)", "an output is stored twice"));
  CHECK(found("xl_put(c5, 0, e10)", "xl_put(c2, 0, e10)", "what is stored is no output"));
  CHECK(found("  xl_put(c5, 1, e11);\n", "", "11 is not stored"));
  CHECK(found("e10 ^= e4", "e10 ^= e6", "'e6' is not known"));
  CHECK(found("xl_vec e10 = e2", "xl_vec e2 = e2", "'e2' is declared twice"));
}

TEST_CASE("lines of any other form are refused") {
  const auto found = [](const std::string& from, const std::string& to, const std::string& what) {
    return is_found(packets(), accumulators(), from, to, what);
  };
  CHECK(found("e10 ^= e4", "e10 += e4", "no '='"));
  CHECK(found("e10 ^= e4", "e10 ^= (e4)", "no name"));
  CHECK(found("e10 ^= e4;", "e10 ^= e4 }", "no ';'"));
  CHECK(found("+ place;", "+ place + 1;", "no ';'"));
  CHECK(found("xl_in_order();", "{", "a part does not end"));
  CHECK(found("xl_in_order();", "}", "no part ends"));
  CHECK(found("xl_in_order();", "printf(c1);", "no '='"));
}

TEST_CASE("a part forgets the names of the one before it") {
  const std::string text = accumulators();
  const std::string in_parts =
      change(change(text, "  xl_in_order();\n", "  {\n"), "  xl_in_order();\n", "  } {\n") +
      "  }\n";
  const std::string sentence =
      refusal(Status::kInternal, [&] { check_kernel_lines(packets(), 1, in_parts); });
  CHECK(sentence.find("'e10' is not known") != std::string::npos);
}

TEST_CASE("three values are added at once, and stored ones are read again") {
  Program program{6, 2, {2, 3, 4, 5}, {10, 11}, {}};
  program.equations = {{10, {2, 4, 5}}, {11, {3, 10}}};
  const std::string lines =
      "XL_MEMORY unsigned char *c1 = base + at[0] + place;\n"
      "XL_MEMORY unsigned char *c2 = base + at[1] + place;\n"
      "XL_MEMORY unsigned char *c5 = base + at[2] + place;\n"
      "const xl_vec t0 = xl_xor3(xl_get(c1, 0), xl_get(c2, 0), xl_get(c2, 1));\n"
      "xl_put(c5, 0, t0);\n"
      "const xl_vec e10 = xl_get(c5, 0);\n"
      "xl_put(c5, 1, e10 ^ xl_get(c1, 1));\n";
  CHECK(refusal(Status::kInternal, [&] { check_kernel_lines(program, 1, lines); }) == "");
  CHECK(is_found(program, lines, "xl_get(c2, 0)", "xl_get(c2, 1)", "output 10 is wrong"));
  CHECK(is_found(program, lines, "xl_put(c5, 0, t0);\n", "",
                 "what is loaded is neither input nor stored"));
}

TEST_CASE("the lines that are checked are these, on words") {
  CHECK(horner() ==
        "  xl_in_order();\n"
        "  XL_MEMORY unsigned char *c1 = base + at[0] + place;\n"
        "  const xl_vec e1 = xl_get(c1, 0);\n"
        "  XL_MEMORY unsigned char *c2 = base + at[1] + place;\n"
        "  const xl_vec e2 = xl_get(c2, 0);\n"
        "  xl_vec e5 = e2;\n"
        "  e5 = xl_twice(e5) ^ e1;\n"
        "  e5 = xl_twice(e5) ^ e1;\n"
        "  XL_MEMORY unsigned char *c5 = base + at[2] + place;\n"
        "  xl_put(c5, 0, e5);\n");
  const auto found = [](const std::string& from, const std::string& to) {
    return is_found(words(), horner(), from, to, "output 5 is wrong");
  };
  CHECK(found("xl_twice(e5) ^ e1", "xl_twice(e5) ^ e2"));
  CHECK(found("xl_twice(e5) ^ e1", "e5 ^ e1"));
  CHECK(found("  e5 = xl_twice(e5) ^ e1;\n", ""));
  CHECK(found("xl_vec e5 = e2", "xl_vec e5 = 0"));
  const std::string products = change(horner(), "xl_vec e5 = e2;\n  e5 = xl_twice(e5) ^ e1;\n",
                                      "xl_vec e5 = xl_product(0x02, e2) ^ e1;\n");
  CHECK(refusal(Status::kInternal, [&] { check_kernel_lines(words(), 1, products); }) == "");
  CHECK(is_found(words(), products, "0x02", "0x03", "output 5 is wrong"));
}

TEST_CASE("planes are checked bit by bit") {
  const Program bits = bits_of(words());
  const std::string lines =
      accumulator_lines({kKernelWords, written_out(bits), kChunks, 8}, 4).lines;
  CHECK(refusal(Status::kInternal, [&] { check_kernel_lines(bits, 8, lines); }) == "");
  const auto found = [&](const std::string& from, const std::string& to, const std::string& what) {
    return is_found(bits, lines, from, to, what, 8);
  };
  CHECK(found("XL_GET_PLANES(c1, 0, e1_0, e1_1", "XL_GET_PLANES(c1, 0, e1_1, e1_0", "is wrong"));
  CHECK(found("e5_0, e5_1", "e5_1, e5_0", "is wrong"));
  CHECK(found("e5_0 = e1_0", "e5_0 = e1_1", "is wrong"));
  CHECK(found("XL_PUT_PLANES(c5, 0", "XL_PUT_PLANES(c2, 0", "what is stored is no output"));
}

TEST_CASE("the function that doubles is compared with the field, bit by bit") {
  for (const std::size_t w : Sizes{4, 8, 16, 32}) {
    for (const std::size_t vector_bytes : Sizes{4, 8}) {
      CAPTURE(w);
      CAPTURE(vector_bytes);
      const Field field(w);
      const std::string text = define_twice(field, vector_bytes);
      CHECK(refusal(Status::kInternal, [&] { check_twice(field, vector_bytes, text); }).empty());
      const auto found = [&](const std::string& from, const std::string& to) {
        const std::string changed = change(text, from, to);
        return !refusal(Status::kInternal, [&] {
                  check_twice(field, vector_bytes, changed);
                }).empty();
      };
      CHECK(found("x & (xl_vec)0x7", "x & (xl_vec)0x6"));
      CHECK(found(">> " + std::to_string(w - 1), ">> " + std::to_string(w - 2)));
      CHECK(found("* (xl_vec)0x", "* (xl_vec)0x1"));
      CHECK(found("<< 1", "<< 2"));
      CHECK(found("}", "} int x;"));
    }
  }
}

TEST_CASE("a wrong entry is found in every kind of tables") {
  const Field field(8);
  const std::set<Field::Symbol> coefficients{2, 0x1d, 0xff};
  for (const KernelTables policy : kKernelTables) {
    CAPTURE(tables_name(policy));
    const std::vector<std::uint8_t> tables = table_bytes(policy, field, coefficients);
    CHECK(refusal(Status::kInternal, [&] { check_tables(policy, field, tables, coefficients); }) ==
          "");
    if (tables.empty()) continue;
    std::vector<std::uint8_t> changed = tables;
    // An entry that a product of 0x1d takes: of the symbol 3, or of its logarithm.
    const std::size_t at = policy == KernelTables::kFull         ? (3U << 8) + 0x1d
                           : policy == KernelTables::kLeftRight  ? 4096 + (3U << 8) + 0x1d
                           : policy == KernelTables::kNibbles    ? 32 + 3
                           : policy == KernelTables::kUnbranched ? 2 * 3
                                                                 : 3;
    changed[at] = static_cast<std::uint8_t>(changed[at] ^ 1U);
    CHECK(refusal(Status::kInternal, [&] {
            check_tables(policy, field, changed, coefficients);
          }).find("the tables that were written are not those of the field") == 0);
  }
  const auto bytes = [&](KernelTables policy) {
    return table_bytes(policy, field, coefficients).size();
  };
  CHECK(bytes(KernelTables::kShiftAndAdd) == 0);
  CHECK(bytes(KernelTables::kFull) == 65536);
  CHECK(bytes(KernelTables::kLeftRight) == 2 * 4096);
  CHECK(bytes(KernelTables::kLogExp) == 256 + 255);
  CHECK(bytes(KernelTables::kCarry) == 256 + 256);
  CHECK(bytes(KernelTables::kRepeated) == 256 + 509);
  CHECK(bytes(KernelTables::kUnbranched) == 512 + 1021);
  CHECK(bytes(KernelTables::kNibbles) == 3 * 32);
}

}  // namespace xorloom
