#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/site_equations.hpp"
#include "cli/measuring/thread_costs.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/equation_format.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/read_costs.hpp"
#include "cli/shell/request.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kEquationsAbout =
    "print the equations of a code\n"
    "Prints the XOR equations that compute the redundant chunks of a code. With --erase, prints "
    "those that rebuild lost chunks from the others. With --update, prints those that update the "
    "redundancy when data change. A location holds one chunk and has R rows, with R = w for most "
    "codes; over symbols R is the number of sub-chunks. Element e is row (e mod R) of location e / "
    "R, rounded down. The equations are proved "
    "before they are printed, and their cost follows them. It counts the longest equation and the "
    "paths in XORs. A path is a chain of XORs that must run one after another. The longest path "
    "adds the operands of an equation one after another; the critical path adds them in the best "
    "order. In a step, each core computes at most one XOR. A move is a value that one core "
    "computes and another reads. With --erase, the line reads counts the cells read, of all that "
    "survive.";

constexpr const char* kEquationsExamples =
    "xorloom equations cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0 --cores 6\n"
    "xorloom equations cauchy-good:k=4,m=2,w=4 --erase 0,3 --want 0 --rows 0-1\n"
    "xorloom equations rdp:k=4,p=5 --erase 0 --reads min\n"
    "xorloom equations cauchy-good:k=4,m=2,w=4 --update 2\n"
    "xorloom equations rs:k=4,m=2 --over symbols\n"
    "xorloom equations cauchy-good:k=10,m=4 --style iterative --effort max\n"
    "xorloom equations cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0 --cores 6 \\\n"
    "    --equations examples/paper_iterative.txt";

struct EquationsOptions {
  std::string spec;
  std::string given;  ///< path of a file of equations
  Options code;
  SearchOptions search;
  Request request;
  std::string reads = "any";
  std::vector<PlaceCost> read_costs;
  std::vector<std::vector<std::size_t>> groups;
  std::string format = "text";
  std::string output = "-";
};

/// Work of the search for the fewest reads: milliseconds (fast), some hundredths of a second
/// (normal) or half a second (max).
std::uint64_t read_work(const std::string& effort) {
  if (effort == "fast") return kUsualReadWork;
  return effort == "max" ? kUsualReadWork << 9 : kUsualReadWork << 5;
}

/// Prints the equations of a file, one set or several, as they are or with other plans.
void run_given(const EquationsOptions& options) {
  check_search(options.search);
  check_equation_format(options.format, options.search.cores, options.search.whole_front);
  std::vector<EquationFile> files = given_sets(options.given, options.spec, options.code);
  for (EquationFile& file : files) plan_on_cores(options.search, file);
  write_output(options.output, in_format(files, files.size() > 1, options.format));
}

void run(const EquationsOptions& options) {
  if (!options.given.empty()) return run_given(options);
  std::optional<EndOnRequest> end_on_request;
  if (options.search.style == "iterative") end_on_request.emplace();
  check_request_options(options.request);
  check_equation_format(options.format, options.search.cores, options.search.whole_front);
  const Code code = code_of(options.spec, options.code);
  Output output(options.output);
  Request request = options.request;
  request.reads_least = options.reads == "min";
  request.read_costs = costs_by_location(options.read_costs, code.locations);
  for (const std::size_t lost : request.erased) {
    if (!request.read_costs.empty() && request.read_costs.at(lost) != 1) {
      fail(Status::kInvalidArgument, "--read-cost names location {}, which is lost", lost);
    }
  }
  request.read_work = read_work(options.search.effort);
  if (!options.groups.empty()) {
    return output.finish(
        site_equations(code, request, options.groups, options.search, options.format));
  }
  std::vector<EquationFile> files = equations_in_style(options.search, code, request);
  if (!request.erased.empty()) {
    for (EquationFile& file : files) file.reads = repair_reads(code, request, file.program);
  }
  output.finish(in_format(files, options.search.whole_front, options.format));
}

}  // namespace

Command equations_command() {
  Command command{"equations", kEquationsAbout, kEquationsExamples};
  const auto options = std::make_shared<EquationsOptions>();
  add_spec(command, options->spec);
  add_given_equations(command, options->given, "print");
  add_request(command, options->request);
  add_choice(
      command, "--reads", options->reads, {"any", "min"},
      "with --erase: which survivors to read. any: however many bytes, for few XORs; "
      "min: the fewest bytes, for which --effort max looks up to a second or so; default: any");
  add_read_costs(command, options->read_costs, "LOC",
                 "with --reads min: cost of reading a byte from location LOC, 0 to 1000000; "
                 "default: 1");
  add_groups(command, options->groups);
  add_style_and_search(command, options->search);
  add_cores(command, options->search);
  options->search.prices = core_prices;
  add_equation_format(command, options->format);
  add_output(command, options->output);
  add_packet_bytes(command, options->code);
  add_allow_non_mds(command, options->code);
  command.run = [options](const Command& given) {
    if (!options->given.empty()) {
      refuse_with_equations(
          given, {"--erase", "--want", "--update", "--rows", "--over", "--reads", "--read-cost",
                  "--groups", "--style", "--front", "--effort", "--seconds", "--tries", "--seed",
                  "--store", "--depth", "--levels"});
    }
    if (is_given(given, "--reads") && options->request.erased.empty()) {
      fail(Status::kInvalidArgument, "--reads chooses which survivors are read, and needs --erase");
    }
    if (!options->groups.empty() && options->request.erased.empty()) {
      fail(Status::kInvalidArgument, "--groups splits a repair, and needs --erase");
    }
    if (options->request.over == Over::kSymbols && options->search.cores != 0) {
      fail(Status::kInvalidArgument,
           "--cores plans XORs, and --over symbols also has multiplications");
    }
    if (!options->read_costs.empty() && options->reads != "min") {
      fail(Status::kInvalidArgument, "--read-cost needs --reads min");
    }
    check_style_and_search(given, options->search, options->reads == "min");
    const bool is_searched = options->given.empty() && options->search.style == "iterative";
    if (gate_inputs(options->search) != 0 && !is_searched) {
      if (!options->given.empty()) refuse_with_equations(given, {"--model"});
      fail(Status::kInvalidArgument,
           fmt::format("--model {} needs --style iterative: it says what is searched for",
                       options->search.model));
    }
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
