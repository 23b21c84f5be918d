#include "gen/source/emit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/emit_kernels.hpp"
#include "cli/commands/emit_verilog.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/request.hpp"
#include "cli/shell/search.hpp"
#include "cli/shell/streams.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/request/request.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "gen/source/language.hpp"
#include "gen/source/lean_decoder.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kEmitAbout =
    "write source that encodes and decodes: C, C++, OpenCL, CUDA, Verilog\n"
    "Writes one source file that encodes a code and, for every --erase, rebuilds those lost "
    "chunks. The file needs nothing of Xorloom. A comment at its beginning says what the functions "
    "take. The equations are proved before they are written. A code on packets is written as XORs "
    "of vectors, as wide as the target has them. A code on words is written as sums of products, "
    "in three forms: portable, with tables (AVX2), and with GFNI (AVX-512). The functions take the "
    "fastest form that the processor has. With --target opencl or cuda the file holds kernels for "
    "a GPU, one each in place of the functions. As Verilog, a code is hardware: XOR engines over "
    "the bits of its symbols. With --what decoder the file makes the decoding equations of any "
    "loss "
    "by itself, in the memory of a small controller.";

constexpr const char* kEmitExamples =
    "xorloom emit cauchy-good:k=10,m=4 --target c++ --style iterative -o code.cpp\n"
    "xorloom emit rs:k=10,m=4 --target c -o code.c\n"
    "xorloom emit cauchy-good:k=4,m=2,w=4 --target c --erase 0,3 --erase 5 \\\n"
    "    --name storage -o storage.c\n"
    "xorloom emit rs:k=10,m=4 --target cuda --erase 0,3 -o code.cu\n"
    "xorloom emit rs:k=10,m=4 --target verilog --lanes 8 --ranks 2 -o engine.v \\\n"
    "    --testbench test.v\n"
    "xorloom emit zigzag:k=4,r=2 --target verilog --unit zigzag --lanes 8 -o unit.v\n"
    "xorloom emit rs:k=10,m=4 --target c --what decoder -o decoder.c\n"
    "xorloom emit cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0 --target c \\\n"
    "    --equations examples/paper_iterative.txt -o paper.c";

/// Values of --what.
constexpr const char* kFunctions = "functions";
constexpr const char* kDecoder = "decoder";

struct EmitOptions {
  std::string spec;
  std::string given;  ///< path of a file of equations
  Options code;
  std::string target;
  std::string what = kFunctions;
  std::vector<std::vector<std::size_t>> erasures;
  std::vector<std::size_t> wanted;
  std::vector<std::vector<std::size_t>> updates;
  KernelChoices kernels;
  SearchOptions search;
  std::optional<std::string> name;
  std::optional<std::string> header;
  VerilogOptions verilog;
  std::string output = "-";
};

/// Sorts each list of an option. Errors: throws kInvalidArgument if two lists are equal.
void sort_distinct(std::vector<std::vector<std::size_t>>& lists, const char* option) {
  for (std::vector<std::size_t>& list : lists) std::ranges::sort(list);
  for (auto list = lists.begin(); list != lists.end(); ++list) {
    if (std::find(lists.begin(), list, *list) == list) continue;
    fail(Status::kInvalidArgument, fmt::format("{} gives {} twice", option, set_text(*list)));
  }
}

/// Throws kInvalidArgument for options that do not go with --what decoder: the decoder is C, and
/// makes its equations when it runs.
void check_decoder_options(const Command& command, const std::string& target) {
  if (target != "c") {
    fail(
        Status::kInvalidArgument,
        fmt::format("--what decoder is written in C, and --target is {}: give --target c", target));
  }
  static constexpr std::string_view kTaken[] = {
      "SPEC",   "-k",       "-m",       "-w",      "--target",       "--what",
      "--name", "--header", "--output", "--quiet", "--packet-bytes", "--allow-non-mds"};
  if (const CommandOption* option = given_besides(command, kTaken)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} does not go with --what decoder, which makes equations when it runs",
                     option->names));
  }
}

void run_decoder(const EmitOptions& options) {
  const Code code = code_of(options.spec, options.code);
  write_output(options.output, emit_lean_decoder(code, options.name));
  if (options.header) {
    write_output(*options.header, emit_lean_decoder_header(code, options.name));
  }
}

void run(const Command& command, EmitOptions options) {
  std::optional<EndOnRequest> end_on_request;
  if (options.search.style == "iterative") end_on_request.emplace();
  const std::optional<KernelOptions> kernels =
      kernel_options(command, options.target, options.kernels, options.name);
  if (options.erasures.empty()) check_request_options({.wanted = options.wanted});
  sort_distinct(options.erasures, "--erase");
  sort_distinct(options.updates, "--update");
  std::ranges::sort(options.wanted);
  std::optional<GivenEquations> given;
  const bool is_verilog = options.target == kVerilogTarget;
  if (!options.given.empty()) {
    given = (is_verilog ? equations_over_bits : runnable_equations)(options.given, options.spec,
                                                                    options.code);
  }
  const Code code = given ? *given->code : code_of(options.spec, options.code);
  const bool on_words = code.arrangement == Arrangement::kWord && !is_verilog;
  std::vector<NamedProgram> programs;
  std::vector<CoreSchedule> plans;  // with --cores: a plan per program
  const auto add = [&](std::string name, Request request) {
    request.over = on_words ? Over::kSymbols : Over::kBits;
    std::vector<EquationFile> files = equations_in_style(options.search, code, request);
    if (files.front().plan) plans.push_back(*files.front().plan);
    programs.push_back({std::move(name), std::move(files.front().program)});
  };
  // Some hardware is made from the code itself and takes no equations.
  const bool has_equations = !is_verilog || has_programs(options.verilog);
  if (given) {
    const auto lost = locations_rebuilt(code, given->file.program, options.given);
    if (std::ranges::find(options.erasures, lost) != options.erasures.end()) {
      fail(Status::kInvalidArgument, fmt::format("{} rebuilds {}, which --erase gives, too",
                                                 input_name(options.given), set_text(lost)));
    }
    const std::size_t cores = options.search.cores;
    if (!given->file.plan || given->file.plan->cores != cores) {
      plan_on_cores(options.search, given->file);
    }
    if (cores != 0) plans.push_back(*given->file.plan);
    programs.push_back({lost.empty() ? "encode" : decoding_name(lost, {}), given->file.program});
  } else if (has_equations) {
    add("encode", {});
  }
  for (const std::vector<std::size_t>& lost : options.erasures) {
    if (!has_equations) break;
    add(decoding_name(lost, options.wanted), {.erased = lost, .wanted = options.wanted});
  }
  for (const std::vector<std::size_t>& updated : options.updates) {
    add(fmt::format("update_{}", fmt::join(updated, "_")), {.updated = updated});
  }
  if (kernels) {
    const bool is_iterative = given || options.search.style == "iterative";
    write_output(options.output,
                 emit_kernels(code, programs, for_equations(*kernels, code, is_iterative)));
    return;
  }
  if (is_verilog) {
    return write_verilog(options.verilog,
                         {.code = code,
                          .erasures = options.erasures,
                          .wanted = options.wanted,
                          .programs = std::move(programs),
                          .plans = std::move(plans),
                          .gate_inputs = gate_inputs(options.search),
                          .name = options.name},
                         options.output);
  }
  const SourceOptions source{.target = options.target, .name = options.name};
  write_output(options.output, emit_source(code, programs, source));
  if (options.header) write_output(*options.header, emit_header(code, programs, source));
}

}  // namespace

Command emit_command() {
  Command command{"emit", kEmitAbout, kEmitExamples};
  const auto options = std::make_shared<EmitOptions>();
  add_spec(command, options->spec);
  add_given_equations(command, options->given, "write");
  std::vector<std::string> targets;
  std::vector<std::string> names;
  for (const Language& language : languages()) {
    targets.emplace_back(language.target);
    names.emplace_back(language.name);
  }
  for (const std::string& target : kernel_targets()) targets.push_back(target);
  for (const std::string& language : kernel_languages()) names.push_back(language);
  targets.emplace_back(kVerilogTarget);
  names.emplace_back("Verilog");
  add_choice(command, "--target", options->target, targets,
             fmt::format("language of the source: {}; OpenCL C and CUDA C++ are kernels for a GPU",
                         fmt::join(names, ", ")));
  option_of(command, "--target").is_required = true;
  add_choice(command, "--what", options->what, {kFunctions, kDecoder},
             "functions: one that encodes, and one for every --erase and --update; decoder: C that "
             "makes the decoding equations of any loss when it runs, with a few KiB of memory; "
             "default: functions");
  add_number_lists(
      command, "--erase", options->erasures, 0, kMaxLocation,
      "add a function that rebuilds these lost locations, such as 0-2,5; may be repeated");
  add_numbers(command, "--want", options->wanted, 0, kMaxLocation,
              "rebuild only these of the lost locations, with every --erase");
  add_number_lists(
      command, "--update", options->updates, 0, kMaxLocation,
      "add a function that carries a change of the data of these locations over to the "
      "redundancy; may be repeated");
  add_text(command, "--name", "NAME", options->name,
           "names the functions: xl_NAME_encode, in C++ xl_NAME::encode; default: a name made "
           "from the code");
  add_text(command, "--header", "FILE", options->header,
           "also write a header that declares the functions")
      .writes = true;
  add_kernel_options(command, options->kernels);
  add_verilog_options(command, options->verilog, options->search);
  add_output(command, options->output);
  add_packet_bytes(command, options->code);
  add_allow_non_mds(command, options->code);
  add_style_and_search(command, options->search);
  add_gate_model(command, options->search);
  for (const char* name : {"--model", "--levels"}) {
    option_of(command, name).group = option_of(command, "--unit").group;
  }
  command.run = [options](const Command& given) {
    if (options->header == "-" && options->output == "-") {
      fail(Status::kInvalidArgument,
           "--header and --output are both standard output: name a file for one of them");
    }
    if (!options->given.empty() && options->erasures.empty()) {
      refuse_with_equations(given, {"--style", "--effort", "--seconds", "--tries", "--seed",
                                    "--store", "--want", "--levels"});
    }
    if (options->what == kDecoder) {
      check_decoder_options(given, options->target);
      return run_decoder(*options);
    }
    check_style_and_search(given, options->search);
    check_verilog_options(given, options->target, options->verilog);
    run(given, *options);
  };
  return command;
}

}  // namespace xorloom::cli
