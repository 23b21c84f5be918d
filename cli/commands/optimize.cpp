#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/measuring/thread_costs.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/equation_format.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/streams.hpp"
#include "codes/field/matrix_text.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/used_part.hpp"
#include "equations/files/equation_file.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kOptimizeAbout =
    "find equations of few XORs for any 0/1 matrix\n"
    "Reads a matrix over GF(2): each line is a row of 0s and 1s without spaces, such as 0110. A "
    "first "
    "line may hold the number of rows and of columns. It may have up to 2^30 "
    "bits, and 2^24 rows. Each column is an input. Each row is an output: the XOR of the inputs "
    "where the row has "
    "a 1. Prints equations for the outputs that share temporaries. The columns are elements 0, 1, "
    "2 and "
    "so on; the rows are numbered after the last column. The equations are proved before they are "
    "printed, and their cost follows them. xorloom equations --help explains its words.";

constexpr const char* kOptimizeExamples =
    "xorloom optimize matrix.txt\n"
    "xorloom optimize matrix.txt --effort max --seconds 60 --format json";

struct OptimizeOptions {
  std::string matrix;
  SearchOptions search;
  std::string format = "text";
  std::string output = "-";
};

BitMatrix matrix_at(const std::string& path) {
  return parsed(path, [](const std::string& text) { return read_bitmatrix(text); });
}

void run(const OptimizeOptions& options) {
  const EndOnRequest end_on_request;
  check_search(options.search);
  check_equation_format(options.format, options.search.cores, options.search.whole_front);
  const BitMatrix matrix = matrix_at(options.matrix);
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
  options->search.prices = core_prices;
  add_equation_format(command, options->format);
  add_output(command, options->output);
  add_search(command, options->search);
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
