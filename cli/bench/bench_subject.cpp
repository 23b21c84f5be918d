#include "cli/bench/bench_subject.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "cli/document/writers.hpp"
#include "cli/shell/given_equations.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr int kAwakeMicroseconds = 100;  // a benchmark has the processors to itself

BenchCode bench_code(const std::string& spec, const BenchSubject& subject) {
  if (subject.equations.empty()) return {code_of(spec, subject.run), {}};
  auto [code, file] = runnable_equations(subject.equations, spec, subject.run);
  auto rebuilt = locations_rebuilt(*code, file.program, subject.equations);
  return {*std::move(code),
          GivenProgram{std::move(file.program), std::move(file.plan), std::move(rebuilt)}};
}

}  // namespace

BenchSubject::BenchSubject() {
  run.threads = kThreadsNotGiven;
  run.awake_microseconds = kAwakeMicroseconds;
}

void add_subject(Command& command, BenchSubject& subject, const std::string& usual_sizes) {
  add_specs(command, subject.specs, false);
  add_given_equations(command, subject.equations, "time");
  add_byte_list(command, "--chunk-bytes", subject.chunk_bytes, 1, kMaxChunkBytes,
                "chunk sizes in bytes; default: " + usual_sizes);
}

void add_layout(Command& command, Layout& layout) {
  add_choice(
      command, "--layout", {"aligned", "staggered"},
      [&layout](const std::string& word) {
        layout = word == "aligned" ? Layout::kAligned : Layout::kStaggered;
      },
      "where chunks begin in a page of 4096 bytes, as xorloom bench has it; default: staggered");
}

void add_run_and_output(Command& command, BenchSubject& subject, const std::string& usual_threads) {
  add_choice(command, "--format", subject.format, {"table", "json", "svg", "html"},
             "output format; html is one page with charts; default: table");
  add_output(command, subject.output);
  add_run_options(command, subject.run, "default: auto", usual_threads);
}

std::vector<BenchCode> bench_codes(const BenchSubject& subject) {
  std::vector<std::string> specs = subject.specs;
  if (!subject.equations.empty() && specs.size() > 1) {
    fail(Status::kInvalidArgument,
         fmt::format("--equations FILE is for one code, and {} SPECs are given", specs.size()));
  }
  if (specs.empty()) specs.emplace_back();  // the file names the code
  std::vector<BenchCode> codes;
  for (const std::string& spec : specs) {
    const Code& code = codes.emplace_back(bench_code(spec, subject)).code;
    for (const std::size_t size : subject.chunk_bytes) {
      check_chunk_bytes(code, size, chunk_multiple(code));
      check_memory(2 * code.locations, size, 0);
    }
  }
  return codes;
}

std::size_t survived_losses(const Code& code) {
  std::vector<std::size_t> lost;
  for (std::size_t l = 0; l < code.promised_losses; ++l) lost.push_back(l);
  while (!is_recoverable(code, lost)) lost.pop_back();
  return lost.size();
}

void check_losses(const Code& code, std::size_t count) {
  const std::size_t most = survived_losses(code);
  if (count <= most) return;
  fail(Status::kInvalidArgument,
       fmt::format("--losses = {} exceeds the {} that {} survives", count, most, code.name()));
}

Codec bench_codec(const BenchCode& code, Options options, std::size_t threads) {
  options.threads = static_cast<int>(threads);
  return code.given ? CodecAccess::codec_of(code.code, options, *code.given)
                    : CodecAccess::codec_of(code.code, options);
}

std::string lost_text(const Json& operation) {
  const std::size_t lost = operation["lost"].size();
  return lost == 0 ? "encode" : fmt::format("{} lost", lost);
}

void show_progress(const std::string& text) {
  if (is_quiet() || ::isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

Document measured_document(std::string title, const char* format, int version,
                           const MeasuredMachine& machine) {
  return {std::move(title),
          {{"format", format},
           {"version", version},
           {"machine", machine_json(machine.system, machine.facts)}}};
}

void finish(Document& document, const MeasuredMachine& machine, const BenchSubject& subject,
            Output& output) {
  add_machine(document, machine.system, machine.facts);
  output.finish(written(document, subject.format));
}

}  // namespace xorloom::cli
