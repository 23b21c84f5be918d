#include "runtime/store/best_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {
namespace {

using Offer = std::function<void(std::optional<EquationFile>, const std::string&)>;

/// Renames the elements of a plan of `before` to those of `after`. Shape: both programs have the
/// same equations in the same order, with two operands for each step.
CoreSchedule plan_of_renamed(const CoreSchedule& plan, const Program& before,
                             const Program& after) {
  std::map<Element, std::size_t> equation_of;
  for (std::size_t e = 0; e < before.equations.size(); ++e) {
    equation_of[before.equations[e].target] = e;
  }
  CoreSchedule result{plan.cores, {}};
  for (const CoreStep& step : plan.steps) {
    const Equation& equation = after.equations[equation_of.at(step.target)];
    result.steps.push_back({step.core,
                            step.step,
                            equation.target,
                            {equation.operands[0].element, equation.operands[1].element}});
  }
  return result;
}

/// Proved equations of a record; nullopt if they do not answer the question.
std::optional<EquationFile> answer_of(const StoreQuestion& question, FewXors found) try {
  const Program& direct = question.direct;
  if (found.program.inputs.size() != direct.inputs.size() ||
      found.program.outputs.size() != direct.outputs.size()) {
    return std::nullopt;
  }
  const Program bare = found.program;
  EquationFile file = proved_answer(question, placed_like(std::move(found.program), direct));
  if (question.cores != 0) {
    if (!found.plan || found.plan->cores != question.cores) return std::nullopt;
    CoreSchedule plan = plan_of_renamed(*found.plan, bare, file.program);
    check_core_schedule(file.program, plan);
    set_plan(file, std::move(plan));
  }
  file.search = std::move(found.search);
  return file;
} catch (const Error&) {
  return std::nullopt;
}

/// Passes to `offer` the equations that were searched for machine code. Their search record is
/// dropped, as it says nothing about a search for few XORs.
void offer_machine_programs(const Store& store, const std::string& from,
                            const StoreQuestion& question, std::uint64_t map, const Offer& offer) {
  if (question.cores != 0 || !question.direct.is_xor()) return;
  for (const std::uint32_t operands : {2U, 3U}) {
    auto found = store.find({map, operands}, Effort::kFast);
    if (!found) continue;
    auto answer = answer_of(question, {std::move(found->equations), {}, {}});
    if (answer) answer->search.reset();
    offer(std::move(answer), from);
  }
}

/// Like kAsNormalSteps, in seconds.
constexpr std::size_t kAsNormalSeconds = 5;

/// True if `spent` is at least the effort `asked` for. Only fast searches ignore the seed.
bool is_enough(const SearchRecord& spent, const SearchRecord& asked) {
  const bool was_max = spent.effort == "max";
  if (asked.effort == "fast") return true;
  if (spent.seed != asked.seed) return false;
  if (asked.effort == "normal") {
    return spent.effort == "normal" || (was_max && (spent.steps.value_or(0) >= kAsNormalSteps ||
                                                    spent.seconds.value_or(0) >= kAsNormalSeconds));
  }
  return was_max && ((asked.steps && spent.steps >= asked.steps) ||
                     (asked.seconds && spent.seconds >= asked.seconds));
}

/// True if reads are minimised and `kept` has more costly reads than a search would give.
bool reads_too_much(const EquationFile& kept, const StoreQuestion& question) {
  return question.request.reads_least &&
         cost_of_reads(*question.code, question.request, kept.program) >
             cost_of_reads(*question.code, question.request, question.direct);
}

/// Length of a search, in moves of a search that takes moves one by one.
std::size_t moves_of(const SearchRecord& search) {
  if (search.effort == "normal") return kAsNormalSteps;
  return std::max(search.steps.value_or(0),
                  search.seconds.value_or(0) * (kAsNormalSteps / kAsNormalSeconds));
}

}  // namespace

EquationFile proved_answer(const StoreQuestion& question, Program program) {
  return question.code != nullptr
             ? proved_equations(*question.code, std::move(program), "iterative")
             : proved_equations(question.direct, std::move(program));
}

bool is_better(const EquationFile& equations, const EquationFile& others,
               const StoreQuestion& question) {
  const auto rank = [&](const EquationFile& file) {
    const bool has_reads = question.code != nullptr && question.request.reads_least;
    const std::uint64_t reads =
        has_reads ? cost_of_reads(*question.code, question.request, file.program) : 0;
    const GateRank gates =
        question.gates ? gate_rank(file.program, question.gates->prices, question.gates->levels)
                       : GateRank{};
    return std::tuple(reads, file.plan ? makespan(*file.plan) : 0, gates, xors(file.program));
  };
  return rank(equations) < rank(others);
}

std::optional<StoredEquations> best_equations(const Store& store, const std::string& own,
                                              const StoreQuestion& question) {
  const std::optional<ProgramKey> key =
      few_xors_key(question.direct, question.cores, question.gates);
  if (!key || !store.is_on()) return std::nullopt;
  std::optional<StoredEquations> best;
  const auto offer = [&](std::optional<EquationFile> file, const std::string& from) {
    if (!file || (best && !is_better(*file, best->file, question))) return;
    best = {*std::move(file), from};
  };
  const auto offer_few = [&](std::optional<FewXors> found, const std::string& from) {
    if (found) offer(answer_of(question, *std::move(found)), from);
  };
  offer_few(store.own_few_xors(*key, question.direct.field), own);
  offer_few(store.shipped_few_xors(*key, question.direct.field), "the library");
  offer_machine_programs(Store(""), "the library", question, key->map, offer);
  offer_machine_programs(store, own, question, key->map, offer);
  return best;
}

bool are_enough(const EquationFile& kept, const SearchRecord& asked,
                const StoreQuestion& question) {
  const bool is_least = kept.program.is_xor() && question.cores == 0 && !question.gates &&
                        question.request.erased.empty() &&
                        xors(kept.program) <= lower_bound(evaluate_symbolically(kept.program));
  return is_least ||
         (kept.search && is_enough(*kept.search, asked) && !reads_too_much(kept, question));
}

EquationFile better_of(EquationFile stored, EquationFile found, const StoreQuestion& question) {
  const bool is_best = is_better(found, stored, question);
  const bool was_more = stored.search && moves_of(*stored.search) >= moves_of(*found.search);
  const std::optional<SearchRecord> record = was_more ? stored.search : found.search;
  EquationFile& best = is_best ? found : stored;
  best.search = record;
  return std::move(best);
}

std::optional<std::string> keep_equations(const Store& store, const StoreQuestion& question,
                                          const EquationFile& equations) {
  const std::optional<ProgramKey> key =
      few_xors_key(question.direct, question.cores, question.gates);
  // Equations that read other survivors compute another map than that of the key.
  const bool is_same_map =
      std::ranges::is_permutation(equations.program.inputs, question.direct.inputs);
  if (!key || !is_same_map || store.directory().empty()) return std::nullopt;
  FewXors few{without_places(equations.program), {}, equations.search.value_or(SearchRecord{})};
  if (equations.plan) {
    if (std::ranges::any_of(few.program.equations,
                            [](const Equation& each) { return each.operands.size() > 2; })) {
      return std::nullopt;
    }
    few.plan = plan_of_renamed(*equations.plan, equations.program, few.program);
  }
  const std::string path = store.path_of(*key).string();
  std::string sentence = "kept in " + path;
  if (std::optional<FewXors> there = store.own_few_xors(*key, question.direct.field)) {
    const std::optional<EquationFile> answer = answer_of(question, *std::move(there));
    if (answer && !is_better(equations, *answer, question)) {
      sentence = path + " already has some as good";
      // Only a longer search is news; and another process may have stored better ones since.
      const bool is_known = answer->search == few.search;
      if (is_known || is_better(*answer, equations, question)) return sentence;
    }
  }
  if (store.keep(*key, few)) return sentence;
  return fmt::format("not kept: {} cannot be written", excerpt(store.directory().string()));
}

}  // namespace xorloom
