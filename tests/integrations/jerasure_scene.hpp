#pragma once

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/support/shared_library.hpp"

// The drop-in for libJerasure, loaded as programs load it, beside the distribution's libJerasure.

namespace xorloom::jerasure_scene {

using Library = test::SharedLibrary;

inline const Library& ours() {
  static const Library library(XORLOOM_DROP_IN);
  return library;
}
inline const Library& theirs() {
  static const Library library(XORLOOM_OF_DISTRIBUTION);
  return library;
}

using Ints = std::vector<int>;

/// Copies a list that a function returned, and frees it.
inline Ints taken(int* ints, std::size_t count) {
  REQUIRE(ints != nullptr);
  Ints values(ints, ints + count);
  std::free(ints);
  return values;
}

struct Shape {
  int k, m, w;
};

inline std::size_t size(int number) { return static_cast<std::size_t>(number); }

/// Chunks of random bytes, those of redundancy of others.
struct Stripe {
  Stripe(const Shape& shape, std::size_t bytes) : k(shape.k) {
    std::mt19937 random{11};
    for (int i = 0; i < shape.k + shape.m; ++i) {
      std::string& chunk = chunks.emplace_back(bytes, '\0');
      for (char& byte : chunk) byte = static_cast<char>(random());
    }
  }
  std::vector<char*> data() { return pointers(0, size(k)); }
  std::vector<char*> coding() { return pointers(size(k), chunks.size()); }
  std::vector<char*> pointers(std::size_t from, std::size_t to) {
    std::vector<char*> all;
    for (std::size_t i = from; i < to; ++i) all.push_back(chunks[i].data());
    return all;
  }
  int bytes() const { return static_cast<int>(chunks[0].size()); }

  int k;
  std::vector<std::string> chunks{};
};

using MatrixMaker = int*(int, int, int);
using Encode = void(int, int, int, int*, char**, char**, int);
using BitEncode = void(int, int, int, int*, char**, char**, int, int);
using Decode = int(int, int, int, int*, int, int*, char**, char**, int);
using BitDecode = int(int, int, int, int*, int, int*, char**, char**, int, int);
using DecodingMatrix = int(int, int, int, int*, int*, int*, int*);
using ToBits = int*(int, int, int, int*);
using ToSchedule = int**(int, int, int, int*);
using Erased = int*(int, int, int*);

}  // namespace xorloom::jerasure_scene
