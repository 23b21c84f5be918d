#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/choosing/tradeoffs.hpp"
#include "cli/measuring/code_speeds.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "codes/code.hpp"
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
  std::size_t rank = 0;  ///< by the speed in L2, 1 first; like ones share it; 0: none
};

/// A code that fits, and what it takes.
struct Candidate {
  std::string spec;  ///< short: without what it has by default
  Code code;
  CandidateOperation encode;
  CandidateOperation decode;
  Tradeoffs tradeoffs;
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
  std::optional<PredictionError> error{};
  std::string machine;                ///< whose speeds or rates they are; "" for an ordinary core
  std::vector<Candidate> candidates;  ///< the fastest to encode in L2 first, ranked
  std::vector<Candidate> others;      ///< that store or survive something else; not ranked
  std::vector<Skipped> skipped;
  bool is_half_measured = false;  ///< this machine was measured for words or for packets alone
};

/// The families and w that have k data and m redundant chunks and are proved to survive the loss of
/// any m, each with the plans that a codec with these options makes: by default equations of more
/// than kQuicklyShared XORs are left direct. A proof by trying sets of losses is done up to
/// kMostSetsTried. Beside them stand other_specs. `measures` times them; otherwise their speeds are
/// predicted.
///
/// Errors: throws kInvalidArgument if k + m exceeds kMostSuggested.
/// Cost:   some tenths of a second for 10 + 4, a few seconds for the widest. Measuring takes some
///         tenths of a second for each code.
Suggestions suggest(std::size_t k, std::size_t m, const Options& options, bool measures);
inline constexpr std::size_t kMostSetsTried = 20'000;

/// What to take if no other software has to read the chunks. Among the codes that encode nearly as
/// fast as the fastest, it is one that decodes nearly as fast as the fastest of them: the one with
/// the fewest instructions per byte for both. Null where there is no such code.
struct Recommendation {
  const Candidate* to_encode;  ///< of all that are ranked
  const Candidate* to_decode;  ///< of those, the other way round
  const Candidate* on_words;   ///< to encode, of those on words
  /// Reads the least for a repair, of all that survive any m losses and store no more than k + m
  /// chunks.
  const Candidate* to_repair;
  const Candidate* to_update;  ///< changes the fewest packets or symbols with one, of the same
};
Recommendation recommendation(const Suggestions& suggestions);
inline constexpr double kNearlyAsFast = 0.95;

inline bool is_words(const Code& code) { return code.arrangement == Arrangement::kWord; }

/// What tells a code from the others in a column that is not wide: "cauchy-good", "lrc m=2 l=6".
std::string short_name(const Suggestions& suggestions, const Candidate& candidate);

/// What tells it from all others of the page: "cauchy-good w=4, packets".
std::string full_name(const Suggestions& suggestions, const Candidate& candidate);

/// "5.9"; whole from 100 on.
std::string figure_text(double value);

/// "3.25"; "200.0" from 100 on.
std::string bytes_text(double value);

/// Where the speeds come from, as sentences.
std::string speed_source_text(const Suggestions& suggestions);

/// GB/s, to two digits where they are predicted.
std::string speed_text(const Suggestions& suggestions, double speed);
std::string speed_text(const Suggestions& suggestions, const std::optional<double>& speed);

/// Instructions per byte of data; multiplications for a vector of each chunk.
double instructions_per_byte(const CandidateOperation& operation);
std::size_t multiplications(const CandidateOperation& operation);

/// "measured", "predicted for this machine", "predicted for an ordinary core".
const char* name_of(SpeedSource source);

}  // namespace xorloom::cli
