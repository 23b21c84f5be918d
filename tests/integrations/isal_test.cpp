#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/integrations/exported.hpp"
#include "tests/integrations/field_bytes.hpp"
#include "tests/support/shared_library.hpp"

// The drop-in for libisal, loaded as programs load it. Results are compared with products computed
// bit by bit here, and with the distribution's libisal if it is installed.

namespace xorloom {
namespace {

using test::Byte;
using test::Bytes;
using test::product;
using test::Random;

/// The functions of a libisal.
struct Library : test::SharedLibrary {
  explicit Library(const char* path) : test::SharedLibrary(path) {
    set("ec_init_tables", init_tables);
    set("ec_encode_data", encode);
    set("ec_encode_data_update", update);
    set("gf_vect_mul_init", mul_init);
    set("gf_vect_mul", vect_mul);
    set("gf_vect_dot_prod", dot);
    set("gf_vect_mad", mad);
    set("gf_mul", mul);
    set("gf_inv", inv);
    set("gf_gen_rs_matrix", rs_matrix);
    set("gf_gen_cauchy1_matrix", cauchy_matrix);
    set("gf_invert_matrix", invert);
  }
  template <typename Function>
  void set(const char* name, Function*& function) {
    function = find<Function>(name);
  }

  void (*init_tables)(int, int, Byte*, Byte*);
  void (*encode)(int, int, int, Byte*, Byte**, Byte**);
  void (*update)(int, int, int, int, Byte*, Byte*, Byte**);
  void (*mul_init)(Byte, Byte*);
  int (*vect_mul)(int, Byte*, void*, void*);
  void (*dot)(int, int, Byte*, Byte**, Byte*);
  void (*mad)(int, int, int, Byte*, Byte*, Byte*);
  Byte (*mul)(Byte, Byte);
  Byte (*inv)(Byte);
  void (*rs_matrix)(Byte*, int, int);
  void (*cauchy_matrix)(Byte*, int, int);
  int (*invert)(Byte*, Byte*, int);
};

const Library& ours() {
  static const Library library(XORLOOM_DROP_IN);
  return library;
}

/// Buffers at odd addresses, with guard bytes around them.
struct Buffers {
  static constexpr Byte kGuard = 0x5a;
  Buffers(Random& random, int count, std::size_t bytes) : length(bytes) {
    for (int i = 0; i < count; ++i) {
      const std::size_t shift = static_cast<std::size_t>(random.below(64));
      Bytes all(shift + bytes + 64, kGuard);
      const Bytes content = random.bytes(bytes);
      std::copy(content.begin(), content.end(), all.begin() + static_cast<std::ptrdiff_t>(shift));
      shifts.push_back(shift);
      memory.push_back(std::move(all));
    }
    for (std::size_t i = 0; i < memory.size(); ++i)
      pointers.push_back(memory[i].data() + shifts[i]);
  }
  Buffers copy() const {
    Buffers result = *this;
    for (std::size_t i = 0; i < memory.size(); ++i)
      result.pointers[i] = result.memory[i].data() + shifts[i];
    return result;
  }
  bool guards_hold() const {
    for (std::size_t i = 0; i < memory.size(); ++i) {
      for (std::size_t at = 0; at < memory[i].size(); ++at) {
        const bool is_inside = at >= shifts[i] && at < shifts[i] + length;
        if (!is_inside && memory[i][at] != kGuard) return false;
      }
    }
    return true;
  }
  Bytes content(std::size_t i) const { return {pointers[i], pointers[i] + length}; }

  std::size_t length;
  std::vector<std::size_t> shifts;
  std::vector<Bytes> memory;
  std::vector<Byte*> pointers;
};

Bytes row_times(const Bytes& matrix, std::size_t row, const Buffers& data) {
  const std::size_t k = data.pointers.size();
  Bytes sum(data.length);
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t at = 0; at < sum.size(); ++at) {
      sum[at] = static_cast<Byte>(sum[at] ^ product(matrix[row * k + j], data.pointers[j][at]));
    }
  }
  return sum;
}

struct Case {
  Case(Random& random, int k, int rows, std::size_t bytes)
      : matrix(random.bytes(static_cast<std::size_t>(k * rows))),
        tables(static_cast<std::size_t>(32 * k * rows)),
        data(random, k, bytes),
        coding(random, rows, bytes) {
    if (random.below(3) == 0) matrix[static_cast<std::size_t>(random.below(k * rows))] = 0;
    ours().init_tables(k, rows, matrix.data(), tables.data());
  }
  Bytes matrix;
  Bytes tables;
  Buffers data;
  Buffers coding;
};

}  // namespace

TEST_CASE("encode, and update in any order, are sums of products, at any length and address") {
  Random random(1);
  for (int round = 0; round < 150; ++round) {
    const int k = 1 + random.below(20);
    const int rows = 1 + random.below(8);
    const std::size_t bytes =
        static_cast<std::size_t>(round % 10 == 0 ? 10'000 + random.below(9000) : random.below(300));
    CAPTURE(k);
    CAPTURE(rows);
    CAPTURE(bytes);
    Case c(random, k, rows, bytes);
    const int length = static_cast<int>(bytes);
    // The first call, the second and later ones take different ways.
    for (int call = 0; call < 3; ++call) {
      for (Byte* sum : c.coding.pointers) std::fill_n(sum, bytes, Byte{0xee});
      ours().encode(length, k, rows, c.tables.data(), c.data.pointers.data(),
                    c.coding.pointers.data());
      for (int i = 0; i < rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        REQUIRE(c.coding.content(row) == row_times(c.matrix, row, c.data));
      }
    }
    Buffers sums(random, rows, bytes);
    for (Byte* sum : sums.pointers) std::fill_n(sum, bytes, Byte{0});
    for (int j = k; j-- > 0;) {
      ours().update(length, k, rows, j, c.tables.data(),
                    c.data.pointers[static_cast<std::size_t>(j)], sums.pointers.data());
    }
    for (std::size_t i = 0; i < sums.pointers.size(); ++i) {
      REQUIRE(sums.content(i) == c.coding.content(i));
    }
    Bytes one(bytes, 1);
    ours().dot(length, k, c.tables.data(), c.data.pointers.data(), one.data());
    REQUIRE(one == c.coding.content(0));
    REQUIRE(c.data.guards_hold());
    REQUIRE(c.coding.guards_hold());
    REQUIRE(sums.guards_hold());
  }
}

TEST_CASE("single products, tables and inverses are those of the field") {
  std::array<Byte, 32> table{};
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      REQUIRE(ours().mul(static_cast<Byte>(a), static_cast<Byte>(b)) ==
              product(static_cast<Byte>(a), static_cast<Byte>(b)));
    }
    const Byte inverse = ours().inv(static_cast<Byte>(a));
    CHECK(product(static_cast<Byte>(a), inverse) == (a == 0 ? 0 : 1));
    ours().mul_init(static_cast<Byte>(a), table.data());
    for (std::size_t i = 0; i < 16; ++i) {
      CHECK(table[i] == product(static_cast<Byte>(a), static_cast<Byte>(i)));
      CHECK(table[16 + i] == product(static_cast<Byte>(a), static_cast<Byte>(i << 4U)));
    }
    Random random(7);
    Bytes from = random.bytes(96);
    Bytes to(96);
    REQUIRE(ours().vect_mul(96, table.data(), from.data(), to.data()) == 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      REQUIRE(to[i] == product(static_cast<Byte>(a), from[i]));
    }
    ours().mad(96, 1, 0, table.data(), from.data(), to.data());
    CHECK(to == Bytes(96));
  }
  CHECK(ours().vect_mul(33, table.data(), table.data(), table.data()) != 0);
}

TEST_CASE("matrices decode what they encode, and singular ones are refused") {
  for (const bool is_cauchy : {true, false}) {
    Bytes matrix(14 * 10);
    (is_cauchy ? ours().cauchy_matrix : ours().rs_matrix)(matrix.data(), 14, 10);
    Bytes survivors;
    for (const std::size_t row : {1UL, 2UL, 3UL, 5UL, 6UL, 7UL, 8UL, 9UL, 10UL, 12UL}) {
      survivors.insert(survivors.end(), matrix.begin() + static_cast<std::ptrdiff_t>(10 * row),
                       matrix.begin() + static_cast<std::ptrdiff_t>(10 * row + 10));
    }
    Bytes inverse(100);
    Bytes spent = survivors;
    REQUIRE(ours().invert(spent.data(), inverse.data(), 10) == 0);
    for (std::size_t i = 0; i < 10; ++i) {
      for (std::size_t j = 0; j < 10; ++j) {
        Byte sum = 0;
        for (std::size_t l = 0; l < 10; ++l) {
          sum = static_cast<Byte>(sum ^ product(survivors[10 * i + l], inverse[10 * l + j]));
        }
        REQUIRE(sum == (i == j ? 1 : 0));
      }
    }
  }
  Bytes singular{1, 2, 2, 4};
  Bytes out(4);
  CHECK(ours().invert(singular.data(), out.data(), 2) == -1);
}

TEST_CASE("no bytes, no rows and wrong columns do nothing") {
  Random random(3);
  Case c(random, 3, 2, 64);
  const Bytes before = c.coding.content(0);
  const auto none = [&](int length, int k, int rows) {
    ours().encode(length, k, rows, c.tables.data(), c.data.pointers.data(),
                  c.coding.pointers.data());
  };
  none(0, 3, 2);
  none(-1, 3, 2);
  none(64, 3, 0);
  none(64, 3, -1);
  ours().update(64, 3, 2, 3, c.tables.data(), c.data.pointers[0], c.coding.pointers.data());
  ours().update(64, 3, 2, -1, c.tables.data(), c.data.pointers[0], c.coding.pointers.data());
  CHECK(c.coding.content(0) == before);
}

TEST_CASE("sums may lie over data: all are those of the data before the call") {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const int k = 1 + random.below(40);
    const int rows = 1 + random.below(9);
    const std::size_t bytes =
        static_cast<std::size_t>(round % 10 == 0 ? 10'000 + random.below(9000) : random.below(300));
    CAPTURE(k);
    CAPTURE(rows);
    CAPTURE(bytes);
    Case c(random, k, rows, bytes);
    std::vector<Bytes> expected;
    for (std::size_t i = 0; i < c.coding.pointers.size(); ++i) {
      expected.push_back(row_times(c.matrix, i, c.data));
    }
    // The first sum lies over some chunk of data, others over others or elsewhere.
    std::vector<Byte*> sums = c.coding.pointers;
    std::vector<Byte*> free = c.data.pointers;
    for (std::size_t i = 0; i < sums.size() && !free.empty(); ++i) {
      if (i > 0 && random.below(2) == 0) continue;
      const auto taken = free.begin() + random.below(static_cast<int>(free.size()));
      sums[i] = *taken;
      free.erase(taken);
    }
    ours().encode(static_cast<int>(bytes), k, rows, c.tables.data(), c.data.pointers.data(),
                  sums.data());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      REQUIRE(Bytes(sums[i], sums[i] + bytes) == expected[i]);
    }
    REQUIRE(c.data.guards_hold());
    REQUIRE(c.coding.guards_hold());
  }
}

TEST_CASE("sums may lie partly over data, and over what is added to them") {
  Random random(6);
  for (const std::ptrdiff_t shift : {-100, -16, -1, 1, 16, 100}) {
    for (const int rows : {1, 2, 7}) {
      CAPTURE(shift);
      CAPTURE(rows);
      constexpr std::size_t kLength = 500;
      Case c(random, 2, rows, kLength);
      Bytes around(kLength + 200);
      std::copy_n(c.data.pointers[1], kLength, around.begin() + 100);
      std::vector<Bytes> expected;
      for (std::size_t i = 0; i < c.coding.pointers.size(); ++i) {
        expected.push_back(row_times(c.matrix, i, c.data));
      }
      std::array<Byte*, 2> reads = {c.data.pointers[0], around.data() + 100};
      std::vector<Byte*> sums = c.coding.pointers;
      sums[0] = reads[1] + shift;
      ours().encode(kLength, 2, rows, c.tables.data(), reads.data(), sums.data());
      for (std::size_t i = 0; i < sums.size(); ++i) {
        REQUIRE(Bytes(sums[i], sums[i] + kLength) == expected[i]);
      }
      // Now a chunk is added to sums, of which the first is the chunk itself or beside it.
      const Bytes before = random.bytes(around.size());
      for (const std::ptrdiff_t from : {std::ptrdiff_t{0}, shift}) {
        around = before;
        sums[0] = around.data() + 100 + from;
        const std::vector<Bytes> all = [&] {
          std::vector<Bytes> contents;
          for (const Byte* sum : sums) contents.emplace_back(sum, sum + kLength);
          return contents;
        }();
        ours().update(kLength, 2, rows, 1, c.tables.data(), around.data() + 100, sums.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          for (std::size_t at = 0; at < kLength; ++at) {
            REQUIRE(sums[i][at] == (all[i][at] ^ product(c.matrix[2 * i + 1], before[100 + at])));
          }
        }
      }
    }
  }
}

TEST_CASE("more matrices than are kept do not keep more memory") {
  // Allocated bytes, not resident ones: temporary memory for making plans leaves gaps.
  const auto allocated = [] { return ::mallinfo2().uordblks; };
  Random random(13);
  const std::size_t before = allocated();
  std::size_t most = before;
  // Until some are freed, which takes about 10,000 rounds.
  for (int round = 0; round < 20'000 && most < allocated() + (std::size_t{1} << 20); ++round) {
    Case c(random, 6, 3, 32);
    for (int call = 0; call < (round % 3 == 0 ? 2 : 1); ++call) {
      ours().encode(32, 6, 3, c.tables.data(), c.data.pointers.data(), c.coding.pointers.data());
    }
    most = std::max(most, allocated());
  }
  CHECK(most < before + (std::size_t{40} << 20));
  // Plans that are not kept are freed. The address sanitizer's allocator counts nothing.
  CHECK((most == 0 || allocated() < most));
}

TEST_CASE("many threads with many matrices agree") {
  std::vector<std::thread> threads;
  std::array<bool, 8> agrees{};
  for (unsigned int t = 0; t < agrees.size(); ++t) {
    threads.emplace_back([t, &agrees] {
      bool all = true;
      for (unsigned int round = 0; round < 60; ++round) {
        Random random(round % 20);  // so that threads want the same matrices at the same time
        Case c(random, 6, 3, 200);
        ours().encode(200, 6, 3, c.tables.data(), c.data.pointers.data(), c.coding.pointers.data());
        all = all && c.coding.content(2) == row_times(c.matrix, 2, c.data);
      }
      agrees[t] = all;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool agree : agrees) CHECK(agree);
}

TEST_CASE("Every function of libisal for erasure codes is there") {
  const std::string path = XORLOOM_OF_DISTRIBUTION;
  if (path.empty()) {
    MESSAGE("SKIPPED: libisal is not installed");
    return;
  }
  std::size_t functions = 0;
  for (const std::string& name : test::exported(path)) {
    const bool is_of_codes = name.starts_with("ec_") || name.starts_with("gf_");
    // Beside each function there is data that says its version.
    if (!is_of_codes || name.find("_slver") != std::string::npos) continue;
    CHECK_MESSAGE(ours().has(name.c_str()), name);
    ++functions;
  }
  CHECK(functions > 50);
}

TEST_CASE("The symbols that Hadoop's loader and liberasurecode want are there") {
  for (const char* const name :
       {"gf_mul", "gf_inv", "gf_gen_rs_matrix", "gf_gen_cauchy1_matrix", "gf_invert_matrix",
        "gf_vect_mul", "ec_init_tables", "ec_encode_data", "ec_encode_data_update"}) {
    CHECK_MESSAGE(ours().has(name), name);
  }
  CHECK_FALSE(ours().has("xl_encode"));
}

TEST_CASE("The distribution's libisal writes the same bytes, tables and matrices") {
  const std::string path = XORLOOM_OF_DISTRIBUTION;
  if (path.empty()) {
    MESSAGE("SKIPPED: libisal is not installed");
    return;
  }
  const Library theirs(path.c_str());
  Random random(11);
  // Up to four rows, and whole vectors: otherwise what libisal writes over data depends on the
  // machine.
  for (int round = 0; round < 100; ++round) {
    const int k = 4 + random.below(12);
    const int rows = 1 + random.below(4);
    const std::size_t bytes = 64 * static_cast<std::size_t>(1 + random.below(20));
    Case c(random, k, rows, bytes);
    Buffers copy = c.data.copy();
    const int first = random.below(k - rows + 1);
    ours().encode(static_cast<int>(bytes), k, rows, c.tables.data(), c.data.pointers.data(),
                  c.data.pointers.data() + first);
    theirs.encode(static_cast<int>(bytes), k, rows, c.tables.data(), copy.pointers.data(),
                  copy.pointers.data() + first);
    REQUIRE(c.data.memory == copy.memory);
  }
  for (int round = 0; round < 60; ++round) {
    const int k = 1 + random.below(16);
    const int rows = 1 + random.below(7);
    const std::size_t bytes = static_cast<std::size_t>(64 + random.below(500));
    Case c(random, k, rows, bytes);
    Bytes tables(c.tables.size());
    theirs.init_tables(k, rows, c.matrix.data(), tables.data());
    REQUIRE(tables == c.tables);
    Buffers coding(random, rows, bytes);
    theirs.encode(static_cast<int>(bytes), k, rows, tables.data(), c.data.pointers.data(),
                  coding.pointers.data());
    ours().encode(static_cast<int>(bytes), k, rows, c.tables.data(), c.data.pointers.data(),
                  c.coding.pointers.data());
    for (std::size_t i = 0; i < coding.pointers.size(); ++i) {
      REQUIRE(coding.content(i) == c.coding.content(i));
    }
  }
  for (int k = 1; k <= 20; ++k) {
    const std::size_t size = static_cast<std::size_t>(k * (k + 5));
    Bytes a(size);
    Bytes b(size);
    ours().rs_matrix(a.data(), k + 5, k);
    theirs.rs_matrix(b.data(), k + 5, k);
    CHECK(a == b);
    ours().cauchy_matrix(a.data(), k + 5, k);
    theirs.cauchy_matrix(b.data(), k + 5, k);
    CHECK(a == b);
    Bytes square = random.bytes(static_cast<std::size_t>(k * k));
    Bytes other = square;
    Bytes inverse(square.size());
    Bytes their_inverse(square.size());
    const int answer = ours().invert(square.data(), inverse.data(), k);
    CHECK(answer == theirs.invert(other.data(), their_inverse.data(), k));
    if (answer == 0) CHECK(inverse == their_inverse);
  }
}

}  // namespace xorloom
