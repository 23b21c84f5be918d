#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "tests/integrations/exported.hpp"
#include "tests/integrations/jerasure_scene.hpp"
#include "tests/support/denied.hpp"

// The list of functions, those that only look at matrices, the counts, and the order in which bytes
// are written.

namespace xorloom {
using namespace jerasure_scene;

TEST_CASE("every symbol of Jerasure is there but those that README.md names") {
  const std::array lacking = {"galois_change_technique",
                              "galois_get_field_ptr",
                              "galois_init_composite_field",
                              "galois_init_field",
                              "gfp_array",
                              "gfp_is_composite",
                              "jerasure_free_schedule_cache",
                              "jerasure_generate_schedule_cache",
                              "jerasure_schedule_decode_cache"};
  std::size_t found = 0;
  for (const std::string& name : test::exported(XORLOOM_OF_DISTRIBUTION)) {
    const bool is_lacking = std::find(lacking.begin(), lacking.end(), name) != lacking.end();
    found += is_lacking ? 1 : 0;
    CHECK_MESSAGE(ours().has(name.c_str()) != is_lacking, name);
  }
  CHECK(found == lacking.size());
}

TEST_CASE("Vandermonde matrices and products of matrices are Jerasure's") {
  using Vandermonde = int*(int, int, int);
  for (const char* name :
       {"reed_sol_extended_vandermonde_matrix", "reed_sol_big_vandermonde_distribution_matrix"}) {
    for (const int w : {3, 4, 8, 11, 16, 32}) {
      for (const auto& [some_rows, some_columns] : {std::pair{1, 1},
                                                    {1, 3},
                                                    {2, 1},
                                                    {2, 2},
                                                    {2, 3},
                                                    {3, 3},
                                                    {5, 4},
                                                    {6, 4},
                                                    {8, 5},
                                                    {7, 2},
                                                    {9, 3},
                                                    {16, 12},
                                                    {17, 10},
                                                    {3, 20}}) {
        const int rows = some_rows;  // clang 14 captures no structured binding
        const int columns = some_columns;
        CAPTURE(name);
        CAPTURE(w);
        CAPTURE(rows);
        CAPTURE(columns);
        int* const mine = ours().find<Vandermonde>(name)(rows, columns, w);
        int* const other = theirs().find<Vandermonde>(name)(rows, columns, w);
        REQUIRE((mine == nullptr) == (other == nullptr));
        if (mine == nullptr) continue;
        CHECK(taken(mine, size(rows * columns)) == taken(other, size(rows * columns)));
      }
    }
  }
  std::mt19937 random{4};
  using Product = int*(int*, int*, int, int, int, int, int);
  for (const int w : {4, 8, 16, 32}) {
    Ints a(6 * 5);
    Ints b(5 * 3);
    for (Ints* ints : {&a, &b}) {
      for (int& entry : *ints) entry = static_cast<int>(random() >> (32 - w));
    }
    CHECK(taken(ours().find<Product>("jerasure_matrix_multiply")(a.data(), b.data(), 6, 5, 5, 3, w),
                18) == taken(theirs().find<Product>("jerasure_matrix_multiply")(a.data(), b.data(),
                                                                                6, 5, 5, 3, w),
                             18));
  }
}

TEST_CASE("matrices are printed as Jerasure prints them") {
  const auto printed = [](const Library& library, const char* name, Ints matrix, int w) {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const int ended = in_child([&] {
      ::dup2(pipe[1], STDOUT_FILENO);
      library.find<void(int*, int, int, int)>(name)(matrix.data(), 4, 4, w);
      return std::fflush(stdout);
    });
    ::close(pipe[1]);
    std::string text(4096, '\0');
    text.resize(static_cast<std::size_t>(::read(pipe[0], text.data(), text.size())));
    ::close(pipe[0]);
    REQUIRE(ended == 0);
    return text;
  };
  const Ints bits{1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1};
  const char* const of_bits = "jerasure_print_bitmatrix";
  CHECK(printed(ours(), of_bits, bits, 2) == printed(theirs(), of_bits, bits, 2));
  CHECK(printed(ours(), of_bits, bits, 2).size() == 4 * 6 + 1);
  const Ints symbols{1, 20, 3, 255, 7, 8, 90, 10, 0, 1, 2, 3, 4, 5, 6, -1};
  const char* const of_symbols = "jerasure_print_matrix";
  for (const int w : {8, 16, 32}) {
    CHECK(printed(ours(), of_symbols, symbols, w) == printed(theirs(), of_symbols, symbols, w));
  }
}

TEST_CASE("bytes that encoding goes over are counted as Jerasure counts them") {
  const auto counted = [](const Library& library) {
    std::array<double, 3> counts{};
    library.find<void(double*)>("jerasure_get_stats")(counts.data());
    return counts;
  };
  const Shape shape{4, 2, 8};
  Ints matrix = taken(theirs().find<MatrixMaker>("reed_sol_vandermonde_coding_matrix")(4, 2, 8), 8);
  Ints bits = taken(theirs().find<ToBits>("jerasure_matrix_to_bitmatrix")(4, 2, 8, matrix.data()),
                    size(8 * 64));
  std::array<std::vector<std::array<double, 3>>, 2> all;
  for (const bool is_ours : {true, false}) {
    const Library& library = is_ours ? ours() : theirs();
    counted(library);
    std::vector<std::array<double, 3>>& counts = all[is_ours ? 1 : 0];
    Stripe stripe(shape, 8 * 64 * 100);
    // The first calls and later ones take different ways.
    for (int call = 0; call < 60; ++call) {
      library.find<Encode>("jerasure_matrix_encode")(4, 2, 8, matrix.data(), stripe.data().data(),
                                                     stripe.coding().data(), stripe.bytes());
    }
    counts.push_back(counted(library));
    for (int call = 0; call < 60; ++call) {
      library.find<BitEncode>("jerasure_bitmatrix_encode")(
          4, 2, 8, bits.data(), stripe.data().data(), stripe.coding().data(), stripe.bytes(), 64);
    }
    counts.push_back(counted(library));
    library.find<void(int, char**, char*, int)>("jerasure_do_parity")(
        4, stripe.data().data(), stripe.coding()[0], stripe.bytes());
    int** const schedule =
        library.find<ToSchedule>("jerasure_dumb_bitmatrix_to_schedule")(4, 2, 8, bits.data());
    using Scheduled = void(int, int, int, int**, char**, char**, int, int);
    library.find<Scheduled>("jerasure_schedule_encode")(4, 2, 8, schedule, stripe.data().data(),
                                                        stripe.coding().data(), stripe.bytes(), 64);
    library.find<void(int**)>("jerasure_free_schedule")(schedule);
    counts.push_back(counted(library));
    counts.push_back(counted(library));
  }
  CHECK(all[0] == all[1]);
  CHECK(all[1].back() == std::array<double, 3>{});
}

TEST_CASE("sums that lie over data have the bytes that Jerasure's order gives them") {
  std::mt19937 random{8};
  for (int round = 0; round < 60; ++round) {
    const Shape shape{4 + round % 3, 2 + round % 2, round % 4 == 3 ? 16 : 8};
    const int packet = round % 2 == 0 ? 64 : 512;
    const auto bytes = size(shape.w * packet * 2);
    CAPTURE(round);
    Ints matrix(size(shape.k * shape.m));
    for (int& entry : matrix) entry = static_cast<int>(random() % 4);
    for (int i = 0; i < shape.m; ++i)
      matrix[size(i * shape.k)] = 1;  // else Jerasure writes nothing
    Ints bits = taken(theirs().find<ToBits>("jerasure_matrix_to_bitmatrix")(shape.k, shape.m,
                                                                            shape.w, matrix.data()),
                      size(shape.k * shape.m * shape.w * shape.w));
    const std::size_t place = random() % size(shape.k);
    std::vector<std::vector<std::string>> mine;
    std::vector<std::vector<std::string>> other;
    for (const bool is_ours : {true, false}) {
      const Library& library = is_ours ? ours() : theirs();
      auto& results = is_ours ? mine : other;
      // A fresh stripe for each call, whose first sum lies over a chunk of data.
      const auto try_call = [&](const auto& call) {
        Stripe stripe(shape, bytes);
        std::vector<char*> data = stripe.data();
        std::vector<char*> coding = stripe.coding();
        coding[0] = data[place];
        call(data, coding);
        results.push_back(stripe.chunks);
      };
      const int length = static_cast<int>(bytes);
      try_call([&](auto& data, auto& coding) {
        library.find<Encode>("jerasure_matrix_encode")(shape.k, shape.m, shape.w, matrix.data(),
                                                       data.data(), coding.data(), length);
      });
      try_call([&](auto& data, auto& coding) {
        library.find<BitEncode>("jerasure_bitmatrix_encode")(
            shape.k, shape.m, shape.w, bits.data(), data.data(), coding.data(), length, packet);
      });
      try_call([&](auto& data, auto& coding) {
        library.find<void(int, char**, char*, int)>("jerasure_do_parity")(shape.k, data.data(),
                                                                          coding[0], length);
      });
      try_call([&](auto& data, auto& coding) {
        library.find<int(int, int, char**, char**, int)>("reed_sol_r6_encode")(
            shape.k, shape.w, data.data(), coding.data(), length);
      });
      try_call([&](auto& data, auto& coding) {
        using Sum = void(int, int, int*, int*, int, char**, char**, int);
        library.find<Sum>("jerasure_matrix_dotprod")(shape.k, shape.w, matrix.data(), nullptr,
                                                     shape.k, data.data(), coding.data(), length);
      });
      try_call([&](auto& data, auto& coding) {
        // Made by one library: the other's schedules have other steps.
        int** const schedule = theirs().find<ToSchedule>("jerasure_dumb_bitmatrix_to_schedule")(
            shape.k, shape.m, shape.w, bits.data());
        using Scheduled = void(int, int, int, int**, char**, char**, int, int);
        library.find<Scheduled>("jerasure_schedule_encode")(
            shape.k, shape.m, shape.w, schedule, data.data(), coding.data(), length, packet);
        theirs().find<void(int**)>("jerasure_free_schedule")(schedule);
      });
      try_call([&](auto& data, auto&) {
        library.find<void(char*, char*, int)>("galois_region_xor")(data[0], data[0], length);
      });
    }
    for (std::size_t call = 0; call < mine.size(); ++call) {
      CAPTURE(call);
      CHECK(mine[call] == other[call]);
    }
  }
}

}  // namespace xorloom
