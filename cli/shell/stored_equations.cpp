#include "cli/shell/stored_equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/field/field.hpp"
#include "codes/spec.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
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
    refuse(fmt::format("the equations are of {} of {}, not {} of {}",
                       counted(program.locations, "location"), counted(program.rows, "row"),
                       asked.locations, asked.rows));
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
    refuse("the equations have no plan for " + counted(question.cores, "core"));
  }
  EquationFile result = proved_answer(question, std::move(file.program));
  result.plan = std::move(file.plan);
  result.plan_cost = file.plan_cost;
  // A search of a bounded depth says nothing of what one without it would find.
  if (file.search && file.search->depth == 0) result.search = std::move(file.search);
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

}  // namespace

bool StorePlaces::has_directory() const {
  return !place.empty() && place != Store::kUser && place != Store::kOff;
}

bool StorePlaces::are_named() const { return has_directory() || !file.empty(); }

std::optional<StoredEquations> stored_equations(const StorePlaces& places,
                                                const StoreQuestion& question,
                                                bool* is_file_of_use) {
  std::optional<StoredEquations> best;
  const auto offer = [&](std::optional<EquationFile> file, const std::string& from) {
    if (!file || (best && !is_better(*file, best->file, question))) return;
    best = {*std::move(file), from};
  };
  const bool has_directory = places.has_directory();
  if (has_directory) {
    std::error_code error;
    const fs::file_status status = fs::status(places.place, error);
    if (fs::is_regular_file(status) || error == std::errc::filename_too_long) {
      fail(Status::kInvalidArgument, "{} cannot be a store: {}", excerpt(places.place),
           error ? error.message() : "it is not a directory");
    }
    if (!question.gates) offer(library_file(places.place, question), places.place);
  }
  // Libraries of 0.2.0 and files hold few XORs; a search for few gates begins with them.
  if (!places.file.empty() && !question.gates) {
    std::optional<EquationFile> file = named_file(places.file, question);
    if (is_file_of_use != nullptr) *is_file_of_use = file.has_value();
    offer(std::move(file), places.file);
  }
  if (auto kept = best_equations(Store(places.place),
                                 has_directory ? places.place : "an earlier search", question)) {
    offer(std::move(kept->file), kept->from);
  }
  return best;
}

}  // namespace xorloom::cli
