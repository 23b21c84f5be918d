#include "codes/families/families.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

Matrix matrix_of(std::size_t rows, std::initializer_list<Field::Symbol> symbols) {
  Matrix matrix(rows, symbols.size() / rows);
  auto next = symbols.begin();
  for (std::size_t r = 0; r < rows; ++r) {
    for (auto& symbol : matrix.row(r)) symbol = *next++;
  }
  return matrix;
}

std::vector<Field::Symbol> row_of(const Code& code, std::size_t row) {
  return {code.parity.row(row).begin(), code.parity.row(row).end()};
}

/// Jerasure's reed_sol_van by its definition: an extended Vandermonde matrix, its columns reduced
/// until the top is the identity, then scaled.
Matrix reed_sol_van_by_definition(const Field& field, std::size_t k, std::size_t m) {
  Matrix top(k, k);
  Matrix bottom(m, k);
  const auto row = [&](std::size_t i) { return i < k ? top.row(i) : bottom.row(i - k); };
  row(0)[0] = 1;
  for (std::size_t i = 1; i + 1 < k + m; ++i) {
    for (std::size_t c = 0; c < k; ++c) row(i)[c] = field.power(static_cast<Field::Symbol>(i), c);
  }
  std::ranges::fill(row(k + m - 1), Field::Symbol{0});
  row(k + m - 1)[k - 1] = 1;
  Matrix parity = multiply(field, bottom, inverse(field, top).value());
  for (std::size_t c = 0; c < k; ++c) {
    const Field::Symbol scale = field.invert(parity(0, c));
    for (std::size_t r = 0; r < m; ++r) parity(r, c) = field.multiply(parity(r, c), scale);
  }
  for (std::size_t r = 1; r < m; ++r) scale_row(field, parity.row(r), field.invert(parity(r, 0)));
  return parity;
}

void check_spec_refused(const std::string& spec, const std::string& sentence,
                        const CodeOptions& options = {}) {
  CAPTURE(spec);
  CHECK_THROWS_WITH_AS(make_code(spec, options), sentence.c_str(), Error);
}

}  // namespace

TEST_CASE("matrices of the families are the published ones") {
  CHECK(make_code("cauchy:k=4,m=3").parity ==
        matrix_of(3, {244, 71, 167, 122, 142, 167, 71, 186, 1, 122, 186, 71}));
  CHECK(make_code("cauchy-good:k=4,m=3").parity ==
        matrix_of(3, {1, 1, 1, 1, 200, 151, 172, 1, 140, 1, 92, 70}));
  CHECK(make_code("rs:k=4,m=3").parity ==
        matrix_of(3, {1, 1, 1, 1, 1, 217, 92, 172, 1, 70, 143, 200}));
  CHECK(make_code("isa-cauchy:k=4,m=3").parity ==
        matrix_of(3, {71, 167, 122, 186, 167, 71, 186, 122, 122, 186, 71, 167}));
  CHECK(make_code("isa-vandermonde:k=4,m=3").parity ==
        matrix_of(3, {1, 1, 1, 1, 1, 2, 4, 8, 1, 4, 16, 64}));
  CHECK(make_code("isa-cauchy:k=3,m=1").parity == matrix_of(1, {1, 1, 1}));
  CHECK(make_code("cauchy-good:k=3,m=1").parity == matrix_of(1, {1, 1, 1}));

  const Code wide = make_code("cauchy-good:k=9,m=4");
  CHECK(row_of(wide, 1) == std::vector<Field::Symbol>{123, 135, 70, 158, 1, 55, 39, 73, 84});
  CHECK(row_of(wide, 2) == std::vector<Field::Symbol>{82, 143, 200, 190, 151, 213, 172, 220, 1});
  CHECK(row_of(wide, 3) == std::vector<Field::Symbol>{104, 101, 143, 250, 153, 172, 92, 24, 1});
  CHECK(row_of(make_code("cauchy-good:k=12,m=2"), 1) ==
        std::vector<Field::Symbol>{1, 2, 142, 4, 71, 8, 70, 173, 3, 35, 143, 16});
}

TEST_CASE("rs is Jerasure's reed_sol_van by its definition") {
  for (const std::size_t w : {4UL, 8UL, 16UL, 32UL}) {
    const Field field(w);
    for (std::size_t k = 1; k <= 9; ++k) {
      for (std::size_t m = 1; m <= 6 && k + m <= 15; ++m) {
        CAPTURE(w);
        CAPTURE(k);
        CAPTURE(m);
        const std::string spec =
            "rs:k=" + std::to_string(k) + ",m=" + std::to_string(m) + ",w=" + std::to_string(w);
        CHECK(make_code(spec).parity == reed_sol_van_by_definition(field, k, m));
      }
    }
  }
}

TEST_CASE("rs with matrix=vandermonde is a Vandermonde matrix times the inverse of its top") {
  const Field field(8);
  for (std::size_t k = 1; k <= 9; ++k) {
    for (std::size_t m = 1; m <= 6; ++m) {
      Matrix top(k, k);
      Matrix bottom(m, k);
      for (std::size_t r = 0; r < k + m; ++r) {
        const auto row = r < k ? top.row(r) : bottom.row(r - k);
        for (std::size_t c = 0; c < k; ++c) row[c] = field.power(static_cast<Field::Symbol>(r), c);
      }
      const std::string spec =
          "rs:k=" + std::to_string(k) + ",m=" + std::to_string(m) + ",matrix=vandermonde";
      CAPTURE(spec);
      CHECK(make_code(spec).parity == multiply(field, bottom, inverse(field, top).value()));
    }
  }
}

TEST_CASE("rs with matrices of other software has the published rows") {
  // Gibraltar's README, SnapRAID's raid.c, and the drawing in OpenZFS's vdev_raidz.c.
  CHECK(make_code("rs:k=4,m=2,matrix=vandermonde").parity ==
        matrix_of(2, {0x1b, 0x1c, 0x12, 0x14, 0x1c, 0x1b, 0x14, 0x12}));
  CHECK(make_code("rs:k=6,m=4,matrix=snapraid").parity ==
        matrix_of(4, {1, 1,   1,   1,   1,   1,   1, 2,   4,   8,   16,  32,
                      1, 245, 210, 196, 154, 113, 1, 187, 166, 215, 199, 7}));
  CHECK(make_code("rs:k=8,m=3,matrix=raidz").parity ==
        matrix_of(3, {1, 1, 1, 1, 1,  1,   1,   1,  128, 64, 32, 16,
                      8, 4, 2, 1, 19, 205, 116, 29, 64,  16, 4,  1}));
  CHECK(make_code("rs:k=4,m=3,matrix=snapraid-z").parity ==
        matrix_of(3, {1, 1, 1, 1, 1, 2, 4, 8, 1, 142, 71, 173}));
  CHECK(make_code("rs:k=4,m=3,matrix=par1").parity ==
        matrix_of(3, {1, 1, 1, 1, 1, 2, 3, 4, 1, 4, 5, 16}));
  CHECK(make_code("rs:k=3,m=2,matrix=jerasure").spec == make_code("rs:k=3,m=2").spec);
  CHECK(make_code("rs:k=3,m=2,matrix=zfec").spec ==
        "rs:k=3,m=2,w=8,poly=0x11d,matrix=zfec,arrangement=word");
}

TEST_CASE("Bounds of matrices of other software are named") {
  check_spec_refused("rs:k=4,m=2,matrix=zfex",
                     "matrix = 'zfex' is not one of jerasure, vandermonde, zfec, par1, snapraid, "
                     "snapraid-z, raidz; did you mean 'zfec'?");
  check_spec_refused("rs:k=4,m=4,matrix=raidz", "m = 4 exceeds 3, the rows of matrix=raidz");
  check_spec_refused("rs:k=4,m=4,matrix=snapraid-z",
                     "m = 4 exceeds 3, the rows of matrix=snapraid-z");
  check_spec_refused("rs:k=252,m=6,matrix=snapraid",
                     "k + m - 2 = 256 exceeds 255, the number of different powers of 2 in the "
                     "field of 2^8 symbols over 0x11d");
  check_spec_refused("rs:k=256,m=1,matrix=raidz",
                     "k = 256 exceeds 255, the number of different powers of 2 in the field of "
                     "2^8 symbols over 0x11d");
  check_spec_refused("rs:k=200,m=57,matrix=vandermonde", "k + m = 257 exceeds 2^w = 256");
  check_spec_refused("rs:k=200,m=56,matrix=zfec,poly=0x11b",
                     "k + m - 1 = 255 exceeds 51, the number of different powers of 2 in the "
                     "field of 2^8 symbols over 0x11b");
}

TEST_CASE("the canonical spec writes every default out and makes the same code") {
  CHECK(make_code("cauchy:k=3,m=2,w=4").spec ==
        "cauchy:k=3,m=2,w=4,x=0+1,y=2+3+4,poly=0x13,packet_bytes=64");
  CHECK(make_code("cauchy-good:m=2,k=3").spec ==
        "cauchy-good:k=3,m=2,w=8,poly=0x11d,packet_bytes=64");
  CHECK(make_code("rs:k=3,m=2").spec == "rs:k=3,m=2,w=8,poly=0x11d,arrangement=word");
  CHECK(make_code("rs:k=3,m=2,w=5,arrangement=packet").spec ==
        "rs:k=3,m=2,w=5,poly=0x25,arrangement=packet,packet_bytes=64");
  CHECK(make_code("isa-cauchy:k=3,m=2").spec == "isa-cauchy:k=3,m=2,arrangement=word");
  for (const Family* family : families()) {
    if (family->name == "file") continue;  // its example is a file that is not there
    const Code code = make_code(family->example);
    const Code again = make_code(code.spec);
    CHECK(again.spec == code.spec);
    CHECK(again.parity == code.parity);
    CHECK(again.family == family->name);
    CHECK(code.packet_bytes == again.packet_bytes);
  }
}

TEST_CASE("packet_bytes comes from the spec or the option, and the two may not contradict") {
  CHECK(make_code("cauchy-good:k=3,m=2,packet_bytes=8").packet_bytes == 8);
  CHECK(make_code("cauchy-good:k=3,m=2", {.packet_bytes = 4096}).packet_bytes == 4096);
  CHECK(make_code("cauchy-good:k=3,m=2,packet_bytes=4096", {.packet_bytes = 4096}).packet_bytes ==
        4096);
  check_spec_refused("cauchy-good:k=3,m=2,packet_bytes=64",
                     "packet_bytes = 128 contradicts packet_bytes = 64 of the code",
                     {.packet_bytes = 128});
  check_spec_refused("cauchy-good:k=3,m=2,packet_bytes=12",
                     "packet_bytes = 12 is not a multiple of 8");
  check_spec_refused("cauchy-good:k=3,m=2,packet_bytes=4",
                     "packet_bytes = 4 is not a multiple of 8");
  check_spec_refused("cauchy-good:k=3,m=2,packet_bytes=0",
                     "packet_bytes = 0 is not one of 1 to 1073741824");
  check_spec_refused("rdp:4,5",
                     "m = 5 contradicts m = 2 of rdp, which takes k p packet_bytes; numbers "
                     "without keys are k, m and w");
  check_spec_refused("isa-cauchy:k=4,m=2,w=16",
                     "w = 16 contradicts w = 8 of isa-cauchy, which takes k m arrangement "
                     "packet_bytes; numbers without keys are k, m and w");
  for (const auto& same :
       {std::pair{"raid6:3,2", "raid6:k=3"}, std::pair{"parity:4,1", "parity:k=4"},
        std::pair{"isa-cauchy:k=4,m=2,w=8", "isa-cauchy:k=4,m=2"}}) {
    CHECK(make_code(same.first).spec == make_code(same.second).spec);
  }
  check_spec_refused("rs:k=3,m=2,packet_bytes=64",
                     "packet_bytes = 64 needs arrangement=packet: rs lays out words");
  check_spec_refused("isa-cauchy:k=3,m=2",
                     "packet_bytes = 64 needs arrangement=packet: isa-cauchy lays out words",
                     {.packet_bytes = 64});
}

TEST_CASE("parameters a family does not allow are refused with the bound") {
  check_spec_refused("cauchy:k=200,m=100", "k + m = 300 exceeds 2^w = 256");
  check_spec_refused("cauchy-good:k=6,m=3,w=3", "k + m = 9 exceeds 2^w = 8");
  check_spec_refused("cauchy-good:k=8,m=2,w=3", "k = 8 is not below 2^w = 8");
  check_spec_refused("rs:k=255,m=2", "k + m = 257 exceeds 2^w = 256");
  check_spec_refused("isa-cauchy:k=255,m=2", "k + m = 257 exceeds 2^w = 256");
  check_spec_refused("cauchy:k=3,m=2,w=1", "w = 1 is not one of 2 to 16 or 32");
  check_spec_refused("cauchy:k=3,m=2,w=17", "w = 17 is not one of 2 to 16 or 32");
  check_spec_refused("cauchy:k=3,m=2,w=31", "w = 31 is not one of 2 to 16 or 32");
  check_spec_refused("cauchy:k=0,m=2", "k = 0 is not one of 1 to 65536");
  check_spec_refused("cauchy:k=3", "cauchy needs m=…");
  check_spec_refused("cauchy:k=3,m=2,w=3,poly=0x9",
                     "polynomial 0x9 is reducible: it gives no field of 2^3 symbols");
  check_spec_refused("cauchy:k=3,m=2,w=3,x=1+2,y=4+2+5",
                     "Cauchy point 2 is repeated: the points of x and y must all differ");
  check_spec_refused("cauchy:k=3,m=2,w=3,x=1+2+3", "x gives 3 points, not m = 2");
  check_spec_refused("cauchy:k=3,m=2,w=3,x=1", "x gives 1 point, not m = 2");
  check_spec_refused("cauchy:k=3,m=2,w=3,x=1+8", "x holds 8, which is not below 2^w = 8");
  check_spec_refused("cauchy:k=3,m=2,z=1",
                     "cauchy does not know the key 'z': it takes k m w x y poly packet_bytes");
  std::string names;
  for (const Family* family : families()) {
    names += (names.empty() ? "" : ", ") + std::string(family->name);
  }
  CHECK(names.starts_with("cauchy, cauchy-good, rs, "));
  check_spec_refused("raid:k=3", "there is no family 'raid'; did you mean 'raid6'?");
  check_spec_refused("mine.json",
                     "there is no family 'mine.json'; did you mean file:mine.json? A "
                     "matrix alone is for optimize and report");
  check_spec_refused("codes/mine",
                     "there is no family 'codes/mine'; did you mean file:codes/mine? A "
                     "matrix alone is for optimize and report");
  check_spec_refused("reed:k=3", "there is no family 'reed'; the families are " + names);
  check_spec_refused(
      "rs:k=3,m=2,w=5",
      "w = 5 is not one of 4, 8, 16 or 32, as words need; arrangement=packet takes 2 to 16, too");
  check_spec_refused("cauchy:k=65536,m=65536,w=32", "k times m = 4294967296 exceeds 16777216");
  check_spec_refused(
      "cauchy:k=60000,m=10,w=16",
      "k = 60000, m = 10, w = 16 on packets takes at least 9599840 direct XORs, more than the "
      "262144 that are written as equations");
  check_spec_refused("cauchy:k=3,m=2,w=65537", "w = 65537 is not one of 2 to 16 or 32");
  check_spec_refused("rs:k=3,m=2,arrangement=bits", "arrangement = 'bits' is not word or packet");
  check_spec_refused("raid6:k=16,w=4",
                     "k = 16 exceeds 15, the number of different powers of 2 in the "
                     "field of 2^4 symbols over 0x13");
  check_spec_refused("liberation:k=5,w=9", "w = 9 is not a prime; the next one is 11");
  check_spec_refused("liberation:k=8,w=7", "k = 8 exceeds w = 7");
  check_spec_refused("blaum-roth:k=8,w=7", "k = 8 exceeds w = 7");
  check_spec_refused("liber8tion:k=9", "k = 9 is not one of 1 to 8");
  check_spec_refused("liber8tion:k=4,w=7", "w = 7 is not 8");
  check_spec_refused("evenodd:k=4,p=9", "p = 9 is not a prime; the next one is 11");
  check_spec_refused("rdp:k=5,p=5", "k = 5 exceeds p - 1 = 4");
  check_spec_refused("x-code:p=6", "p = 6 is not a prime; the next one is 7");
  check_spec_refused("hamming:k=5,m=3", "k = 5 is not one of 1 to 4");
  check_spec_refused("hover:k=4,r=2,v=0,h=0", "v + h = 0: there is no redundancy");
  check_spec_refused("shec:k=3,m=4,c=2", "m = 4 exceeds k = 3");
  check_spec_refused("shec:k=4,m=3,c=4", "c = 4 exceeds m = 3");
  check_spec_refused("lrc:k=5,m=2,l=3", "k + m = 7 is not a multiple of l = 3");
  check_spec_refused("lrc:k=5,m=3,l=4",
                     "k = 5 is not a multiple of (k + m)/l = 2, the number of groups");
  check_spec_refused("clay:k=4,m=2,d=6", "d = 6 is not one of 4 to 5");
  check_spec_refused("clay:k=30,m=5", "k = 30, m = 5, d = 34 takes 5^7 sub-chunks, more than 4096");
  check_spec_refused("zigzag:k=4", "zigzag needs r=…");
  check_spec_refused("zigzag:k=4,r=1", "r = 1 is not one of 2 to 4");
  check_spec_refused("zigzag:k=2,r=5", "r = 5 is not one of 2 to 4");
  check_spec_refused("zigzag:k=8,r=2", "k = 8, r = 2 takes 2^7 sub-chunks, more than 64");
  check_spec_refused("zigzag:k=65536,r=2",
                     "k = 65536, r = 2 takes 2^65535 sub-chunks, more than 64");
  check_spec_refused("zigzag:k=5,r=3", "k = 5, r = 3 takes 3^4 sub-chunks, more than 64");
  check_spec_refused("zigzag:k=5,r=4", "k = 5, r = 4 takes 4^4 sub-chunks, more than 64");
  check_spec_refused("zigzag:k=3,r=4,w=3,arrangement=packet", "r = 4 exceeds w = 3");
  check_spec_refused(
      "zigzag:k=4,r=3,w=6,poly=0x49,arrangement=packet",
      "k = 4 exceeds 3, the number of different powers of 8 in the field of 2^6 symbols "
      "over 0x49");
}

TEST_CASE("cauchy-good takes k up to 2^w - 1 where m is 2, as Jerasure does") {
  CHECK(make_code("cauchy-good:k=7,m=2,w=3").locations == 9);
  CHECK(make_code("cauchy-good:k=255,m=2,w=8").locations == 257);
}

TEST_CASE(
    "Blaum and Roth's matrices with w = 7, as they were in use, do not survive all they promise") {
  check_spec_refused(
      "blaum-roth:k=3,w=7",
      "blaum-roth:k=3,w=7 does not survive every set of 2 losses: the loss of {0, 2} "
      "cannot be rebuilt; option allow_non_mds accepts it anyway");
  CHECK(make_code("blaum-roth:k=2,w=7").k == 2);
}

TEST_CASE("the name of a code is a spec of that code, but for the size of packets") {
  std::vector<std::string> specs = {
      "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", "cauchy:k=5,m=2,w=3", "cauchy:k=5,m=2,w=3,poly=0xd",
      "rs:k=4,m=2,arrangement=packet",        "rs:k=4,m=2,w=16",    "lrc:k=4,m=2,l=3"};
  for (const Family* family : families()) {
    if (family->name != "file") specs.emplace_back(family->example);
  }
  for (const std::string& spec : specs) {
    const Code code = make_code(spec);
    CAPTURE(code.name());
    CHECK(make_code(code.name()).spec == code.spec);
    CHECK(code.name().find("packet_bytes") == std::string::npos);
  }
  CHECK(make_code(specs[0]).name() == specs[0]);
  CHECK(make_code(specs[1]).name() == specs[1]);
  CHECK(make_code("rdp:k=4,p=5").name() == "rdp:k=4,p=5");
  CHECK(make_code("lrc:k=4,m=2,l=3").name() == "lrc:k=4,m=2,l=3");
}

TEST_CASE("a code not proved to survive what it promises is taken only when that is allowed") {
  check_spec_refused("isa-vandermonde:k=22,m=4",
                     "isa-vandermonde:k=22,m=4 does not survive every set of 4 losses: the loss of "
                     "{0, 10, 21, 24} cannot be rebuilt; option allow_non_mds accepts it anyway");
  CHECK(make_code("isa-vandermonde:k=22,m=4", {.packet_bytes = 0, .allow_non_mds = true}).k == 22);
  CHECK(make_code("isa-vandermonde:k=21,m=4").k == 21);
}

}  // namespace xorloom
