#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/measuring/machine_facts.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/streams.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/code.hpp"
#include "runtime/plans/codec_access.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// What commands that time codes share.

/// The threads of a command line that names none.
inline constexpr int kThreadsNotGiven = -1;

/// A code to time, and equations to run instead of making some.
struct BenchCode {
  Code code;
  std::optional<GivenProgram> given;
};

/// What is timed, as it is typed.
struct BenchSubject {
  BenchSubject();

  std::vector<std::string> specs;
  std::string equations;  ///< a file
  std::vector<std::size_t> chunk_bytes;
  std::string format = "table";
  std::string output = "-";
  Options run;
};

/// SPEC, --equations and --chunk-bytes.
void add_subject(Command& command, BenchSubject& subject, const std::string& usual_sizes);

/// --format, --output, and how it runs: --threads and all else.
void add_run_and_output(Command& command, BenchSubject& subject, const std::string& usual_threads);

/// The codes of the specs, or the one that the equations of the file are for. Every size that is
/// given fits each code and the memory.
///
/// Errors: throws kInvalidArgument for several specs with equations.
std::vector<BenchCode> bench_codes(const BenchSubject& subject);

/// The most locations, from the first on, that the code survives without.
std::size_t survived_losses(const Code& code);

/// Throws kInvalidArgument if --losses has more than that.
void check_losses(const Code& code, std::size_t count);

/// The codec of a code on so many threads.
Codec bench_codec(const BenchCode& code, Options options, std::size_t threads);

/// "encode" or "2 lost", by what an operation has lost.
std::string lost_text(const Json& operation);

/// Shows on a terminal that work goes on; "" removes the line. Nothing with --quiet.
void show_progress(const std::string& text);

/// The machine that a command measures.
struct MeasuredMachine {
  SystemDescription system = describe_system();
  MachineFacts facts = machine_facts();
};

/// A document whose data are a format, its version and the machine.
Document measured_document(std::string title, const char* format, int version,
                           const MeasuredMachine& machine);

/// Ends a document with the machine, and writes it.
void finish(Document& document, const MeasuredMachine& machine, const BenchSubject& subject,
            Output& output);

}  // namespace xorloom::cli
