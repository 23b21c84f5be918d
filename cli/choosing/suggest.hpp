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

/// The most chunks of a suggested code.
inline constexpr std::size_t kMostSuggested = 256;

/// Encoding, or decoding with most_lost(code).
struct CandidateOperation {
  std::vector<std::size_t> lost;  ///< empty: encoding
  std::size_t cells;              ///< cells that the operation computes
  PlanExplanation explanation;
  CodeSpeed speed;
  std::size_t rank = 0;  ///< by speed in L2, from 1; ties share it; 0: not ranked
};

/// A suggested code, and what it costs.
struct Candidate {
  std::string spec;  ///< without parameters that have their default
  Code code;
  CandidateOperation encode;
  CandidateOperation decode;
  Tradeoffs tradeoffs;
};

/// A spec that is not suggested, and the reason.
struct Skipped {
  std::string spec;
  std::string why;
};

/// Source of the speeds.
enum class SpeedSource {
  kMeasured,      ///< the codes were timed on this machine
  kMachineRates,  ///< predicted from counts and the rates of this machine
  kOrdinaryCore   ///< predicted from counts for an ordinary core
};

struct Suggestions {
  std::size_t k;
  std::size_t m;
  Isa isa;
  SpeedSource source;
  /// The rates for packets and for words that speeds are predicted from; only with kMachineRates.
  std::vector<MachineRates::Of> rates{};
  std::string machine;                ///< CPU of the speeds or rates; empty: an ordinary core
  std::vector<Candidate> candidates;  ///< ranked codes, the fastest to encode in L2 first
  std::vector<Candidate> others;      ///< codes that store or survive something else; not ranked
  std::vector<Skipped> skipped;
  /// The only kind of codes that this machine was measured for, if it was for one of both.
  std::optional<Arrangement> measured_alone{};
};

/// Compares codes with k data and m redundant chunks.
///
/// The candidates are all families and w that are proved to survive any m losses. A proof may try
/// up to kMostSetsTried sets of losses. The codes of other_specs stand beside them, and refused
/// specs are in `skipped`. Costs are those of the plans that a codec with `options` makes: by
/// default, equations of more than kQuicklyShared XORs stay direct. If `measures`, speeds are
/// measured, else predicted.
///
/// Errors: throws kInvalidArgument if k + m exceeds kMostSuggested.
/// Cost:   some tenths of a second for 10 + 4, a few seconds for the widest codes. Measuring takes
///         some tenths of a second per code.
Suggestions suggest(std::size_t k, std::size_t m, const Options& options, bool measures);
inline constexpr std::size_t kMostSetsTried = 20'000;

/// The codes to take if no other software has to read the chunks. Null: there is no such code.
///
/// `to_encode` is chosen among the ranked codes. Keep the codes that encode nearly as fast as the
/// fastest (kNearlyAsFast). Of these, keep the codes that decode nearly as fast as the fastest.
/// Take the code with the fewest instructions per byte for both.
struct Recommendation {
  const Candidate* to_encode;
  const Candidate* to_decode;  ///< as `to_encode`, but decoding decides first
  const Candidate* on_words;   ///< as `to_encode`, among codes on words
  /// Fewest repair reads, among codes that survive any m losses and store at most k + m chunks.
  const Candidate* to_repair;
  const Candidate* to_update;  ///< fewest cells_changed, among the codes for `to_repair`
};
Recommendation recommendation(const Suggestions& suggestions);
inline constexpr double kNearlyAsFast = 0.95;

/// True if the code lies in words, else in packets.
inline bool is_words(const Code& code) { return code.arrangement == Arrangement::kWord; }

/// Short name for labels, not always unique: "cauchy-good", "lrc m=2 l=6".
std::string short_name(const Suggestions& suggestions, const Candidate& candidate);

/// Name that is unique among the suggestions: "cauchy-good w=4, packets".
std::string full_name(const Suggestions& suggestions, const Candidate& candidate);

/// The value with one decimal, without any from 100 on: "5.9", "120".
std::string figure_text(double value);

/// The value with two decimals, with one from 100 on: "3.25", "200.0".
std::string bytes_text(double value);

/// Sentences on the source of the speeds and their error.
std::string speed_source_text(const Suggestions& suggestions);

/// GB/s: three digits if measured, two if predicted; "-" for nullopt.
std::string speed_text(const Suggestions& suggestions, double speed);
std::string speed_text(const Suggestions& suggestions, const std::optional<double>& speed);

/// Instructions per byte of data.
double instructions_per_byte(const CandidateOperation& operation);

/// Multiplications for one vector of each chunk.
std::size_t multiplications(const CandidateOperation& operation);

/// "measured", "predicted for this machine", "predicted for an ordinary core".
const char* name_of(SpeedSource source);

}  // namespace xorloom::cli
