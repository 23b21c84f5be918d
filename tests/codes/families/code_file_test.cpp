#include "codes/families/code_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"

namespace xorloom {
namespace {

/// The JSON of a code with single quotes, completed.
std::string json(std::string rest) {
  std::string text = "{'format': 'xorloom-code', 'version': 1, " + std::move(rest) + "}";
  for (char& c : text) {
    if (c == '\'') c = '"';
  }
  return text;
}

void check_file_refused(const std::string& rest, const std::string& sentence) {
  CAPTURE(rest);
  CHECK_THROWS_WITH_AS(read_code(json(rest), 0), sentence.c_str(), Error);
}

TEST_CASE("equations, bits and a matrix say the same code") {
  const Code equations = read_code(
      json("'locations': 3, 'rows': 2, 'data': [0, 1, 2, 3],"
           "'equations': [{'target': 5, 'xor': [4, 0]}, {'target': 4, 'xor': [0, 2, 3]}]"),
      0);
  const Code bits = read_code(
      json("'locations': 3, 'rows': 2, 'data': [0, 1, 2, 3], 'bits': ['1011', '0011']"), 0);
  const Code matrix = read_code(json("'locations': 3, 'rows': 2, 'data': [0, 1, 2, 3],"
                                     "'matrix': [[1, 0, 1, 1], [0, 0, 1, 1]]"),
                                0);
  CHECK(equations.parity == bits.parity);
  CHECK(equations.parity == matrix.parity);
  CHECK(equations.arrangement == Arrangement::kPacket);
  CHECK(equations.packet_bytes == kDefaultPacketBytes);
  CHECK(equations.k == 2);
  CHECK(equations.m == 1);
  CHECK(equations.promised_losses == 0);  // nothing gives back row 1 of location 0
}

TEST_CASE("the spec of a code file is its JSON, and makes the same code") {
  for (const std::string& rest :
       {std::string("'locations': 3, 'data': [2, 0], 'equations': [{'target': 1, 'xor': [0, 2]}]"),
        std::string("'note': 'P and Q', 'locations': 5, 'w': 8, 'data': [0, 1, 2],"
                    "'matrix': [[1, 1, 1], [1, 2, 4]]"),
        std::string(
            "'locations': 4, 'w': 4, 'poly': '0x19', 'arrangement': 'packet',"
            "'packet_bytes': 128, 'data': [0, 1], 'matrix': [[1, 1], [1, 2]], 'promise': 2")}) {
    CAPTURE(rest);
    const Code code = read_code(json(rest), 0);
    const Code again = make_code(code.spec);
    CHECK(again.spec == code.spec);
    CHECK(again.parity == code.parity);
    CHECK(again.data == code.data);
    CHECK(again.packet_bytes == code.packet_bytes);
    CHECK(again.promised_losses == code.promised_losses);
    CHECK(code.promised_losses == code.m);
  }
  CHECK(
      make_code("file:" + json("'locations': 2, 'data': [0], 'bits': ['1']"), {.packet_bytes = 256})
          .packet_bytes == 256);
}

TEST_CASE("numbers may be as large as what they are for allows") {
  const std::string wide =
      json("'locations': 3, 'w': 32, 'data': [0, 1], 'matrix': [[4294967295, 1]]");
  CHECK(read_code(wide, 0).parity(0, 0) == 4294967295U);
  const std::string plain = json("'locations': 2, 'data': [0], 'bits': ['1']");
  const Code code = make_code("file:" + plain, {.packet_bytes = kMaxPacketBytes});
  CHECK(make_code(code.spec).packet_bytes == kMaxPacketBytes);
}

TEST_CASE("packet_bytes of the option and the code file may not contradict") {
  const std::string given =
      "file:" + json("'locations': 2, 'data': [0], 'bits': ['1'], 'packet_bytes': 128");
  CHECK(make_code(given, {.packet_bytes = 128}).packet_bytes == 128);
  CHECK_THROWS_WITH_AS(make_code(given, {.packet_bytes = 64}),
                       "packet_bytes = 64 contradicts packet_bytes = 128 in the code file", Error);
}

TEST_CASE("a code file that contradicts itself is refused, with what does") {
  for (const char* poly : {"0x", "0x11dg", "11d", "0", "", "0xfffffffffffffffff"}) {
    check_file_refused(fmt::format("'locations': 3, 'w': 8, 'poly': '{}', 'data': [0, 1], "
                                   "'matrix': [[1, 1]]",
                                   poly),
                       fmt::format("poly is '{}', not hexadecimal as in \"0x11d\"", poly));
  }
  check_file_refused("'locations': 3, 'data': [0, 3], 'bits': ['11']",
                     "data cell 3 is not one of 0 to 2");
  check_file_refused("'locations': 3, 'data': [0, 0], 'bits': ['11']",
                     "data cell 0 is named twice");
  check_file_refused("'locations': 3, 'data': [], 'bits': ['11']", "no cell holds data");
  check_file_refused("'locations': 2, 'data': [0, 1], 'bits': []",
                     "all cells hold data, none redundancy");
  check_file_refused("'locations': 3, 'data': [0, 1]",
                     "none of equations, bits and matrix says what is redundant: give one of them");
  check_file_refused("'locations': 3, 'data': [0, 1], 'bits': ['11'], 'matrix': [[1, 1]]",
                     "both bits and matrix say what is redundant: give one of them");
  check_file_refused("'locations': 3, 'data': [0, 1], 'bits': ['11', '11']",
                     "bits has 2 rows, not one for each of 1 redundant cell");
  check_file_refused("'locations': 3, 'data': [0, 1], 'bits': ['111']",
                     "row 0 of bits has 3 columns, not one for each of 2 data cells");
  check_file_refused("'locations': 3, 'data': [0, 1], 'bits': ['1x']",
                     "a row of bits holds 'x', not 0 or 1");
  check_file_refused("'locations': 3, 'w': 4, 'data': [0, 1], 'bits': ['11']",
                     "bits need w = 1, but w = 4: give the symbols as a matrix");
  check_file_refused("'locations': 3, 'w': 4, 'data': [0, 1], 'matrix': [[1, 16]]",
                     "the matrix holds 16, which is not below 2^w = 16");
  check_file_refused("'locations': 3, 'data': [0, 1], 'equations': [{'target': 1, 'xor': [0]}]",
                     "cell 1 holds data, and an equation computes it");
  check_file_refused("'locations': 3, 'data': [0, 1], 'equations': [{'target': 2, 'xor': [0, 3]}]",
                     "cell 3 is not one of 0 to 2");
  check_file_refused("'locations': 3, 'data': [0, 1], 'equations': []",
                     "cell 2 holds no data, and no equation computes it");
  check_file_refused(
      "'locations': 3, 'data': [0, 1], 'equations': [{'target': 2, 'xor': [0]},"
      "{'target': 2, 'xor': [1]}]",
      "two equations compute cell 2");
  check_file_refused(
      "'locations': 4, 'data': [0, 1], 'equations': [{'target': 2, 'xor': [3]},"
      "{'target': 3, 'xor': [2, 0]}]",
      "cell 2 is computed from itself, by way of others");
  check_file_refused("'locations': 3, 'data': [0, 1], 'bits': ['11'], 'colour': 1",
                     "a code file does not know the key 'colour'");
  check_file_refused("'locations': 1, 'data': [0], 'bits': []",
                     "locations = 1 is not one of 2 to 65536");
  check_file_refused(
      "'locations': 3, 'w': 5, 'data': [0, 1], 'matrix': [[1, 1]]",
      "w = 5 is not one of 4, 8, 16 or 32, as words need; arrangement=packet takes 2 to 16, too");
  CHECK_THROWS_WITH_AS(read_code("{", 0),
                       doctest::Contains("not JSON: the text ends at line 1, column 2"), Error);
  CHECK_THROWS_WITH_AS(make_code("file:/nowhere/code.json"),
                       "cannot read /nowhere/code.json: No such file or directory", Error);
  CHECK_THROWS_WITH_AS(make_code("file:"), "file: needs the path of a code file", Error);
}

TEST_CASE("a spec that stands in a file opens no other, and its promise is not found out") {
  const SpecLimits limits{.opens_files = false, .finds_promises = false};
  CHECK_THROWS_WITH_AS(
      make_code("file:/dev/zero", {.limits = limits}),
      "the code is file:/dev/zero, the path of a file: within a file a code is that "
      "of a family or the JSON of a code, and no path is opened",
      Error);
  const std::string two = "file:" + json("'locations': 3, 'data': [0, 1], 'bits': ['11']");
  CHECK(make_code(two).promised_losses == 1);
  CHECK(make_code(two, {.limits = limits}).promised_losses == 0);
}

TEST_CASE("a matrix that exceeds the limits of its spec is refused with both") {
  const SpecLimits limits{.symbols = 3, .operations = 5};
  const std::string wide = "'locations': 4, 'data': [0, 1], 'promise': 0, ";
  CHECK_THROWS_WITH_AS(
      make_code("file:" + json(wide + "'bits': ['11', '10']"), {.limits = limits}),
      "a matrix of 2 redundant cells from 2 data cells, 4 symbols, exceeds 3, the bound for a code "
      "that a shard names; option allow_large lifts it",
      Error);
  CHECK_THROWS_WITH_AS(make_code("rs:k=2,m=2", {.limits = limits}),
                       "k times m = 4 exceeds 3, the bound for a code that a shard names; "
                       "option allow_large lifts it",
                       Error);
  const SpecLimits few{.operations = 3};
  CHECK_THROWS_WITH_AS(
      make_code("file:" + json(wide + "'equations': [{'target': 2, 'xor': [0]}, "
                                      "{'target': 3, 'xor': [2, 2]}]"),
                {.limits = few}),
      "making its matrix takes 4 operations or more, which exceeds 3, the bound for a code that a "
      "shard names; option allow_large lifts it",
      Error);
}

TEST_CASE("what a code file holds is cut where an error tells it") {
  const std::string secret(5000, 's');
  for (const std::string& text :
       {"\"" + secret, "{\"format\": \"" + secret + "\"}",
        json("'locations': 3, 'data': [0], 'bits': ['1', '1'], '" + secret + "': 1")}) {
    try {
      static_cast<void>(read_code(text, 0));
      FAIL("it was read");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).size() <= 300);
    }
  }
}

TEST_CASE("a promise that a code file makes is tried") {
  CHECK_THROWS_WITH_AS(
      make_code("file:" + json("'locations': 3, 'data': [0, 1], 'bits': ['11'], 'promise': 2")),
      "a code file of 3 locations x 1 row, w = 1 does not survive every set of 2 losses: the loss "
      "of {0, 2} cannot be "
      "rebuilt; option allow_non_mds accepts it anyway",
      Error);
}

}  // namespace
}  // namespace xorloom
