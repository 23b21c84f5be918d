#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// The most chunks of a stripe that codes are suggested for.
inline constexpr std::size_t kMostSuggested = 256;

/// A code that fits, and what encoding it takes.
struct Candidate {
  Code code;
  PlanExplanation explanation;
  double l1_gigabytes;  ///< predicted, of data a second on one core
  double l2_gigabytes;
  double memory_gigabytes;
};

/// One that does not.
struct Skipped {
  std::string spec;
  std::string why;
};

struct Suggestions {
  std::size_t k;
  std::size_t m;
  Isa isa;
  std::vector<Candidate> candidates;  ///< the fastest in L2 first, then in L1
  std::vector<Skipped> skipped;
};

/// The families and w that have k data and m redundant chunks and are proved to survive the loss of
/// any m, each with its fastest plan that is made quickly: equations of more than kQuicklyShared
/// XORs are left direct, and a proof by trying sets of losses is done up to kMostSetsTried.
///
/// Errors: throws kInvalidArgument if k + m exceeds kMostSuggested.
/// Cost:   some tenths of a second for 10 + 4, a few seconds for the widest.
Suggestions suggest(std::size_t k, std::size_t m, Isa isa);
inline constexpr std::size_t kMostSetsTried = 20'000;

/// In 80 columns.
std::string suggestions_table(const Suggestions& suggestions);

/// Version 1 of its form.
Json suggestions_json(const Suggestions& suggestions);

}  // namespace xorloom::cli
