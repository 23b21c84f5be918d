#include "cli/shell/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <span>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/field/field.hpp"
#include "codes/spec.hpp"
#include "codes/text/error.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/atlas/atlas_header.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/output_file.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;

/// Names that people can still read, and every file system takes.
constexpr std::size_t kLongestName = 120;

/// How long another program is waited for that keeps something, which takes it milliseconds.
constexpr std::chrono::milliseconds kBetweenTries{20};
constexpr int kTries = 100;

std::string hash_of(std::string_view text) {
  return fmt::format("{:016x}", checksum(bytes_of(text)));
}

/// "cauchy-good_k=10_m=4_w=8": what equations depend on of a code's spec, usual values left out.
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

/// All of a matrix, for a checksum.
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

/// The name as a file's, its end replaced by a checksum of all of it if it is too long.
std::string file_name(std::string name) {
  if (name.size() > kLongestName) {
    const std::string hash = hash_of(name);
    name.resize(kLongestName - hash.size() - 1);
    name += "_" + hash;
  }
  return name + ".json";
}

[[noreturn]] void refuse(const std::string& why) { fail(Status::kParse, why); }

/// Throws kParse unless a program is one that an entry asks for.
void check_asked(const Program& program, const LibraryEntry& entry) {
  const Program& asked = entry.direct;
  if (program.locations != asked.locations || program.rows != asked.rows) {
    refuse(fmt::format("the equations are of {} locations of {} rows, not {} of {}",
                       program.locations, program.rows, asked.locations, asked.rows));
  }
  if (program.outputs != asked.outputs || program.virtuals != asked.virtuals) {
    refuse("the equations compute something other than was asked for");
  }
  // What rebuilds may read any survivors, and which took the fewest XORs is known only afterwards.
  const std::vector<std::size_t>& lost = entry.request.erased;
  if (lost.empty() && program.inputs != asked.inputs) {
    refuse("the equations read something other than their inputs");
  }
  for (const Element input : program.inputs) {
    if (std::ranges::find(lost, input / program.rows) != lost.end()) {
      refuse(fmt::format("the equations read element {} of a lost location", input));
    }
  }
  if (entry.code != nullptr) {
    if (const auto sentence = find_disagreement(program, *entry.code)) {
      refuse(fmt::format("the equations are not those of {}: {}", entry.code->name(), *sentence));
    }
  } else if (const auto sentence = find_disagreement(program, entry.direct)) {
    refuse(fmt::format("the equations are not those of the matrix: {}", *sentence));
  }
}

EquationFile read_entry(const std::string& text, const LibraryEntry& entry) {
  EquationFile file = read_equations(text, entry.code);
  check_asked(file.program, entry);
  if (entry.cores == 0) {
    file.plan.reset();
    file.plan_cost.reset();
  }
  if (entry.cores != 0 && (!file.plan || file.plan->cores != entry.cores)) {
    refuse(fmt::format("the equations have no plan for {} cores", entry.cores));
  }
  EquationFile result = entry.code != nullptr
                            ? proved_equations(*entry.code, std::move(file.program), "iterative")
                            : proved_equations(entry.direct, std::move(file.program));
  result.plan = std::move(file.plan);
  result.plan_cost = file.plan_cost;
  result.search = std::move(file.search);
  return result;
}

}  // namespace

LibraryEntry library_entry(const Code& code, const Request& request, Program direct,
                           std::size_t cores) {
  std::string name = name_of(code) + list_suffix("erase", request.erased) +
                     list_suffix("want", request.wanted) + list_suffix("update", request.updated) +
                     list_suffix("rows", request.rows);
  if (request.over == Over::kSymbols) name += "_over=symbols";
  if (request.reads_least) name += "_reads=min";
  if (!request.read_costs.empty()) {
    name += fmt::format("_read-cost={}", fmt::join(request.read_costs, "+"));
  }
  return {file_name(name + cores_suffix(cores)), &code, request, std::move(direct), cores};
}

LibraryEntry library_entry(Program direct, std::size_t cores) {
  std::string text = fmt::format("{} {} {} {}", direct.locations, direct.rows,
                                 fmt::join(direct.inputs, ","), fmt::join(direct.outputs, ","));
  text += direct.is_xor() ? matrix_text(evaluate_symbolically(direct))
                          : matrix_text(direct.field, coefficients_of(direct));
  const std::string name =
      fmt::format("matrix_{}x{}_{}", direct.outputs.size(), direct.inputs.size(), hash_of(text));
  return {file_name(name + cores_suffix(cores)), nullptr, {}, std::move(direct), cores};
}

void open_library(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) fs::create_directory(directory, error);
  std::error_code ignored;
  if (fs::is_directory(directory, ignored)) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} cannot be a library: {}", quoted_path(directory, error.value()),
                   error ? error.message() : "it is not a directory"));
}

std::optional<EquationFile> kept_equations(const fs::path& directory, const LibraryEntry& entry) {
  const fs::path path = directory / entry.name;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  if (!fs::is_regular_file(path, ignored)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} holds no equations: it is not a regular file", path.string()));
  }
  return parsed(path.string(), [&](const std::string& text) { return read_entry(text, entry); });
}

bool is_better(const EquationFile& equations, const EquationFile& others,
               const LibraryEntry& entry) {
  const auto rank = [&](const EquationFile& file) {
    const bool has_reads = entry.code != nullptr && entry.request.reads_least;
    const std::uint64_t reads =
        has_reads ? cost_of_reads(*entry.code, entry.request, file.program) : 0;
    return std::tuple(reads, file.plan ? makespan(*file.plan) : 0, xors(file.program));
  };
  return rank(equations) < rank(others);
}

void keep_equations(const fs::path& directory, const LibraryEntry& entry,
                    const EquationFile& equations) {
  std::optional<DirectoryLock> lock;
  for (int tries = 1; !lock; ++tries) {
    try {
      lock.emplace(directory);
    } catch (const Error& error) {
      if (error.kind() != Status::kIo || tries == kTries) throw;
      std::this_thread::sleep_for(kBetweenTries);
    }
  }
  const std::optional<EquationFile> there = kept_equations(directory, entry);
  if (there && is_better(*there, equations, entry)) return;
  OutputFile file(directory / entry.name);
  file.write(bytes_of(write_json(equations)));
  file.commit();
}

}  // namespace xorloom::cli
