#include <doctest/doctest.h>
#include <fmt/format.h>
#include <gibraltar.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/integrations/field_bytes.hpp"
#include "tests/support/subsets.hpp"

// Gibraltar's functions, beside its matrix and products that are computed bit by bit here.

namespace xorloom {
namespace {

using test::Byte;
using test::Bytes;
using test::product;
using test::Random;
using Matrix = std::vector<Bytes>;

std::size_t size(int number) { return static_cast<std::size_t>(number); }

Byte inverse(Byte a) {
  Byte b = 1;
  while (product(a, b) != 1) ++b;
  return b;
}

/// Rows of the powers of 0, 1, 2 …, whose columns are combined until the first k are the identity.
Matrix systematic(int k, int m) {
  Matrix rows;
  for (int i = 0; i < k + m; ++i) {
    Bytes row;
    Byte power = 1;
    for (int j = 0; j < k; ++j) {
      row.push_back(power);
      power = product(power, static_cast<Byte>(i));
    }
    rows.push_back(row);
  }
  for (std::size_t i = 0; i < size(k); ++i) {
    const Byte scale = inverse(rows[i][i]);
    for (Bytes& row : rows) row[i] = product(row[i], scale);
    for (std::size_t j = 0; j < size(k); ++j) {
      const Byte factor = rows[i][j];
      if (j == i) continue;
      for (Bytes& row : rows) row[j] = static_cast<Byte>(row[j] ^ product(factor, row[i]));
    }
  }
  return rows;
}

/// A context that is destroyed.
struct Owned {
  Owned(int k, int m) { REQUIRE(gib_init(k, m, &gc) == GIB_SUC); }
  ~Owned() { CHECK(gib_destroy(gc) == GIB_SUC); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  gib_context gc = nullptr;
};

/// All buffers of a stripe, data and what the matrix makes of it.
std::vector<Bytes> stripe(const Matrix& matrix, int k, int bytes, Random& random) {
  std::vector<Bytes> buffers;
  for (int j = 0; j < k; ++j) buffers.push_back(random.bytes(size(bytes)));
  for (std::size_t i = size(k); i < matrix.size(); ++i) {
    Bytes sum(size(bytes));
    for (std::size_t j = 0; j < size(k); ++j) {
      for (std::size_t at = 0; at < sum.size(); ++at) {
        sum[at] = static_cast<Byte>(sum[at] ^ product(matrix[i][j], buffers[j][at]));
      }
    }
    buffers.push_back(sum);
  }
  return buffers;
}

/// Memory of a call at an odd address, filled, with bytes before and after it that must stay.
struct Memory {
  static constexpr Byte kFill = 0x5a;
  Memory(int places, int distance)
      : each(size(distance)), all(1 + size(places) * each + 64, kFill) {}
  Byte* place(int i) { return all.data() + 1 + size(i) * each; }
  void put(int i, const Bytes& content) { std::copy(content.begin(), content.end(), place(i)); }
  Bytes content(int i, int bytes) { return {place(i), place(i) + bytes}; }
  bool edges_hold() const {
    return all.front() == kFill &&
           std::all_of(all.end() - 64, all.end(), [](Byte byte) { return byte == kFill; });
  }
  bool rest_holds(int i, int bytes) {
    return std::all_of(place(i) + bytes, place(i) + each, [](Byte byte) { return byte == kFill; });
  }
  std::size_t each;
  Bytes all;
};

std::string text_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("Redundancy is that of Gibraltar's matrix, at any length, distance and address") {
  Random random(1);
  for (int k = 1; k <= 12; ++k) {
    for (int m = 1; m <= 6; ++m) {
      const Owned code(k, m);
      CHECK(code.gc->n == k);
      CHECK(code.gc->m == m);
      const Matrix matrix = systematic(k, m);
      for (const int bytes : {1, 7, 64, 333}) {
        CAPTURE(k);
        CAPTURE(m);
        CAPTURE(bytes);
        const auto expected = stripe(matrix, k, bytes, random);
        const int rest = random.below(50);
        Memory memory(k + m, bytes + rest);
        for (int j = 0; j < k; ++j) memory.put(j, expected[size(j)]);
        REQUIRE(gib_generate_nc(memory.place(0), bytes + rest, bytes, code.gc) == GIB_SUC);
        for (int i = 0; i < k + m; ++i) {
          REQUIRE(memory.content(i, bytes) == expected[size(i)]);
          REQUIRE(memory.rest_holds(i, bytes));
        }
        // As Gibraltar counts, what lies between buffers is coded with them.
        REQUIRE(gib_generate(memory.place(0), bytes + rest, code.gc) == GIB_SUC);
        for (int i = 0; i < k + m; ++i) REQUIRE(memory.content(i, bytes) == expected[size(i)]);
        REQUIRE(memory.edges_hold());
      }
    }
  }
}

TEST_CASE("Sums of redundancy are those of a program of its own") {
  // Computed in Python by combining columns. The matrix of 4 + 2 is also that of Backblaze's
  // JavaReedSolomon and of klauspost/reedsolomon.
  const Owned small(4, 2);
  for (const auto& [j, first, second] :
       {std::array{0, 0x1b, 0x1c}, {1, 0x1c, 0x1b}, {2, 0x12, 0x14}, {3, 0x14, 0x12}}) {
    std::array<Byte, 6> buffers{};
    buffers[size(j)] = 1;
    REQUIRE(gib_generate(buffers.data(), 1, small.gc) == GIB_SUC);
    CHECK(buffers[4] == first);
    CHECK(buffers[5] == second);
  }
  struct Golden {
    int k, m;
    unsigned long sum;
  };
  for (const Golden& golden :
       {Golden{4, 4, 0x4c3d2495}, Golden{10, 4, 0xd131c04d}, Golden{28, 4, 0x91446019},
        Golden{16, 16, 0xe644d88b}, Golden{200, 56, 0xb2a220c6}}) {
    CAPTURE(golden.k);
    constexpr std::size_t kBytes = 64;
    const Owned code(golden.k, golden.m);
    Bytes buffers(size(golden.k + golden.m) * kBytes);
    for (std::size_t j = 0; j < size(golden.k); ++j) {
      for (std::size_t i = 0; i < kBytes; ++i) {
        buffers[j * kBytes + i] = static_cast<Byte>(7 * j + 13 * i + (i * j >> 3U));
      }
    }
    REQUIRE(gib_generate(buffers.data(), kBytes, code.gc) == GIB_SUC);
    CHECK(::crc32(0, buffers.data() + size(golden.k) * kBytes,
                  static_cast<unsigned int>(size(golden.m) * kBytes)) == golden.sum);
  }
}

TEST_CASE("Any k buffers in any order recover any others, and nothing else is touched") {
  Random random(2);
  for (int k = 1; k <= 4; ++k) {
    for (int m = 1; m <= 4; ++m) {
      const Owned code(k, m);
      const Matrix matrix = systematic(k, m);
      for (const auto& intact : test::subsets(size(k + m), size(k))) {
        if (intact.size() != size(k)) continue;
        CAPTURE(k);
        CAPTURE(m);
        const int bytes = 1 + random.below(200);
        const int distance = bytes + random.below(30);
        std::vector<int> ids(intact.begin(), intact.end());
        std::vector<int> lost;
        for (int i = 0; i < k + m; ++i) {
          if (std::find(ids.begin(), ids.end(), i) == ids.end()) lost.push_back(i);
        }
        random.shuffle(ids);
        random.shuffle(lost);
        const int wanted = random.below(m + 1);
        ids.insert(ids.end(), lost.begin(), lost.begin() + wanted);
        const auto expected = stripe(matrix, k, bytes, random);
        Memory memory(k + wanted, distance);
        for (int i = 0; i < k; ++i) memory.put(i, expected[size(ids[size(i)])]);
        REQUIRE(gib_recover_nc(memory.place(0), distance, bytes, ids.data(), wanted, code.gc) ==
                GIB_SUC);
        for (int i = 0; i < k + wanted; ++i) {
          REQUIRE(memory.content(i, bytes) == expected[size(ids[size(i)])]);
          REQUIRE(memory.rest_holds(i, bytes));
        }
        REQUIRE(gib_recover(memory.place(0), distance, ids.data(), wanted, code.gc) == GIB_SUC);
        for (int i = 0; i < k + wanted; ++i) {
          REQUIRE(memory.content(i, bytes) == expected[size(ids[size(i)])]);
        }
        REQUIRE(memory.edges_hold());
      }
    }
  }
}

TEST_CASE("What gib_alloc returns has room for all buffers, and can be ignored") {
  for (const int bytes : {0, 1, 64, 1000, 4096, 1 << 20}) {
    CAPTURE(bytes);
    const Owned code(10, 4);
    void* buffers = nullptr;
    int ld = -1;
    REQUIRE(gib_alloc(&buffers, bytes, &ld, code.gc) == GIB_SUC);
    REQUIRE(buffers != nullptr);
    REQUIRE(ld >= bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffers) % 64 == 0);
    std::fill_n(static_cast<Byte*>(buffers), size(14) * size(ld), Byte{3});
    CHECK(gib_generate(buffers, ld, code.gc) == GIB_SUC);
    CHECK(gib_generate(buffers, bytes, code.gc) == GIB_SUC);
    CHECK(gib_free(buffers, code.gc) == GIB_SUC);
    REQUIRE(gib_alloc(&buffers, bytes, nullptr, code.gc) == GIB_SUC);
    CHECK(gib_free(buffers, code.gc) == GIB_SUC);
  }
}

TEST_CASE("Many threads use one context and others at once") {
  const Owned shared(6, 3);
  const Matrix matrix = systematic(6, 3);
  std::array<bool, 8> agrees{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < agrees.size(); ++t) {
    threads.emplace_back([t, &agrees, &shared, &matrix] {
      Random random(static_cast<unsigned int>(t));
      bool all = true;
      for (int round = 0; round < 40; ++round) {
        gib_context own = nullptr;
        if (t % 2 == 1 && gib_init(6, 3, &own) != GIB_SUC) all = false;
        gib_context gc = own == nullptr ? shared.gc : own;
        const auto expected = stripe(matrix, 6, 100, random);
        std::vector<int> ids(9);
        std::iota(ids.begin(), ids.end(), 0);
        random.shuffle(ids);
        Memory memory(9, 100);
        for (int i = 0; i < 6; ++i) memory.put(i, expected[size(ids[size(i)])]);
        all = all && gib_recover(memory.place(0), 100, ids.data(), 3, gc) == GIB_SUC;
        for (int i = 0; i < 9; ++i) {
          all = all && memory.content(i, 100) == expected[size(ids[size(i)])];
        }
        if (own != nullptr) all = all && gib_destroy(own) == GIB_SUC;
      }
      agrees[t] = all;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool agree : agrees) CHECK(agree);
}

TEST_CASE("Wrong arguments are answered, and nothing is written") {
  gib_context gc = nullptr;
  for (const std::pair<int, int>& sizes : {std::pair{0, 2},
                                           {2, 0},
                                           {-1, 2},
                                           {2, -1},
                                           {256, 1},
                                           {1, 256},
                                           {200, 57},
                                           {INT_MAX, INT_MAX},
                                           {INT_MIN, 1},
                                           {1, INT_MIN}}) {
    CAPTURE(sizes.first);
    CAPTURE(sizes.second);
    int anything = 0;
    gc = reinterpret_cast<gib_context>(&anything);
    CHECK(gib_init(sizes.first, sizes.second, &gc) == GIB_ERR);
    CHECK(gc == nullptr);
  }
  CHECK(gib_init(4, 2, nullptr) == GIB_ERR);
  CHECK(gib_destroy(nullptr) == GIB_ERR);
  const Owned code(4, 2);

  void* buffers = &gc;
  int ld = 7;
  CHECK(gib_alloc(nullptr, 64, &ld, code.gc) == GIB_ERR);
  CHECK(gib_alloc(&buffers, 64, &ld, nullptr) == GIB_ERR);
  CHECK(buffers == nullptr);
  CHECK(gib_alloc(&buffers, -1, &ld, code.gc) == GIB_ERR);
  CHECK(ld == 7);
  CHECK(gib_free(nullptr, code.gc) == GIB_SUC);
  CHECK(gib_free(nullptr, nullptr) == GIB_ERR);

  Memory memory(6, 64);
  const Bytes before = memory.all;
  CHECK(gib_generate(nullptr, 64, code.gc) == GIB_ERR);
  CHECK(gib_generate(memory.place(0), 64, nullptr) == GIB_ERR);
  CHECK(gib_generate(memory.place(0), -1, code.gc) == GIB_ERR);
  CHECK(gib_generate(memory.place(0), 0, code.gc) == GIB_SUC);
  CHECK(gib_generate_nc(memory.place(0), 64, 65, code.gc) == GIB_ERR);
  CHECK(gib_generate_nc(memory.place(0), 64, -1, code.gc) == GIB_ERR);

  const auto recover = [&](std::vector<int> ids, int f) {
    return gib_recover(memory.place(0), 64, ids.data(), f, code.gc);
  };
  CHECK(gib_recover(nullptr, 64, std::array{0, 1, 2, 3, 4}.data(), 1, code.gc) == GIB_ERR);
  CHECK(gib_recover(memory.place(0), 64, nullptr, 1, code.gc) == GIB_ERR);
  CHECK(gib_recover(memory.place(0), 64, std::array{0, 1, 2, 3, 4}.data(), 1, nullptr) == GIB_ERR);
  CHECK(recover({0, 1, 2, 3, 4, 5, 0}, 3) == GIB_ERR);  // more than m
  CHECK(recover({0, 1, 2, 3, 4}, -1) == GIB_ERR);
  CHECK(recover({0, 1, 2, 3, 4}, INT_MIN) == GIB_ERR);
  CHECK(recover({0, 1, 2, 3, 4}, INT_MAX) == GIB_ERR);
  CHECK(recover({0, 1, 1, 3, 4}, 1) == GIB_ERR);     // intact twice
  CHECK(recover({0, 1, 2, 3, 3}, 1) == GIB_ERR);     // intact and recovered
  CHECK(recover({0, 1, 2, 3, 4, 4}, 2) == GIB_ERR);  // recovered twice
  CHECK(recover({0, 1, 2, 6, 4}, 1) == GIB_ERR);     // no such buffer
  CHECK(recover({0, 1, 2, -1, 4}, 1) == GIB_ERR);
  CHECK(recover({0, 1, 2, 3, INT_MAX}, 1) == GIB_ERR);
  CHECK(recover({5, 1, 2, 3}, 0) == GIB_SUC);  // nothing to do
  CHECK(memory.all == before);
}

TEST_CASE("Devices, where there are some, write the same bytes") {
  Random random(3);
  const Matrix matrix = systematic(10, 4);
  for (const char* executor : {"auto", "opencl", "cuda"}) {
    CAPTURE(executor);
    ::setenv("XORLOOM_EXECUTOR", executor, 1);
    gib_context gc = nullptr;
    const int status = gib_init(10, 4, &gc);
    ::unsetenv("XORLOOM_EXECUTOR");
    if (status != GIB_SUC) {
      CHECK(std::string(executor) != "auto");
      MESSAGE(std::string(executor), " has no device");
      continue;
    }
    constexpr int kBytes = 5001;
    void* buffers = nullptr;
    int ld = 0;
    REQUIRE(gib_alloc(&buffers, kBytes, &ld, gc) == GIB_SUC);
    REQUIRE(ld >= kBytes);
    const auto at = [&](int place) { return static_cast<Byte*>(buffers) + size(place) * size(ld); };
    const auto expected = stripe(matrix, 10, kBytes, random);
    for (int j = 0; j < 10; ++j) std::ranges::copy(expected[size(j)], at(j));
    REQUIRE(gib_generate(buffers, ld, gc) == GIB_SUC);
    for (int i = 0; i < 14; ++i) {
      CHECK(std::equal(expected[size(i)].begin(), expected[size(i)].end(), at(i)));
    }
    std::vector<int> ids{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 3, 0, 2, 1};
    for (int i = 0; i < 10; ++i) std::ranges::copy(expected[size(ids[size(i)])], at(i));
    REQUIRE(gib_recover(buffers, ld, ids.data(), 4, gc) == GIB_SUC);
    for (int i = 0; i < 14; ++i) {
      const Bytes& content = expected[size(ids[size(i)])];
      CHECK(std::equal(content.begin(), content.end(), at(i)));
    }
    CHECK(gib_free(buffers, gc) == GIB_SUC);
    CHECK(gib_destroy(gc) == GIB_SUC);
  }
  ::setenv("XORLOOM_EXECUTOR", "abacus", 1);
  gib_context gc = nullptr;
  CHECK(gib_init(10, 4, &gc) == GIB_ERR);
  ::unsetenv("XORLOOM_EXECUTOR");
}

TEST_CASE("gib_alloc answers that memory ran out") {
  const Owned code(128, 128);
  void* buffers = &buffers;
  const int status = gib_alloc(&buffers, INT_MAX, nullptr, code.gc);
  if (status == GIB_SUC) {
    // Half a terabyte of addresses was granted: pages come when they are touched.
    CHECK(gib_free(buffers, code.gc) == GIB_SUC);
  } else {
    CHECK(status == GIB_OOM);
    CHECK(buffers == nullptr);
  }
}

TEST_CASE("README.md shows the example as it is tested") {
  const std::string example = text_of(XORLOOM_GIBRALTAR "/example.c");
  REQUIRE_FALSE(example.empty());
  CHECK(text_of(XORLOOM_GIBRALTAR "/README.md").find("```c\n" + example + "```\n") !=
        std::string::npos);
}

}  // namespace xorloom
