#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "codes/families/families.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix_text.hpp"
#include "tests/support/golden.hpp"

namespace xorloom {
namespace {

BitMatrix read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  return read_bitmatrix(std::string(std::istreambuf_iterator<char>(in), {}));
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
  for (const auto& file : files) {
    const std::string name = file.first;
    CAPTURE(name);
    CHECK(bitmatrix(make_code(file.second)) == read_file(folder / (name + ".txt")));
  }
}

}  // namespace xorloom
