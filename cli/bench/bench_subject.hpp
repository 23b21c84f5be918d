#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/measuring/machine_facts.hpp"
#include "cli/measuring/placed_stripe.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/streams.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/code.hpp"
#include "runtime/plans/codec_access.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// Functions and options that the commands which time codes share.

/// Number of threads if --threads is not given.
inline constexpr int kThreadsNotGiven = -1;

/// A code to time, and equations to run instead of making them.
struct BenchCode {
  Code code;
  std::optional<GivenProgram> given;
};

/// Options of a command that times codes, as typed.
struct BenchSubject {
  BenchSubject();

  std::vector<std::string> specs;
  std::string equations;  ///< path of a file; "": none
  std::vector<std::size_t> chunk_bytes;
  std::string format = "table";
  std::string output = "-";
  Options run;
};

/// Adds SPEC, --equations and --chunk-bytes.
void add_subject(Command& command, BenchSubject& subject, const std::string& usual_sizes);

/// Adds --layout, which sets `layout`.
void add_layout(Command& command, Layout& layout);

/// Adds --format, --output, --threads and all other options of add_run_options().
void add_run_and_output(Command& command, BenchSubject& subject, const std::string& usual_threads);

/// Codes of the specs, or the code of the equations in the file. Every given chunk size is checked
/// against each code and the memory.
///
/// Errors: throws kInvalidArgument for several specs with equations, or a wrong size.
std::vector<BenchCode> bench_codes(const BenchSubject& subject);

/// The largest n for which the code survives the loss of its first n locations.
std::size_t survived_losses(const Code& code);

/// Throws kInvalidArgument if `count` exceeds survived_losses(code).
void check_losses(const Code& code, std::size_t count);

/// Makes a codec of `code` that runs on `threads` threads.
Codec bench_codec(const BenchCode& code, Options options, std::size_t threads);

/// "encode" or "2 lost", by the number of chunks that an operation rebuilds.
std::string lost_text(const Json& operation);

/// Shows `text` as progress on a terminal; "" removes it. Does nothing with --quiet.
void show_progress(const std::string& text);

/// The measured machine: its description and further facts.
struct MeasuredMachine {
  SystemDescription system = describe_system();
  MachineFacts facts = machine_facts();
};

/// An empty document whose JSON has a format, its version and the machine.
Document measured_document(std::string title, const char* format, int version,
                           const MeasuredMachine& machine);

/// Adds the machine to the end of a document, and writes it.
void finish(Document& document, const MeasuredMachine& machine, const BenchSubject& subject,
            Output& output);

}  // namespace xorloom::cli
