#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/measuring/thread_costs.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/equation_format.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/used_part.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/files/in_place_file.hpp"
#include "equations/search/xor_bound.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kOptimizeAbout =
    "find equations of few XORs for any 0/1 matrix\n"
    "Reads a matrix over GF(2): each line is a row of 0s and 1s, such as 0110; a ; ends a row, "
    "too. Spaces, commas and brackets between them, and comments after #, are ignored. A first "
    "line may hold the number of rows and of columns. The matrix may have up to 2^30 bits, and "
    "2^24 rows. Each column is an input. Each row is an output: the XOR of the inputs where the "
    "row has a 1. Prints equations for the outputs that share temporaries. The columns are "
    "elements 0, 1, 2 and so on; the rows are numbered after the last column. The equations are "
    "proved before they are printed, and their cost follows them. With --in-place, lines such as "
    "2 ^= 0 turn the inputs of an invertible matrix into its outputs without temporaries. "
    "xorloom equations --help-all explains the words.";

constexpr const char* kOptimizeExamples =
    "xorloom optimize matrix.txt\n"
    "xorloom optimize matrix.txt --effort max --seconds 60 --format json\n"
    "xorloom optimize matrix.txt --in-place --format qasm";

struct OptimizeOptions {
  std::string matrix;
  SearchOptions search;
  std::string format = "text";
  std::string output = "-";
  bool is_in_place = false;
  bool is_bound = false;
  std::string certificate;
};

/// Throws kInvalidArgument if options of a search are given, which --bound does not do.
void check_bound(const Command& command, const OptimizeOptions& options) {
  if (options.certificate == "-" && options.output == "-") {
    fail(Status::kInvalidArgument,
         "--certificate and --output are both standard output: name a file for one of them");
  }
  if (!options.is_bound) {
    if (options.certificate.empty()) return;
    fail(Status::kInvalidArgument, "--certificate is about a bound, and needs --bound");
  }
  static constexpr std::string_view kTaken[] = {"MATRIX", "--bound", "--certificate", "--output",
                                                "--quiet"};
  if (const CommandOption* option = given_besides(command, kTaken)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is about a search, and --bound searches for nothing: give one of them",
                     option->names.substr(option->names.find("--"))));
  }
}

/// "at least 52 XORs", and why.
std::string bound_text(const XorBound& bound) {
  const char* of = bound.is_transposed ? "of the transposed matrix " : "";
  std::string text = fmt::format("bound:   {}\n", counted(bound.xors, "XOR"));
  if (bound.argument == XorBound::Argument::kRows) {
    return text + fmt::format(
                      "because: each different row {}of two ones or more needs an XOR,\n"
                      "         and the first one computed one less than it has ones\n",
                      of);
  }
  text += fmt::format("because: no {} inputs and outputs {}add up to zero, so that\n",
                      bound.distance - 1, of);
  return text + fmt::format("         {} needed besides the outputs\n",
                            counted(bound.others, "XOR is", "XORs are"));
}

/// Throws kInvalidArgument if options do not go with --in-place, or need it.
void check_in_place(const Command& command, const OptimizeOptions& options) {
  const bool is_source = options.format == "c" || options.format == "qasm";
  if (!options.is_in_place && is_source) {
    fail(Status::kInvalidArgument,
         fmt::format("--format {} shows a circuit in place: give --in-place too; xorloom emit "
                     "writes source for equations of codes",
                     options.format));
  }
  if (!options.is_in_place) return;
  if (options.format == "svg" || options.format == "dot") {
    fail(Status::kInvalidArgument,
         fmt::format("--format {} draws equations, and --in-place finds lines: give --format text, "
                     "json, c or qasm",
                     options.format));
  }
  for (const char* name :
       {"--cores", "--model", "--levels", "--gates", "--atomic", "--front", "--store"}) {
    if (!is_given(command, name)) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} is about equations with temporaries, and --in-place has none: give one of "
                     "them",
                     name));
  }
}

std::string in_place_format(const InPlaceFile& file, const std::string& format) {
  if (format == "json") return write_json(file);
  if (format == "c") return write_c(file);
  if (format == "qasm") return write_qasm(file);
  return write_text(file);
}

void run(const Command& command, const OptimizeOptions& options) {
  const EndOnRequest end_on_request;
  check_bound(command, options);
  check_in_place(command, options);
  check_search(options.search);
  check_equation_format(options.format, options.search.cores, options.search.whole_front);
  const BitMatrix matrix = read_matrix_file(options.matrix);
  if (options.is_bound) {
    Output output(options.output);
    const XorBound bound = xor_bound(matrix);
    if (!options.certificate.empty()) {
      Output certificate(options.certificate);
      certificate.finish(write_certificate(bound, matrix));
    }
    output.finish(bound_text(bound));
    return;
  }
  if (options.is_in_place) {
    Output output(options.output);
    const InPlaceFile file = run_search_in_place(options.search, matrix);
    output.finish(in_place_format(file, options.format));
    return;
  }
  const UsedPart part(matrix);
  const Program direct = direct_program(part.matrix());
  Output output(options.output);
  std::vector<EquationFile> files =
      run_search(options.search, {nullptr, {}, direct, options.search.cores});
  for (EquationFile& file : files) set_whole(file, part, matrix);
  output.finish(in_format(files, options.search.whole_front, options.format));
}

}  // namespace

Command optimize_command() {
  Command command{"optimize", kOptimizeAbout, kOptimizeExamples};
  const auto options = std::make_shared<OptimizeOptions>();
  add_argument(command, "MATRIX", options->matrix, "the file of the matrix, - for standard input");
  add_cores(command, options->search);
  add_gates(command, options->search);
  options->search.prices = core_prices;
  add_flag(command, "--in-place", options->is_in_place,
           "find lines that add one wire to another, for an invertible matrix: few XORs without "
           "temporaries, as CNOT gates of a quantum circuit are. With --depth, lines of one level "
           "share no wire");
  add_flag(command, "--bound", options->is_bound,
           "search for nothing, and print how many XORs every circuit of the matrix has at least");
  add_text(command, "--certificate", "FILE", options->certificate,
           "with --bound: write a certificate, which scripts/check-bound checks")
      .writes = true;
  add_choice(command, "--format", options->format, {"text", "json", "svg", "dot", "c", "qasm"},
             "text to read, json to load again, svg to look at, dot for Graphviz, which takes no "
             "--cores and no --front; with --in-place text, json, c, or qasm for OpenQASM 3; "
             "default: text");
  add_output(command, options->output);
  add_search(command, options->search);
  command.run = [options](const Command& given) { run(given, *options); };
  return command;
}

}  // namespace xorloom::cli
