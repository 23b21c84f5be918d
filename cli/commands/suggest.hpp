#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/code_speeds.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// The most chunks of a stripe that codes are suggested for.
inline constexpr std::size_t kMostSuggested = 256;

/// Encoding, or decoding with most_lost(code).
struct CandidateOperation {
  std::vector<std::size_t> lost;  ///< none: encoding
  std::size_t cells;              ///< that it computes
  PlanExplanation explanation;
  CodeSpeed speed;
};

/// A code that fits, and what it takes.
struct Candidate {
  Code code;
  CandidateOperation encode;
  CandidateOperation decode;
};

/// One that does not.
struct Skipped {
  std::string spec;
  std::string why;
};

/// Where speeds come from.
enum class SpeedSource {
  kMeasured,      ///< the codes were timed on this machine
  kMachineRates,  ///< counts, and what this machine was measured to take for other codes
  kOrdinaryCore   ///< counts, and what an ordinary core takes
};

struct Suggestions {
  std::size_t k;
  std::size_t m;
  Isa isa;
  SpeedSource source;
  /// The larger of those of words and packets, where speeds are of kMachineRates.
  std::optional<PredictionError> error;
  std::vector<Candidate> candidates;  ///< the fastest to encode in L2 first
  std::vector<Skipped> skipped;
};

/// The families and w that have k data and m redundant chunks and are proved to survive the loss of
/// any m, each with the plans that a codec makes by default: equations of more than kQuicklyShared
/// XORs are left direct, and a proof by trying sets of losses is done up to kMostSetsTried.
/// `measures` times them; otherwise their speeds are predicted.
///
/// Errors: throws kInvalidArgument if k + m exceeds kMostSuggested.
/// Cost:   some tenths of a second for 10 + 4, a few seconds for the widest. Measuring takes some
///         tenths of a second for each code.
Suggestions suggest(std::size_t k, std::size_t m, Isa isa, bool measures);
inline constexpr std::size_t kMostSetsTried = 20'000;

/// What to take if no other software has to read the chunks. Among the codes that encode nearly as
/// fast as the fastest, it is the one that decodes fastest. Null where there is no such code.
struct Recommendation {
  const Candidate* to_encode;  ///< of all
  const Candidate* to_decode;  ///< of all, the other way round
  const Candidate* on_words;   ///< to encode, of those on words
};
Recommendation recommendation(const Suggestions& suggestions);
inline constexpr double kNearlyAsFast = 0.95;

/// In 80 columns.
std::string suggestions_table(const Suggestions& suggestions);

/// Version 2 of its form.
Json suggestions_json(const Suggestions& suggestions);

}  // namespace xorloom::cli
