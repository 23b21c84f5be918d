#include "cli/commands/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/measuring/machine_rates.hpp"
#include "cli/shell/running.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kWidestPackets = 8;  // bits of a symbol on packets; more take more XORs

/// The fewest bits whose field has k + m elements, at least 2, and the usual ones above.
std::vector<std::size_t> widths_for(std::size_t chunks) {
  std::vector<std::size_t> widths{2};
  while ((std::size_t{1} << widths.front()) < chunks) ++widths.front();
  for (const std::size_t usual : {std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
    if (usual > widths.front()) widths.push_back(usual);
  }
  return widths;
}

/// Whether k and m are all that a family needs to be told: others trade them for something else.
bool is_told_by_size(const Family& family) {
  return std::ranges::none_of(std::array{"c", "l", "d", "r"},
                              [&](const char* key) { return family.has_key(key); }) &&
         family.name != "file";
}

/// The specs of a family that k and m allow, others left to make_code to refuse.
std::vector<std::string> specs_of(const Family& family, std::size_t k, std::size_t m) {
  if (!is_told_by_size(family)) return {};
  // Where m is no key it is always the same.
  if (!family.has_key("m") && make_code(family.example).m != m) return {};
  std::string begin(family.name);
  char separator = ':';
  const auto add = [&](std::string_view key, std::size_t value) {
    if (!family.has_key(key)) return;
    begin += fmt::format("{}{}={}", separator, key, value);
    separator = ',';
  };
  add("k", k);
  add("m", m);
  if (!family.has_key("k")) add("p", k + 2);
  const bool has_words = family.has_key("arrangement");
  std::vector<std::string> specs;
  const auto add_arrangements = [&](const std::string& spec, std::size_t w) {
    const bool is_word_wide = w == 4 || w == 8 || w == 16;
    if (!has_words || is_word_wide) specs.push_back(spec);
    if (has_words && w <= kWidestPackets) specs.push_back(spec + ",arrangement=packet");
  };
  if (!family.has_key("poly")) {  // w, if it is a key, follows from k
    add_arrangements(begin, 8);
    return specs;
  }
  for (const std::size_t w : widths_for(k + m)) {
    if (has_words || w <= kWidestPackets) {
      add_arrangements(fmt::format("{}{}w={}", begin, separator, w), w);
    }
  }
  return specs;
}

double sets_of_losses(std::size_t chunks, std::size_t lost) {
  double sets = 1;
  for (std::size_t i = 0; i < lost; ++i) {
    sets = sets * static_cast<double>(chunks - i) / static_cast<double>(i + 1);
  }
  return sets;
}

/// The code, if it has k and m and is proved to survive the loss of any m.
Code fitting_code(const std::string& spec, std::size_t k, std::size_t m) {
  Code code = make_code(spec, {.allow_non_mds = true});
  if (code.k != k || code.m != m || code.promised_losses != m) {
    fail(Status::kInvalidArgument, fmt::format("it has k = {}, m = {} and promises to survive {}",
                                               code.k, code.m, code.promised_losses));
  }
  const double sets = sets_of_losses(code.locations, m);
  if (code.proof.empty() && sets > static_cast<double>(kMostSetsTried)) {
    fail(Status::kInvalidArgument,
         fmt::format("its proof would try {:.3g} sets of losses, more than the {} tried here", sets,
                     kMostSetsTried));
  }
  const Tolerance tolerance = decide_tolerance(code, m);
  if (tolerance.answer != Tolerance::Answer::kProved) {
    fail(Status::kInvalidArgument, "not proved to survive: " + tolerance.reason);
  }
  return code;
}

CandidateOperation operation_of(const Code& code, std::vector<std::size_t> lost,
                                const PlanOptions& plan) {
  const LinearMap map = lost.empty() ? encoding_map(code) : decoding_map(code, lost, {});
  PlanOptions options = lost.empty() ? for_encoding(plan) : plan;
  // What stays direct is too long for machine code, which need not be tried.
  if (code.arrangement == Arrangement::kPacket &&
      xors(direct_program(code, map)) > kQuicklyShared) {
    options.engine = Engine::kKernels;
  }
  return {std::move(lost), map.outputs.size(), explanation_of(code, map, options), {}};
}

Candidate candidate_of(Code code, const PlanOptions& plan) {
  CandidateOperation encode = operation_of(code, {}, plan);
  CandidateOperation decode = operation_of(code, most_lost(code), plan);
  return {std::move(code), std::move(encode), std::move(decode)};
}

void measure(Suggestions& suggestions) {
  std::vector<MeasuredCode> codes;
  for (const Candidate& candidate : suggestions.candidates) {
    const bool is_code = candidate.encode.explanation.engine == Engine::kCode ||
                         candidate.decode.explanation.engine == Engine::kCode;
    codes.push_back({candidate.code, is_code ? Engine::kAuto : Engine::kKernels});
  }
  if (codes.empty()) return;
  const std::vector<CodeSpeeds> speeds = measured_speeds(codes, suggestions.isa);
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    suggestions.candidates[i].encode.speed = speeds[i].encode;
    suggestions.candidates[i].decode.speed = speeds[i].decode;
  }
}

CodeSpeed predicted(const PlanExplanation& explanation, const MachineRates::Of* rates) {
  if (rates != nullptr) {
    const auto speeds = predicted_speeds(*rates, {explanation.tile, explanation.data_bytes});
    if (speeds) return {speeds->l2, speeds->memory};
  }
  const auto speed = [&](Level level) {
    return gigabytes_per_second(explanation.data_bytes, predicted_seconds(explanation.tile, level));
  };
  return {speed(Level::kL2), speed(Level::kMemory)};
}

/// By the rates of this machine if it was measured before, for words and for packets alike.
void predict(Suggestions& suggestions) {
  const MachineRates kept = kept_rates();
  const MachineRates::Of* words = find_rates(kept, suggestions.isa, Arrangement::kWord);
  const MachineRates::Of* packets = find_rates(kept, suggestions.isa, Arrangement::kPacket);
  const bool is_measured = words != nullptr && packets != nullptr;
  suggestions.source = is_measured ? SpeedSource::kMachineRates : SpeedSource::kOrdinaryCore;
  for (Candidate& candidate : suggestions.candidates) {
    const MachineRates::Of* rates = !is_measured                                       ? nullptr
                                    : candidate.code.arrangement == Arrangement::kWord ? words
                                                                                       : packets;
    for (CandidateOperation* operation : {&candidate.encode, &candidate.decode}) {
      operation->speed = predicted(operation->explanation, rates);
    }
  }
}

}  // namespace

Suggestions suggest(std::size_t k, std::size_t m, Isa isa, bool measures) {
  if (k + m > kMostSuggested) {
    fail(Status::kInvalidArgument,
         fmt::format("k + m = {} exceeds the {} chunks that codes are suggested for", k + m,
                     kMostSuggested));
  }
  Suggestions suggestions{k, m, isa, SpeedSource::kMeasured, {}, {}};
  Options options;
  options.isa = isa;
  const PlanOptions plan = plan_options(options);
  for (const Family* family : families()) {
    for (const std::string& spec : specs_of(*family, k, m)) {
      try {
        suggestions.candidates.push_back(candidate_of(fitting_code(spec, k, m), plan));
      } catch (const Error& error) {
        if (error.kind() != Status::kInvalidArgument && error.kind() != Status::kUnsupported) throw;
        suggestions.skipped.push_back({spec, error.what()});
      }
    }
  }
  measures ? measure(suggestions) : predict(suggestions);
  std::ranges::stable_sort(suggestions.candidates, [](const Candidate& a, const Candidate& b) {
    return std::pair(a.encode.speed.l2, a.decode.speed.l2) >
           std::pair(b.encode.speed.l2, b.decode.speed.l2);
  });
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
    const Candidate* chosen = nullptr;
    for (const Candidate& candidate : suggestions.candidates) {
      if (!fits(candidate) || (candidate.*first).speed.l2 < kNearlyAsFast * fastest) continue;
      if (chosen == nullptr || (candidate.*second).speed.l2 > (chosen->*second).speed.l2) {
        chosen = &candidate;
      }
    }
    return chosen;
  };
  return {best(&Candidate::encode, &Candidate::decode, false),
          best(&Candidate::decode, &Candidate::encode, false),
          best(&Candidate::encode, &Candidate::decode, true)};
}

}  // namespace xorloom::cli
