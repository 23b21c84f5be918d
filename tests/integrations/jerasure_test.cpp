#include "tests/integrations/jerasure_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <thread>
#include <tuple>
#include <utility>

#include "tests/support/denied.hpp"

// Functions that encode, decode and multiply.

namespace xorloom {
using namespace jerasure_scene;

namespace {

/// Lists of lost chunks, ended by -1.
std::vector<Ints> some_losses(const Shape& shape) {
  std::mt19937 random{5};
  std::vector<Ints> lists;
  for (int trial = 0; trial < 12; ++trial) {
    Ints lost;
    while (static_cast<int>(lost.size()) < 1 + trial % shape.m) {
      const int i = static_cast<int>(random() % (size(shape.k) + size(shape.m)));
      if (std::find(lost.begin(), lost.end(), i) == lost.end()) lost.push_back(i);
    }
    lost.push_back(-1);
    lists.push_back(lost);
  }
  return lists;
}

}  // namespace

TEST_CASE("matrices of Reed-Solomon, Cauchy and RAID-6 codes are Jerasure's") {
  for (const int w : {8, 16, 32}) {
    for (const auto& [data, m] : {std::pair{2, 1}, {4, 2}, {10, 4}, {7, 5}}) {
      const int k = data;  // clang 14 captures no structured binding
      for (const char* name :
           {"reed_sol_vandermonde_coding_matrix", "cauchy_original_coding_matrix",
            "cauchy_good_general_coding_matrix"}) {
        if (w == 32 && name[0] == 'c') continue;
        CAPTURE(name);
        CAPTURE(w);
        CAPTURE(k);
        const std::size_t entries = size(k) * size(m);
        CHECK(taken(ours().find<MatrixMaker>(name)(k, m, w), entries) ==
              taken(theirs().find<MatrixMaker>(name)(k, m, w), entries));
      }
      CHECK(taken(ours().find<int*(int, int)>("reed_sol_r6_coding_matrix")(k, w), 2 * size(k)) ==
            taken(theirs().find<int*(int, int)>("reed_sol_r6_coding_matrix")(k, w), 2 * size(k)));
    }
  }
  for (const int w : {2, 3, 4, 5, 7}) {
    const auto original =
        taken(theirs().find<MatrixMaker>("cauchy_original_coding_matrix")(2, 2, w), 4);
    CHECK(taken(ours().find<MatrixMaker>("cauchy_original_coding_matrix")(2, 2, w), 4) == original);
    Ints a = original;
    Ints b = original;
    ours().find<void(int, int, int, int*)>("cauchy_improve_coding_matrix")(2, 2, w, a.data());
    theirs().find<void(int, int, int, int*)>("cauchy_improve_coding_matrix")(2, 2, w, b.data());
    CHECK(a == b);
    for (int n = 0; n < 1 << w; ++n) {
      CHECK(ours().find<int(int, int)>("cauchy_n_ones")(n, w) ==
            theirs().find<int(int, int)>("cauchy_n_ones")(n, w));
    }
    CHECK(taken(ours().find<ToBits>("jerasure_matrix_to_bitmatrix")(2, 2, w, a.data()),
                size(4 * w * w)) ==
          taken(theirs().find<ToBits>("jerasure_matrix_to_bitmatrix")(2, 2, w, b.data()),
                size(4 * w * w)));
  }
  Ints x{1, 2};
  Ints y{4, 5, 6, 7, 0};
  using Points = int*(int, int, int, int*, int*);
  CHECK(taken(ours().find<Points>("cauchy_xy_coding_matrix")(5, 2, 3, x.data(), y.data()), 10) ==
        taken(theirs().find<Points>("cauchy_xy_coding_matrix")(5, 2, 3, x.data(), y.data()), 10));
  for (const auto& [name, k, w] :
       {std::tuple{"liberation_coding_bitmatrix", 5, 7}, {"blaum_roth_coding_bitmatrix", 5, 6}}) {
    CHECK(taken(ours().find<int*(int, int)>(name)(k, w), size(2 * k * w * w)) ==
          taken(theirs().find<int*(int, int)>(name)(k, w), size(2 * k * w * w)));
  }
  CHECK(taken(ours().find<int*(int)>("liber8tion_coding_bitmatrix")(6), size(2 * 6 * 64)) ==
        taken(theirs().find<int*(int)>("liber8tion_coding_bitmatrix")(6), size(2 * 6 * 64)));
}

TEST_CASE("words are encoded, decoded and summed as Jerasure does") {
  for (const Shape& shape : {Shape{4, 2, 8}, {10, 4, 16}, {3, 3, 32}, {5, 1, 8}}) {
    CAPTURE(shape.k);
    CAPTURE(shape.w);
    const auto& [k, m, w] = shape;
    const std::size_t entries = size(k) * size(m);
    Ints matrix =
        taken(theirs().find<MatrixMaker>("reed_sol_vandermonde_coding_matrix")(k, m, w), entries);
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{1000}, std::size_t{65536}}) {
      Stripe mine(shape, bytes);
      Stripe other(shape, bytes);
      ours().find<Encode>("jerasure_matrix_encode")(k, m, w, matrix.data(), mine.data().data(),
                                                    mine.coding().data(), mine.bytes());
      theirs().find<Encode>("jerasure_matrix_encode")(k, m, w, matrix.data(), other.data().data(),
                                                      other.coding().data(), other.bytes());
      REQUIRE(mine.chunks == other.chunks);
      for (Ints lost : some_losses(shape)) {
        Stripe damaged = mine;
        for (const int i : lost) {
          if (i >= 0) damaged.chunks[size(i)].assign(bytes, 'x');
        }
        REQUIRE(ours().find<Decode>("jerasure_matrix_decode")(
                    k, m, w, matrix.data(), 1, lost.data(), damaged.data().data(),
                    damaged.coding().data(), damaged.bytes()) == 0);
        CHECK(damaged.chunks == mine.chunks);

        Ints erased = taken(ours().find<Erased>("jerasure_erasures_to_erased")(k, m, lost.data()),
                            size(k + m));
        CHECK(erased ==
              taken(theirs().find<Erased>("jerasure_erasures_to_erased")(k, m, lost.data()),
                    size(k + m)));
        Ints rows(size(k * k)), ids(size(k)), other_rows(size(k * k)), other_ids(size(k));
        REQUIRE(ours().find<DecodingMatrix>("jerasure_make_decoding_matrix")(
                    k, m, w, matrix.data(), erased.data(), rows.data(), ids.data()) == 0);
        REQUIRE(theirs().find<DecodingMatrix>("jerasure_make_decoding_matrix")(
                    k, m, w, matrix.data(), erased.data(), other_rows.data(), other_ids.data()) ==
                0);
        CHECK(rows == other_rows);
        CHECK(ids == other_ids);
        if (lost[0] >= k) continue;
        damaged.chunks[size(lost[0])].assign(bytes, 'x');
        using Sum = void(int, int, int*, int*, int, char**, char**, int);
        ours().find<Sum>("jerasure_matrix_dotprod")(k, w, rows.data() + lost[0] * k, ids.data(),
                                                    lost[0], damaged.data().data(),
                                                    damaged.coding().data(), damaged.bytes());
        CHECK(damaged.chunks == mine.chunks);
      }
    }
  }
}

TEST_CASE("packets are encoded, decoded and summed as Jerasure does") {
  for (const Shape& shape : {Shape{4, 2, 4}, {10, 4, 8}, {5, 3, 5}}) {
    CAPTURE(shape.k);
    const auto& [k, m, w] = shape;
    const int packet = 64;
    Ints matrix =
        taken(theirs().find<MatrixMaker>("cauchy_original_coding_matrix")(k, m, w), size(k * m));
    Ints bits = taken(theirs().find<ToBits>("jerasure_matrix_to_bitmatrix")(k, m, w, matrix.data()),
                      size(k * m * w * w));
    const auto bytes = size(packet * w * 3);
    Stripe mine(shape, bytes);
    Stripe other(shape, bytes);
    ours().find<BitEncode>("jerasure_bitmatrix_encode")(k, m, w, bits.data(), mine.data().data(),
                                                        mine.coding().data(), mine.bytes(), packet);
    theirs().find<BitEncode>("jerasure_bitmatrix_encode")(
        k, m, w, bits.data(), other.data().data(), other.coding().data(), other.bytes(), packet);
    REQUIRE(mine.chunks == other.chunks);
    for (const char* name :
         {"jerasure_smart_bitmatrix_to_schedule", "jerasure_dumb_bitmatrix_to_schedule"}) {
      using Scheduled = void(int, int, int, int**, char**, char**, int, int);
      std::array<int, 2> steps{};
      for (const Library* maker : {&ours(), &theirs()}) {
        int** const schedule = maker->find<ToSchedule>(name)(k, m, w, bits.data());
        REQUIRE(schedule != nullptr);
        for (int** step = schedule; (*step)[0] >= 0; ++step) ++steps[maker == &ours() ? 0 : 1];
        for (const Library* runner : {&ours(), &theirs()}) {
          Stripe again(shape, bytes);
          runner->find<Scheduled>("jerasure_schedule_encode")(
              k, m, w, schedule, again.data().data(), again.coding().data(), again.bytes(), packet);
          CHECK(again.chunks == mine.chunks);
        }
        maker->find<void(int**)>("jerasure_free_schedule")(schedule);
      }
      CHECK(steps[0] <= steps[1]);
    }
    for (Ints lost : some_losses(shape)) {
      Stripe damaged = mine;
      for (const int i : lost) {
        if (i >= 0) damaged.chunks[size(i)].assign(bytes, 'x');
      }
      REQUIRE(ours().find<BitDecode>("jerasure_bitmatrix_decode")(
                  k, m, w, bits.data(), 0, lost.data(), damaged.data().data(),
                  damaged.coding().data(), damaged.bytes(), packet) == 0);
      CHECK(damaged.chunks == mine.chunks);
      Ints erased =
          taken(ours().find<Erased>("jerasure_erasures_to_erased")(k, m, lost.data()), size(k + m));
      Ints rows(size(k * k * w * w)), ids(size(k)), other_rows(size(k * k * w * w)),
          other_ids(size(k));
      REQUIRE(ours().find<DecodingMatrix>("jerasure_make_decoding_bitmatrix")(
                  k, m, w, bits.data(), erased.data(), rows.data(), ids.data()) == 0);
      REQUIRE(theirs().find<DecodingMatrix>("jerasure_make_decoding_bitmatrix")(
                  k, m, w, bits.data(), erased.data(), other_rows.data(), other_ids.data()) == 0);
      CHECK(rows == other_rows);
      if (lost[0] >= k) continue;
      damaged.chunks[size(lost[0])].assign(bytes, 'x');
      using Sum = void(int, int, int*, int*, int, char**, char**, int, int);
      ours().find<Sum>("jerasure_bitmatrix_dotprod")(
          k, w, rows.data() + lost[0] * k * w * w, ids.data(), lost[0], damaged.data().data(),
          damaged.coding().data(), damaged.bytes(), packet);
      CHECK(damaged.chunks == mine.chunks);
    }
  }
}

TEST_CASE("symbols and regions are multiplied as Jerasure does") {
  std::mt19937 random{2};
  for (const int w : {4, 8, 16, 32}) {
    const auto initialise = theirs().find<int(int)>("galois_init_default_field");
    REQUIRE(initialise(w) == 0);
    CHECK(ours().find<int(int)>("galois_init_default_field")(w) == 0);
    for (int i = 0; i < 300; ++i) {
      const int mask = w == 32 ? -1 : (1 << w) - 1;
      const int a = static_cast<int>(random()) & mask;
      const int b = static_cast<int>(random()) & mask;
      for (const char* name : {"galois_single_multiply", "galois_single_divide"}) {
        if (b == 0) continue;
        CHECK(ours().find<int(int, int, int)>(name)(a, b, w) ==
              theirs().find<int(int, int, int)>(name)(a, b, w));
      }
    }
  }
  using Region = void(char*, int, int, char*, int);
  for (const char* name :
       {"galois_w08_region_multiply", "galois_w16_region_multiply", "galois_w32_region_multiply"}) {
    for (const int add : {0, 1}) {
      std::string from(9000, '\0');
      for (char& byte : from) byte = static_cast<char>(random());
      std::string a(9000, 'a');
      std::string b = a;
      ours().find<Region>(name)(from.data(), 97, 8992, a.data(), add);
      theirs().find<Region>(name)(from.data(), 97, 8992, b.data(), add);
      CHECK(a == b);
    }
  }
  CHECK(ours().find<int(int, int, int)>("galois_single_divide")(1, 0, 8) == -1);
}

TEST_CASE("what cannot be decoded is said, and a wrong call ends the process as Jerasure does") {
  Ints matrix = taken(ours().find<MatrixMaker>("reed_sol_vandermonde_coding_matrix")(4, 2, 8), 8);
  const Shape shape{4, 2, 8};
  Stripe stripe(shape, 64);
  const Stripe before = stripe;
  for (Ints lost : {Ints{0, 1, 2, -1}, {7, -1}, {-5, -1}}) {
    CHECK(ours().find<Decode>("jerasure_matrix_decode")(4, 2, 8, matrix.data(), 1, lost.data(),
                                                        stripe.data().data(),
                                                        stripe.coding().data(), 64) == -1);
  }
  Ints lost{0, 1, 2, -1};
  CHECK(ours().find<Erased>("jerasure_erasures_to_erased")(4, 2, lost.data()) == nullptr);
  Ints bits =
      taken(ours().find<ToBits>("jerasure_matrix_to_bitmatrix")(4, 2, 8, matrix.data()), 512);
  Ints one{0, -1};
  CHECK(ours().find<BitDecode>("jerasure_bitmatrix_decode")(4, 2, 8, bits.data(), 0, one.data(),
                                                            stripe.data().data(),
                                                            stripe.coding().data(), 64, 0) == -1);
  CHECK(ours().find<BitDecode>("jerasure_bitmatrix_decode")(4, 2, 8, bits.data(), 0, one.data(),
                                                            stripe.data().data(),
                                                            stripe.coding().data(), 64, 16) == -1);
  CHECK(stripe.chunks == before.chunks);
  CHECK(ours().find<MatrixMaker>("reed_sol_vandermonde_coding_matrix")(300, 2, 8) == nullptr);
  CHECK(ours().find<MatrixMaker>("cauchy_original_coding_matrix")(-4, 2, 8) == nullptr);
  Ints inverse(16);
  using Invert = int(int*, int*, int, int);
  CHECK(ours().find<Invert>("jerasure_invert_matrix")(matrix.data(), inverse.data(), 2, 99) == -1);
  const int ended = in_child([&] {
    std::signal(SIGABRT, SIG_DFL);  // doctest's own would tell of it
    ::close(STDERR_FILENO);
    ours().find<Encode>("jerasure_matrix_encode")(4, 2, 9, matrix.data(), stripe.data().data(),
                                                  stripe.coding().data(), 64);
    return 0;
  });
  CHECK(ended == -1);  // by a signal
}

TEST_CASE("where the first redundancy left has a singular matrix, other redundancy decodes") {
  Ints matrix{1, 1, 1, 1, 1, 2};  // rows 0 and 1 are the same
  Ints lost{0, 1, -1};
  Stripe words({2, 3, 8}, 4096);
  ours().find<Encode>("jerasure_matrix_encode")(2, 3, 8, matrix.data(), words.data().data(),
                                                words.coding().data(), words.bytes());
  const Stripe whole = words;
  for (const std::size_t i : {0UL, 1UL}) words.chunks[i].assign(4096, 'x');
  CHECK(ours().find<Decode>("jerasure_matrix_decode")(2, 3, 8, matrix.data(), 0, lost.data(),
                                                      words.data().data(), words.coding().data(),
                                                      words.bytes()) == 0);
  CHECK(words.chunks == whole.chunks);

  const int packet = 64;
  Ints bits = taken(ours().find<ToBits>("jerasure_matrix_to_bitmatrix")(2, 3, 8, matrix.data()),
                    size(2 * 3 * 64));
  Stripe packets({2, 3, 8}, size(packet * 8 * 2));
  ours().find<BitEncode>("jerasure_bitmatrix_encode")(2, 3, 8, bits.data(), packets.data().data(),
                                                      packets.coding().data(), packets.bytes(),
                                                      packet);
  const Stripe all = packets;
  for (const std::size_t i : {0UL, 1UL}) packets.chunks[i].assign(all.chunks[i].size(), 'x');
  CHECK(ours().find<BitDecode>("jerasure_bitmatrix_decode")(
            2, 3, 8, bits.data(), 0, lost.data(), packets.data().data(), packets.coding().data(),
            packets.bytes(), packet) == 0);
  CHECK(packets.chunks == all.chunks);
}

TEST_CASE("matrices that are used again and again, until they have machine code, encode the same") {
  for (const Shape& shape : {Shape{10, 4, 8}, {6, 3, 16}, {4, 2, 32}}) {
    const auto& [k, m, w] = shape;
    Ints matrix = taken(theirs().find<MatrixMaker>("reed_sol_vandermonde_coding_matrix")(k, m, w),
                        size(k * m));
    Stripe first(shape, 16384);
    ours().find<Encode>("jerasure_matrix_encode")(k, m, w, matrix.data(), first.data().data(),
                                                  first.coding().data(), first.bytes());
    for (int call = 0; call < 600; ++call) {
      Stripe again(shape, 16384);
      ours().find<Encode>("jerasure_matrix_encode")(k, m, w, matrix.data(), again.data().data(),
                                                    again.coding().data(), again.bytes());
      REQUIRE(again.chunks == first.chunks);
    }
  }
}

TEST_CASE("many threads encode with many matrices") {
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < 60; ++i) {
        const Shape shape{2 + i % 5, 2, 8};
        int* const matrix =
            ours().find<MatrixMaker>("reed_sol_vandermonde_coding_matrix")(shape.k, 2, 8);
        Stripe stripe(shape, 512);
        ours().find<Encode>("jerasure_matrix_encode")(shape.k, 2, 8, matrix, stripe.data().data(),
                                                      stripe.coding().data(), 512);
        const Stripe whole = stripe;
        stripe.chunks[0].assign(512, 'x');
        stripe.chunks[1].assign(512, 'y');
        Ints lost{1, 0, -1};
        if (ours().find<Decode>("jerasure_matrix_decode")(shape.k, 2, 8, matrix, 1, lost.data(),
                                                          stripe.data().data(),
                                                          stripe.coding().data(), 512) != 0 ||
            stripe.chunks != whole.chunks)
          ++wrong[t];
        std::free(matrix);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK(count == 0);
}

}  // namespace xorloom
