#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "codes/bitmatrix.hpp"
#include "codes/families.hpp"
#include "tests/support/golden.hpp"

namespace xorloom {
namespace {

BitMatrix read_matrix(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::size_t rows = 0;
  std::size_t columns = 0;
  in >> rows >> columns;
  BitMatrix matrix(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    std::string line;
    in >> line;
    REQUIRE(line.size() == columns);
    for (std::size_t c = 0; c < columns; ++c) {
      if (line[c] == '1') matrix.flip(r, c);
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE("bitmatrices of the families are those other software made") {
  const auto folder = golden_data("xor-matrices");
  SKIP_WITHOUT_GOLDEN_DATA(folder);
  const std::pair<const char*, const char*> files[] = {
      {"ex_cauchy_k5m2w3", "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"},
      {"isal_rs_k10m4w8", "isa-vandermonde:k=10,m=4"},
      {"isal_rs_k8m3w8", "isa-vandermonde:k=8,m=3"},
      {"jer_cauchygood_k10m4w4", "cauchy-good:k=10,m=4,w=4"},
      {"jer_cauchygood_k10m4w8", "cauchy-good:k=10,m=4,w=8"},
      {"jer_cauchygood_k5m2w3", "cauchy-good:k=5,m=2,w=3"},
      {"jer_cauchygood_k6m3w4", "cauchy-good:k=6,m=3,w=4"},
      {"jer_cauchygood_k6m3w8", "cauchy-good:k=6,m=3,w=8"},
      {"jer_cauchygood_k8m2w4", "cauchy-good:k=8,m=2,w=4"},
      {"jer_cauchygood_k8m2w8", "cauchy-good:k=8,m=2,w=8"},
  };
  for (const auto& [name, spec] : files) {
    CAPTURE(name);
    CHECK(bitmatrix(make_code(spec)) == read_matrix(folder / (std::string(name) + ".txt")));
  }
}

}  // namespace xorloom
