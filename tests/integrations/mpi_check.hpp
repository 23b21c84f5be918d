#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "xorloom/mpi.hpp"

// Parts shared by the tests over MPI. All ranks make the same checks in the same order, so that a
// failure on one rank leaves none of them waiting.

namespace xorloom::mpi::test {

inline int failures = 0;

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Checks that something holds on every rank.
inline bool check(MPI_Comm comm, bool holds, const std::string& what) {
  const int own = holds ? 1 : 0;
  int least = 0;
  MPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, comm);
  if (least == 1) return true;
  ++failures;
  if (!holds) std::fprintf(stderr, "rank %d: FAILED: %s\n", rank_in(comm), what.c_str());
  return false;
}

/// Checks that a call ended so on every rank, with the same sentence, which has some words in it.
inline bool check(MPI_Comm comm, const Outcome& outcome, Status status, const std::string& words,
                  const std::string& what) {
  std::string first(512, '\0');
  if (rank_in(comm) == 0) outcome.sentence.copy(first.data(), first.size() - 1);
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, comm);
  const bool is_same = first.c_str() == outcome.sentence.substr(0, first.size() - 1);
  return check(
      comm,
      outcome.status == status && is_same && outcome.sentence.find(words) != std::string::npos,
      what + ": " + to_string(outcome.status) + ": " + outcome.sentence);
}

inline bool check_ok(MPI_Comm comm, const Outcome& outcome, const std::string& what) {
  return check(comm, outcome, Status::kOk, "", what);
}

/// Numbers that a seed decides, the same on all ranks.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  /// `number` different values of 0 … of-1, in random order.
  std::vector<int> some(std::size_t number, int of) {
    std::vector<int> all;
    for (int i = 0; i < of; ++i) all.push_back(i);
    for (std::size_t i = 0; i < number; ++i) {
      std::swap(all[i], all[i + below(all.size() - i)]);
    }
    all.resize(number);
    return all;
  }

 private:
  std::uint64_t state_;
};

inline std::vector<std::uint8_t> bytes_of(std::uint64_t seed, std::size_t number) {
  Draw draw(seed);
  std::vector<std::uint8_t> bytes(number);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(draw.next() >> 32);
  return bytes;
}

}  // namespace xorloom::mpi::test
