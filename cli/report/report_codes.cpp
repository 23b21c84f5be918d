#include "cli/report/report_codes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom::cli {
namespace {

constexpr std::string_view kFile = "file:";

std::string base_name(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

/// The note of a code file after its name: ": two rows, a diagonal for Q".
std::string note_of(const std::string& path) {
  const Json json = Json::parse(read_text(path, std::size_t{16} << 20));
  const Json* const note = json.find("note");
  const bool has_note = note != nullptr && note->is_string() && !note->text().empty();
  return has_note ? ": " + excerpt(note->text()) : "";
}

/// Names a code after a file. If files hold the same code, it has the names of all.
void add_name(CodeNames& names, const Code& code, const std::string& file, const std::string& what,
              std::string words) {
  const auto [named, is_new] =
      names.try_emplace(code.spec, CodeName{file + what, std::move(words)});
  std::string& shown = named->second.shown;
  if (is_new || shown.ends_with(file + what)) return;
  if (shown.ends_with(what)) shown.resize(shown.size() - what.size());
  shown += " = " + file + what;
}

/// The code whose data are the columns of `matrix` and whose redundancy is its rows. It promises to
/// survive 0 losses, since no proof is tried. Adds its name to `names`.
Code code_of_matrix(const BitMatrix& matrix, const std::string& path, std::string words,
                    CodeNames& names) {
  const std::size_t columns = matrix.columns();
  std::vector<std::size_t> data(columns);
  for (std::size_t i = 0; i < columns; ++i) data[i] = i;
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    std::string row(columns, '0');
    for (const std::size_t one : matrix.ones(r)) row[one] = '1';
    rows.push_back(row);
  }
  const Json json{{"format", "xorloom-code"},
                  {"version", 1},
                  {"locations", columns + matrix.rows()},
                  {"rows", 1},
                  {"w", 1},
                  {"promise", 0},
                  {"data", data},
                  {"bits", std::move(rows)}};
  Code code =
      make_code(std::string(kFile) + json.dump(), {.packet_bytes = 0, .allow_non_mds = true});
  add_name(names, code, base_name(input_name(path)),
           fmt::format(", a matrix of {} x {} bits", matrix.rows(), columns), std::move(words));
  return code;
}

/// True if `spec` is the path of a file, or "-", instead of FAMILY:PARAMETERS.
bool is_matrix_file(const std::string& spec) {
  std::error_code none;
  const auto status = std::filesystem::status(spec, none);
  return spec == "-" || (spec.find(':') == std::string::npos && std::filesystem::exists(status) &&
                         !std::filesystem::is_directory(status));
}

}  // namespace

Code reported_code(const std::string& spec, const Options& options, CodeNames& names) {
  if (is_matrix_file(spec)) {
    return code_of_matrix(read_matrix_file(spec), spec, shell_word(spec), names);
  }
  if (spec.find(':') == std::string::npos && spec.find_first_of("./") != std::string::npos) {
    fail(Status::kInvalidArgument, "there is no code family and no file '{}'", excerpt(spec));
  }
  Code code = code_of(spec, options);
  const bool is_path = spec.starts_with(kFile) && !spec.substr(kFile.size()).starts_with('{');
  if (is_path) {
    const std::string path = spec.substr(kFile.size());
    add_name(names, code, base_name(path), note_of(path), shell_word(spec));
  }
  return code;
}

Code code_of_layout(const Program& program, const std::string& path, CodeNames& names) {
  const std::size_t inputs = program.inputs.size();
  bool is_plain = program.is_xor() && program.rows == 1;
  for (std::size_t i = 0; i < inputs; ++i) is_plain = is_plain && program.inputs[i] == i;
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    is_plain = is_plain && program.outputs[i] == inputs + i;
  }
  if (!is_plain) {
    fail(Status::kInvalidArgument,
         fmt::format("{} does not say what code it is for, and its elements are not numbered as "
                     "those of a matrix: give its SPEC",
                     path));
  }
  return code_of_matrix(evaluate_symbolically(program), path, "--equations " + shell_word(path),
                        names);
}

}  // namespace xorloom::cli
