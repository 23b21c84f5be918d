#include "cli/choosing/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/choosing/suggested_specs.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"
#include "codes/tolerance.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {
namespace {

/// A code, and the proof that it survives `promised_losses` losses.
struct ProvedCode {
  Code code;
  Tolerance tolerance;
};

/// The code of `spec`. Throws kInvalidArgument if it has more than kMostSuggested chunks, or if its
/// promise is not proved. A proof may try at most kMostSetsTried sets of losses.
ProvedCode proved_code(const std::string& spec) {
  Code code = make_code(spec, {.allow_non_mds = true});
  if (code.locations > kMostSuggested) {
    fail(Status::kInvalidArgument,
         fmt::format("its {} chunks exceed the {} that codes are suggested for", code.locations,
                     kMostSuggested));
  }
  const double sets = sets_of(code, code.promised_losses);
  if (code.proof.empty() && sets > static_cast<double>(kMostSetsTried)) {
    fail(Status::kInvalidArgument,
         fmt::format("its proof would try {:.3g} sets of losses, more than the {} tried here", sets,
                     kMostSetsTried));
  }
  Tolerance tolerance = decide_tolerance(code, code.promised_losses);
  if (tolerance.answer != Tolerance::Answer::kProved) {
    fail(Status::kInvalidArgument, "not proved to survive: " + tolerance.reason);
  }
  return {std::move(code), std::move(tolerance)};
}

/// proved_code(). Also throws kInvalidArgument unless the code has `k` and `m`, and promises to
/// survive m losses.
ProvedCode fitting_code(const std::string& spec, std::size_t k, std::size_t m) {
  ProvedCode proved = proved_code(spec);
  const Code& code = proved.code;
  if (code.k == k && code.m == m && code.promised_losses == m) return proved;
  fail(Status::kInvalidArgument, fmt::format("it has k = {}, m = {} and promises to survive {}",
                                             code.k, code.m, code.promised_losses));
}

CandidateOperation operation_of(const Code& code, std::vector<std::size_t> lost,
                                const PlanOptions& plan) {
  const LinearMap map = lost.empty() ? encoding_map(code) : decoding_map(code, lost, {});
  PlanOptions options = lost.empty() ? for_encoding(plan) : plan;
  // Above this bound no XORs are shared, and direct ones are too long for machine code.
  if (code.arrangement == Arrangement::kPacket &&
      xors(direct_program(code, map)) > kQuicklyShared) {
    options.engine = Engine::kKernels;
  }
  return {std::move(lost), map.outputs.size(), explanation_of(code, map, options), {}};
}

Candidate candidate_of(const std::string& spec, ProvedCode proved, const PlanOptions& plan) {
  CandidateOperation encode = operation_of(proved.code, {}, plan);
  CandidateOperation decode = operation_of(proved.code, most_lost(proved.code), plan);
  Tradeoffs tradeoffs = tradeoffs_of(proved.code, proved.tolerance);
  return {spec, std::move(proved.code), std::move(encode), std::move(decode), std::move(tradeoffs)};
}

/// The ranked candidates, then the others.
std::vector<Candidate*> all_of(Suggestions& suggestions) {
  std::vector<Candidate*> all;
  for (Candidate& candidate : suggestions.candidates) all.push_back(&candidate);
  for (Candidate& candidate : suggestions.others) all.push_back(&candidate);
  return all;
}

void measure(Suggestions& suggestions, const Options& options) {
  const std::vector<Candidate*> all = all_of(suggestions);
  std::vector<MeasuredCode> codes;
  for (const Candidate* candidate : all) {
    const bool is_code = candidate->encode.explanation.engine == Engine::kCode ||
                         candidate->decode.explanation.engine == Engine::kCode;
    codes.push_back({candidate->code, is_code ? Engine::kAuto : Engine::kKernels});
  }
  suggestions.source = SpeedSource::kMeasured;
  suggestions.machine = kept_rates().cpu;
  if (codes.empty()) return;
  const std::vector<CodeSpeeds> speeds = measured_speeds(codes, options);
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    all[i]->encode.speed = speeds[i].encode;
    all[i]->decode.speed = speeds[i].decode;
  }
}

CodeSpeed predicted(const PlanExplanation& explanation, const MachineRates::Of* rates,
                    const CacheSizes& caches) {
  if (rates != nullptr) {
    const LevelSpeeds speeds = predicted_speeds(*rates, caches, explanation.work);
    return {speeds.l2, speeds.memory};
  }
  const auto speed = [&](Level level) {
    return gigabytes_per_second(explanation.work.data_bytes,
                                predicted_seconds(explanation.work.tile, level));
  };
  return {speed(Level::kL2), speed(Level::kMemory)};
}

/// Predicts all speeds: by the rates of this machine if they are kept for both words and packets,
/// else for an ordinary core.
void predict(Suggestions& suggestions) {
  const MachineRates kept = kept_rates();
  const MachineRates::Of* words = find_rates(kept, suggestions.isa, Arrangement::kWord);
  const MachineRates::Of* packets = find_rates(kept, suggestions.isa, Arrangement::kPacket);
  const bool is_measured = words != nullptr && packets != nullptr;
  if (!is_measured && words != nullptr) suggestions.measured_alone = Arrangement::kWord;
  if (!is_measured && packets != nullptr) suggestions.measured_alone = Arrangement::kPacket;
  suggestions.source = is_measured ? SpeedSource::kMachineRates : SpeedSource::kOrdinaryCore;
  if (is_measured) {
    suggestions.machine = kept.cpu;
    suggestions.rates = {*packets, *words};
  }
  for (Candidate* candidate : all_of(suggestions)) {
    const MachineRates::Of* rates = !is_measured                ? nullptr
                                    : is_words(candidate->code) ? words
                                                                : packets;
    for (CandidateOperation* operation : {&candidate->encode, &candidate->decode}) {
      operation->speed = predicted(operation->explanation, rates, kept.caches);
    }
  }
}

/// Ranks the operations `side` by speed in L2. The fastest without a rank shares the next rank with
/// all that are nearly as fast, since predictions and measurements are no more precise.
void rank(std::vector<Candidate>& candidates, CandidateOperation Candidate::*side) {
  std::vector<CandidateOperation*> order;
  for (Candidate& candidate : candidates) order.push_back(&(candidate.*side));
  std::ranges::stable_sort(order, std::greater(),
                           [](const CandidateOperation* one) { return one->speed.l2; });
  std::size_t first = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i]->speed.l2 < kNearlyAsFast * order[first]->speed.l2) first = i;
    order[i]->rank = first + 1;
  }
}

/// The code with the least `what`, the first of equals. Only codes count that survive any m losses
/// and store at most (k + m) / k bytes per byte of data. Null if there is none.
const Candidate* least_of(const Suggestions& suggestions, double Tradeoffs::*what) {
  const double most = static_cast<double>(suggestions.k + suggestions.m) /
                      static_cast<double>(suggestions.k) * (1 + 1e-9);
  const Candidate* chosen = nullptr;
  for (const std::vector<Candidate>* some : {&suggestions.candidates, &suggestions.others}) {
    for (const Candidate& candidate : *some) {
      if (candidate.tradeoffs.survives < suggestions.m || candidate.tradeoffs.stored > most)
        continue;
      if (chosen == nullptr || candidate.tradeoffs.*what < chosen->tradeoffs.*what) {
        chosen = &candidate;
      }
    }
  }
  return chosen;
}

}  // namespace

Suggestions suggest(std::size_t k, std::size_t m, const Options& options, bool measures) {
  if (k + m > kMostSuggested) {
    fail(Status::kInvalidArgument,
         fmt::format("k + m = {} exceeds the {} chunks that codes are suggested for", k + m,
                     kMostSuggested));
  }
  const PlanOptions plan = plan_options(options);
  Suggestions suggestions{k, m, plan.isa, SpeedSource::kOrdinaryCore, {}, {}, {}, {}, {}};
  const auto add = [&](std::vector<Candidate>& to, const std::string& spec, const auto& make) {
    try {
      to.push_back(candidate_of(spec, make(), plan));
    } catch (const Error& error) {
      if (error.kind() != Status::kInvalidArgument && error.kind() != Status::kUnsupported) throw;
      suggestions.skipped.push_back({spec, in_program_words(error.what())});
    }
  };
  for (const Family* family : families()) {
    for (const std::string& spec : specs_of_size(*family, k, m)) {
      add(suggestions.candidates, spec, [&] { return fitting_code(spec, k, m); });
    }
  }
  for (const std::string& spec : other_specs(k, m)) {
    add(suggestions.others, spec, [&] { return proved_code(spec); });
  }
  measures ? measure(suggestions, options) : predict(suggestions);
  std::ranges::stable_sort(suggestions.candidates, [](const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& candidate) {
      return std::tuple(-candidate.encode.speed.l2, -candidate.decode.speed.l2,
                        instructions_per_byte(candidate.encode));
    };
    return key(a) < key(b);
  });
  rank(suggestions.candidates, &Candidate::encode);
  rank(suggestions.candidates, &Candidate::decode);
  return suggestions;
}

Recommendation recommendation(const Suggestions& suggestions) {
  using Side = CandidateOperation Candidate::*;
  const auto best = [&](Side first, Side second, bool on_words) {
    const auto fits = [&](const Candidate& candidate) {
      return !on_words || candidate.code.arrangement == Arrangement::kWord;
    };
    double fastest = 0;
    for (const Candidate& candidate : suggestions.candidates) {
      if (fits(candidate)) fastest = std::max(fastest, (candidate.*first).speed.l2);
    }
    const auto is_nearly_first = [&](const Candidate& candidate) {
      return fits(candidate) && (candidate.*first).speed.l2 >= kNearlyAsFast * fastest;
    };
    double second_fastest = 0;
    for (const Candidate& candidate : suggestions.candidates) {
      if (!is_nearly_first(candidate)) continue;
      second_fastest = std::max(second_fastest, (candidate.*second).speed.l2);
    }
    const auto instructions = [](const Candidate& candidate) {
      return instructions_per_byte(candidate.encode) + instructions_per_byte(candidate.decode);
    };
    const Candidate* chosen = nullptr;
    for (const Candidate& candidate : suggestions.candidates) {
      const bool is_nearly_second = (candidate.*second).speed.l2 >= kNearlyAsFast * second_fastest;
      if (!is_nearly_first(candidate) || !is_nearly_second) continue;
      if (chosen == nullptr || instructions(candidate) < instructions(*chosen)) {
        chosen = &candidate;
      }
    }
    return chosen;
  };
  return {best(&Candidate::encode, &Candidate::decode, false),
          best(&Candidate::decode, &Candidate::encode, false),
          best(&Candidate::encode, &Candidate::decode, true),
          least_of(suggestions, &Tradeoffs::repair_reads),
          least_of(suggestions, &Tradeoffs::cells_changed)};
}

std::string short_name(const Suggestions& suggestions, const Candidate& candidate) {
  const Code& code = candidate.code;
  std::string name = code.family;
  for (const std::string_view pair :
       split(std::string_view(code.spec).substr(name.size() + 1), ',')) {
    const std::string_view key = pair.substr(0, pair.find('='));
    const bool is_told = std::string_view("lcdrv").find(key) != std::string_view::npos;
    if (is_told || (key == "m" && code.m != suggestions.m)) name += fmt::format(" {}", pair);
  }
  return name;
}

std::string full_name(const Suggestions& suggestions, const Candidate& candidate) {
  return fmt::format("{} w={}, {}", short_name(suggestions, candidate), candidate.code.w,
                     is_words(candidate.code) ? "words" : "packets");
}

std::string figure_text(double value) {
  return fmt::format("{:.{}f}", value, value >= 100 ? 0 : 1);
}

std::string bytes_text(double value) { return fmt::format("{:.{}f}", value, value >= 100 ? 1 : 2); }

std::string speed_source_text(const Suggestions& suggestions) {
  switch (suggestions.source) {
    case SpeedSource::kMeasured:
      return fmt::format(
          "Speeds were measured now on this machine ({}). Every byte was compared before.",
          suggestions.machine);
    case SpeedSource::kMachineRates:
      return fmt::format(
          "Speeds are predicted from counts and from rates that were measured on this machine "
          "({}); --measure measures the codes themselves. {}",
          suggestions.machine, prediction_error_text(suggestions.rates, false));
    case SpeedSource::kOrdinaryCore:
      break;
  }
  return "Speeds are predicted from counts; --measure measures them here. " +
         prediction_error_text(std::nullopt);
}

std::string speed_text(const Suggestions& suggestions, double speed) {
  return suggestions.source == SpeedSource::kMeasured ? short_number(speed) : rough_number(speed);
}

std::string speed_text(const Suggestions& suggestions, const std::optional<double>& speed) {
  return speed ? speed_text(suggestions, *speed) : "-";
}

double instructions_per_byte(const CandidateOperation& operation) {
  const PlanExplanation& explanation = operation.explanation;
  return static_cast<double>(explanation.work.tile.instructions) /
         static_cast<double>(explanation.work.data_bytes);
}

std::size_t multiplications(const CandidateOperation& operation) {
  // A tile may have several vectors of a cell, two with machine code: scale to one.
  const TileCounts& tile = operation.explanation.work.tile;
  return tile.multiplications * operation.cells / std::max<std::size_t>(1, tile.vectors_written);
}

const char* name_of(SpeedSource source) {
  return source == SpeedSource::kMeasured       ? "measured"
         : source == SpeedSource::kMachineRates ? "predicted for this machine"
                                                : "predicted for an ordinary core";
}

}  // namespace xorloom::cli
