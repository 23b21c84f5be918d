#pragma once

#include <array>
#include <cstddef>

namespace xorloom {

// Turns that a memory of banks takes to answer threads that look up a table at random.
//
//     word   0  1  2  3 | 4  5  6  7 | …      word a lies in bank a mod banks
//     bank   0  1  2  3 | 0  1  2  3 | …
//
// In one turn a bank delivers one word, to all threads that read it. So an access takes as many
// turns as the fullest bank has distinct words to deliver.
//
// Source: Curry, Skjellum, Ward and Brightwell, Gibraltar: a Reed-Solomon coding library for
//         storage applications on programmable graphics processors, Concurrency and Computation,
//         2011, sections 4 and 6.

/// Each thread reads one word, uniformly and independently of the others.
struct BankAccess {
  std::size_t threads = 16;
  std::size_t banks = 16;
  std::size_t words = 256;  ///< words of the table
};

inline constexpr std::size_t kMostBankThreads = 256;
inline constexpr std::size_t kMostBanks = 1024;
inline constexpr std::size_t kMostTableWords = 65'536;

/// The expected number of distinct words that are read from the fullest bank. It is computed, not
/// simulated; only rounding makes it inexact, by less than 1e-9.
///
/// Errors: throws kInvalidArgument if a number is 0 or exceeds its bound above.
/// Cost:   O(banks · threads^2 · c), where c is the most words that a bank is likely to deliver.
double mean_fullest_bank(const BankAccess& access);

/// A design of the paper and the mean that the paper simulated for it.
struct BankDesign {
  const char* name;
  std::size_t threads;
  std::size_t banks;
  double paper_mean;
};

/// The table of 256 bytes as the paper's means have it: every byte is a word of its own.
inline constexpr std::size_t kPaperTableWords = 256;
/// The table of 256 bytes in words of 32 bits.
inline constexpr std::size_t kTableWordsOf32Bits = 64;

inline constexpr std::array kBankDesigns = {
    BankDesign{"GTX 285, half-warp", 16, 16, 2.92}, BankDesign{"32 banks, 8 cores", 16, 32, 2.25},
    BankDesign{"32 banks, 32 cores", 32, 32, 3.15}, BankDesign{"16 banks, 4 cores", 8, 16, 2.01},
    BankDesign{"16 banks, 2 cores", 4, 16, 1.32},   BankDesign{"16 banks, 1 core", 2, 16, 1.06}};

}  // namespace xorloom
