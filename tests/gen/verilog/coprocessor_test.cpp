#include "gen/verilog/coprocessor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "tests/support/refusal.hpp"

namespace xorloom {
namespace {

using test::refusal;

Coprocessor coprocessor_of(const Code& code, const CoprocessorShape& shape) {
  return tiled_coprocessor({.code = code, .shape = shape, .name = "t"});
}

}  // namespace

TEST_CASE("A matrix lies in the memory column by column of tiles") {
  const Code code = make_code("rs:k=3,m=3,w=4");
  const auto tiles = tiles_of(coprocessor_of(code, {.rows = 2, .columns = 2, .tiles = 4}));
  const Matrix& m = code.parity;
  CHECK(tiles == std::vector<std::vector<Field::Symbol>>{{m(0, 0), m(0, 1), m(1, 0), m(1, 1)},
                                                         {m(2, 0), m(2, 1), 0, 0},
                                                         {m(0, 2), 0, m(1, 2), 0},
                                                         {m(2, 2), 0, 0, 0}});
  CHECK(hexadecimal({0x1, 0x2, 0xf}, 4) == "f21");
  CHECK(hexadecimal({1, 0, 1}, 3) == "041");
}

TEST_CASE("A memory that is not the matrices is found out") {
  const Code code = make_code("rs:k=3,m=3,w=4");
  const Coprocessor coprocessor = coprocessor_of(code, {.rows = 2, .columns = 2, .tiles = 4});
  const std::vector<std::string> words = tile_words(coprocessor);
  for (std::size_t tile = 0; tile < words.size(); ++tile) {
    for (std::size_t digit = 0; digit < words[tile].size(); ++digit) {
      std::vector<std::string> others = words;
      others[tile][digit] = others[tile][digit] == '7' ? '8' : '7';
      CHECK(refusal(Status::kInternal, [&] {
              check_tile_words(coprocessor, others);
            }).starts_with("the matrix memory that was written is not the matrices: "));
    }
  }
  CHECK(refusal(Status::kInternal,
                [&] { check_tile_words(coprocessor, std::span(words).first(3)); }) != "");
}

TEST_CASE("Functions of any field are read back, and each other operand in them is found out") {
  std::vector<Field> fields;
  for (std::size_t w = 1; w <= 16; ++w) fields.emplace_back(w);
  fields.emplace_back(32);
  fields.emplace_back(8, 0x12b);
  fields.push_back(make_code("leopard:k=5,m=3").field);
  for (const Field& field : fields) {
    CAPTURE(field_text(field));
    const std::string text = write_field_functions(field);
    CHECK(text.find("product") != std::string::npos);
    if (field.w() > 8) continue;
    for (std::size_t at = text.find('='); at < text.size(); ++at) {
      if (text[at] != '[' || std::isdigit(text[at + 1]) == 0) continue;
      std::string other = text;
      other[at + 1] = text[at + 1] == '0' ? '1' : '0';
      if (field.w() > 1)
        CHECK(refusal(Status::kInternal, [&] { check_field_functions(field, other); }) != "");
    }
  }
}

TEST_CASE("The words of testbenches are those of the code, whatever its arrangement") {
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    const Code code = make_code(family->example);
    CAPTURE(code.spec);
    const LinearMap map = encoding_map(code);
    const std::size_t units = std::min<std::size_t>(5, map.inputs.size() * code.field.w());
    const BenchStripes words = bench_words(code, map, units, units + 3, 1);
    for (std::size_t word = 0; word < units + 3; ++word) {
      for (std::size_t i = 0; i < map.outputs.size(); ++i) {
        Field::Symbol sum = 0;
        for (std::size_t j = 0; j < map.inputs.size(); ++j) {
          sum ^= code.field.multiply(map.coefficients(i, j), words.symbol(map.inputs[j], word));
        }
        REQUIRE(words.symbol(map.outputs[i], word) == sum);
      }
      CHECK(std::ranges::any_of(map.inputs,
                                [&](Cell cell) { return words.symbol(cell, word) != 0; }));
    }
  }
}

TEST_CASE("A matrix that does not fit the memory is refused with the bound") {
  const Code code = make_code("rs:k=10,m=4");
  const auto shape_refusal = [&](const CoprocessorShape& shape) {
    return refusal(Status::kInvalidArgument, [&] { coprocessor_of(code, shape); });
  };
  CHECK(shape_refusal({.rows = 2, .columns = 3, .tiles = 7}) ==
        "the matrices take 8 tiles of 2 x 3, and the matrix memory has 7 (option tiles)");
  CHECK(shape_refusal({.rows = 2, .columns = 3, .tiles = 8}) == "");
  CHECK(shape_refusal({.rows = 0}) == "rows of the array = 0 is not from 1 to 64");
  CHECK(shape_refusal({.columns = 65}) == "columns of the array = 65 is not from 1 to 64");
  CHECK(shape_refusal({.tiles = 1}) == "tiles = 1 is not from 2 to 65536");
  CHECK(shape_refusal({.tiles = 65537}) == "tiles = 65537 is not from 2 to 65536");
  CHECK(shape_refusal({.lanes = 65}) == "lanes = 65 is not from 1 to 64");
  const Code wide = make_code("rs:k=3,m=2,w=32");
  CHECK(refusal(Status::kInvalidArgument, [&] {
          coprocessor_of(wide, {.rows = 64, .columns = 64});
        }) == "a tile of 64 x 64 symbols of 32 bits has 131072 bits, and it may have 32768");
}

TEST_CASE("A memory file holds a tile per line, and the design reads it instead of its own") {
  const Code code = make_code("rs:k=10,m=4");
  CoprocessorRequest request{.code = code, .erasures = {{0, 3}}};
  const VerilogText own = write_coprocessor(request);
  CHECK(own.memory.empty());
  CHECK(own.design.find("tiles[3] = 512'h") != std::string::npos);
  request.memory_file = "m.hex";
  const VerilogText text = write_coprocessor(request);
  CHECK(text.design.find("    $readmemh(\"m.hex\", tiles, 0, 3);\n") != std::string::npos);
  CHECK(text.design.find("tiles[3] = ") == std::string::npos);
  CHECK(text.design.starts_with("// A coprocessor"));
  std::size_t tiles = 0;
  for (std::size_t at = 0; at < text.memory.size(); at = text.memory.find('\n', at) + 1) {
    if (text.memory[at] != '/') ++tiles;
  }
  CHECK(tiles == 4);
}

}  // namespace xorloom
