#include "cli/shell/stored_equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>
#include <system_error>
#include <tuple>
#include <utility>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/field/field.hpp"
#include "codes/spec.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/store/store.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;

/// Longest file name before ".json": readable, and short enough for every file system.
constexpr std::size_t kLongestName = 120;

std::string hash_of(std::string_view text) {
  return fmt::format("{:016x}", checksum(bytes_of(text)));
}

/// The keys of a spec on which equations depend, default values left out:
/// "cauchy-good_k=10_m=4_w=8".
std::string name_of(const Code& code) {
  const Spec spec(code.spec);
  std::string name = spec.family();
  if (!spec.text().empty()) return name + "_" + hash_of(spec_without_packets(code));
  const std::string usual_poly = fmt::format("{:#x}", default_polynomial(code.field.w()));
  for (const auto& [key, value] : spec.values()) {
    if (key == "packet_bytes" || (key == "poly" && value == usual_poly)) continue;
    name += fmt::format("_{}={}", key, value);
  }
  return name;
}

/// Text of the whole matrix, to be hashed.
std::string matrix_text(const BitMatrix& matrix) {
  std::string text;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    text += fmt::format(" {}", fmt::join(matrix.ones(row), ","));
  }
  return text;
}
std::string matrix_text(const Field& field, const Matrix& matrix) {
  std::string text = fmt::format(" {} {:#x}", field.w(), field.polynomial());
  if (!field.basis().empty()) text += fmt::format(" {}", fmt::join(field.basis(), "+"));
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    text += fmt::format(" {}", fmt::join(matrix.row(row), ","));
  }
  return text;
}

std::string list_suffix(const char* key, std::vector<std::size_t> numbers) {
  if (numbers.empty()) return {};
  std::ranges::sort(numbers);
  std::string list = short_list(numbers);
  std::ranges::replace(list, ',', '+');
  return fmt::format("_{}={}", key, list);
}

std::string cores_suffix(std::size_t cores) {
  return cores == 0 ? "" : fmt::format("_cores={}", cores);
}

/// File name for `name`; if it is too long, a hash of it replaces its end.
std::string file_name(std::string name) {
  if (name.size() > kLongestName) {
    const std::string hash = hash_of(name);
    name.resize(kLongestName - hash.size() - 1);
    name += "_" + hash;
  }
  return name + ".json";
}

[[noreturn]] void refuse(const std::string& why) { fail(Status::kParse, why); }

/// Throws kParse unless `program` answers `question`.
void check_asked(const Program& program, const StoreQuestion& question) {
  const Program& asked = question.direct;
  if (program.locations != asked.locations || program.rows != asked.rows) {
    refuse(fmt::format("the equations are of {} locations of {} rows, not {} of {}",
                       program.locations, program.rows, asked.locations, asked.rows));
  }
  if (program.outputs != asked.outputs || program.virtuals != asked.virtuals) {
    refuse("the equations compute something other than was asked for");
  }
  // A rebuild may read any survivors; the search chose those that took the fewest XORs.
  const std::vector<std::size_t>& lost = question.request.erased;
  if (lost.empty() && program.inputs != asked.inputs) {
    refuse("the equations read something other than their inputs");
  }
  for (const Element input : program.inputs) {
    if (std::ranges::find(lost, input / program.rows) != lost.end()) {
      refuse(fmt::format("the equations read element {} of a lost location", input));
    }
  }
  if (question.code != nullptr) {
    if (const auto sentence = find_disagreement(program, *question.code)) {
      refuse(
          fmt::format("the equations are not those of {}: {}", question.code->name(), *sentence));
    }
  } else if (const auto sentence = find_disagreement(program, question.direct)) {
    refuse(fmt::format("the equations are not those of the matrix: {}", *sentence));
  }
}

EquationFile read_answer(const std::string& text, const StoreQuestion& question) {
  EquationFile file = read_equations(text, question.code);
  check_asked(file.program, question);
  if (question.cores == 0) {
    file.plan.reset();
    file.plan_cost.reset();
  }
  if (question.cores != 0 && (!file.plan || file.plan->cores != question.cores)) {
    refuse(fmt::format("the equations have no plan for {} cores", question.cores));
  }
  EquationFile result = question.code != nullptr
                            ? proved_equations(*question.code, std::move(file.program), "iterative")
                            : proved_equations(question.direct, std::move(file.program));
  result.plan = std::move(file.plan);
  result.plan_cost = file.plan_cost;
  result.search = std::move(file.search);
  return result;
}

/// Name of the file for a question in a library of version 0.2.0.
std::string library_name(const StoreQuestion& question) {
  if (question.code == nullptr) {
    const Program& direct = question.direct;
    std::string text = fmt::format("{} {} {} {}", direct.locations, direct.rows,
                                   fmt::join(direct.inputs, ","), fmt::join(direct.outputs, ","));
    text += direct.is_xor() ? matrix_text(evaluate_symbolically(direct))
                            : matrix_text(direct.field, coefficients_of(direct));
    const std::string name =
        fmt::format("matrix_{}x{}_{}", direct.outputs.size(), direct.inputs.size(), hash_of(text));
    return file_name(name + cores_suffix(question.cores));
  }
  const Request& request = question.request;
  std::string name = name_of(*question.code) + list_suffix("erase", request.erased) +
                     list_suffix("want", request.wanted) + list_suffix("update", request.updated) +
                     list_suffix("rows", request.rows);
  if (request.over == Over::kSymbols) name += "_over=symbols";
  if (request.reads_least) name += "_reads=min";
  if (!request.read_costs.empty()) {
    name += fmt::format("_read-cost={}", fmt::join(request.read_costs, "+"));
  }
  return file_name(name + cores_suffix(question.cores));
}

EquationFile proved_answer(const StoreQuestion& question, Program program) {
  return question.code != nullptr
             ? proved_equations(*question.code, std::move(program), "iterative")
             : proved_equations(question.direct, std::move(program));
}

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

/// Keeps the best of the equations that stores offer.
class Best {
 public:
  explicit Best(const StoreQuestion& question) : question_(question) {}

  void offer(std::optional<EquationFile> file, const std::string& from) {
    if (!file || (best_ && !is_better(*file, best_->file, question_))) return;
    best_ = {*std::move(file), from};
  }

  std::optional<StoredEquations> take() { return std::move(best_); }

 private:
  const StoreQuestion& question_;
  std::optional<StoredEquations> best_;
};

/// Offers the equations that were searched for machine code. Their search record is dropped, as it
/// says nothing about a search for few XORs.
void offer_machine_programs(const Store& store, const std::string& from,
                            const StoreQuestion& question, std::uint64_t map, Best& best) {
  if (question.cores != 0 || !question.direct.is_xor()) return;
  for (const std::uint32_t operands : {2U, 3U}) {
    auto found = store.find({map, operands}, Effort::kFast);
    if (!found) continue;
    auto answer = answer_of(question, {std::move(found->equations), {}, {}});
    if (answer) answer->search.reset();
    best.offer(std::move(answer), from);
  }
}

/// Equations for `question` in a library directory of version 0.2.0 (--library), found by file
/// name.
std::optional<EquationFile> library_file(const fs::path& directory, const StoreQuestion& question) {
  const fs::path path = directory / library_name(question);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  if (!fs::is_regular_file(path, ignored)) {
    fail(Status::kInvalidArgument, "{} holds no equations: it is not a regular file",
         path.string());
  }
  return parsed(path.string(),
                [&](const std::string& text) { return read_answer(text, question); });
}

/// Equations for `question` in a file that the user named: an atlas or equations.
std::optional<EquationFile> named_file(const std::string& path, const StoreQuestion& question) {
  if (is_atlas(path)) {
    const Atlas atlas(path);
    const bool is_whole = question.request.wanted.empty() && question.request.rows.empty() &&
                          question.request.updated.empty() && !question.request.reads_least;
    if (question.code == nullptr || !is_whole || question.cores != 0) return std::nullopt;
    atlas.check_code(*question.code);
    std::optional<Program> program = atlas.program(*question.code, question.request.erased);
    if (!program || program->is_xor() != question.direct.is_xor()) return std::nullopt;
    return proved_answer(question, *std::move(program));
  }
  return parsed(path, [&](const std::string& text) -> std::optional<EquationFile> {
    const EquationFile file = read_equations(text, question.code);
    if (file.program.outputs != question.direct.outputs) return std::nullopt;
    if (question.cores != 0 && (!file.plan || file.plan->cores != question.cores)) {
      return std::nullopt;
    }
    return read_answer(text, question);
  });
}

/// Creates `directory` if needed; throws kInvalidArgument if that fails or it is no directory.
void open_directory(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) fs::create_directory(directory, error);
  std::error_code ignored;
  if (fs::is_directory(directory, ignored)) return;
  fail(Status::kInvalidArgument, "{} cannot be a store: {}", quoted_path(directory, error.value()),
       error ? error.message() : "it is not a directory");
}

/// True if `place` is a directory that the user named.
bool is_named(const std::string& place) {
  return !place.empty() && place != Store::kUser && place != Store::kOff;
}

}  // namespace

bool StorePlaces::are_named() const { return is_named(place) || !file.empty(); }

std::optional<StoredEquations> stored_equations(const StorePlaces& places,
                                                const StoreQuestion& question) {
  Best best(question);
  const Store store(places.place);
  const std::string own = is_named(places.place) ? places.place : "an earlier search";
  if (is_named(places.place)) {
    open_directory(places.place);
    best.offer(library_file(places.place, question), places.place);
  }
  if (!places.file.empty()) best.offer(named_file(places.file, question), places.file);
  const std::optional<ProgramKey> key = few_xors_key(question.direct, question.cores);
  if (key && store.is_on()) {
    const auto offer = [&](std::optional<FewXors> found, const std::string& from) {
      if (found) best.offer(answer_of(question, *std::move(found)), from);
    };
    offer(store.own_few_xors(*key, question.direct.field), own);
    offer(store.shipped_few_xors(*key, question.direct.field), "the library");
    offer_machine_programs(Store(""), "the library", question, key->map, best);
    offer_machine_programs(store, own, question, key->map, best);
  }
  return best.take();
}

bool is_better(const EquationFile& equations, const EquationFile& others,
               const StoreQuestion& question) {
  const auto rank = [&](const EquationFile& file) {
    const bool has_reads = question.code != nullptr && question.request.reads_least;
    const std::uint64_t reads =
        has_reads ? cost_of_reads(*question.code, question.request, file.program) : 0;
    return std::tuple(reads, file.plan ? makespan(*file.plan) : 0, xors(file.program));
  };
  return rank(equations) < rank(others);
}

std::optional<std::string> keep_equations(const StorePlaces& places, const StoreQuestion& question,
                                          const EquationFile& equations) {
  const Store store(places.place);
  const std::optional<ProgramKey> key = few_xors_key(question.direct, question.cores);
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
  const std::string kept = fmt::format("kept in {}", store.path_of(*key).string());
  // Another process may have stored better ones since.
  if (std::optional<FewXors> there = store.own_few_xors(*key, question.direct.field)) {
    const std::optional<EquationFile> answer = answer_of(question, *std::move(there));
    if (answer && is_better(*answer, equations, question)) return kept;
  }
  return store.keep(*key, few) ? std::optional(kept) : std::nullopt;
}

}  // namespace xorloom::cli
