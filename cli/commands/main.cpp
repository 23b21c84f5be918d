#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands/program.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/last_resort.hpp"
#include "cli/shell/parser.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/text/error.hpp"
#include "runtime/kernels/isa.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {
namespace {

int complain(std::string sentence, ExitStatus status, const std::string& hint = {}) {
  // Control characters from a file or a shell must not reach the terminal.
  say(fmt::format("{}: error: {}", kProgramName, printable(in_program_words(std::move(sentence)))));
  if (!hint.empty()) say(hint);
  return static_cast<int>(status);
}

int run(const Command& command) {
  try {
    check_outputs(command);
    command.run(command);
  } catch (const Error& error) {
    // If the command reads no data, locations that a code cannot rebuild are no loss of data.
    const bool is_no_loss = error.kind() == Status::kDamaged && !command.reads_data;
    const ExitStatus status = is_no_loss ? ExitStatus::kWrongCall : exit_status(error.kind());
    if (status != ExitStatus::kWrongCall) throw;
    return complain(naming_option(error.what(), command), status);
  }
  return 0;
}

/// "xorloom 0.2.0", and a line on the build: its compiler, and what it runs on this machine.
std::string version_text() {
  std::vector<const char*> isas;
  for (const Isa isa : machine_isas()) isas.push_back(to_string(isa));
  return fmt::format("{} {}\nbuilt by {}; runs here: {}\n", kProgramName, version(),
                     describe_system().compiler, fmt::join(isas, ", "));
}

int run(int argc, char** argv) {
  Command program = make_program(argc > 1 ? argv[1] : "");
  const Call call = parse(program, argc, argv);
  switch (call.kind) {
    case Call::Kind::kHelp:
      print(help_text(*call.command));
      return 0;
    case Call::Kind::kWholeHelp:
      print(whole_help_text(*call.command));
      return 0;
    case Call::Kind::kVersion:
      print(version_text());
      return 0;
    case Call::Kind::kWrong:
      return complain(call.sentence, exit_status(call.status),
                      full_name(*call.command) + " --help says more");
    case Call::Kind::kRun:
      return run(*call.command);
  }
  return 0;
}

/// Searches need at least this much stack.
constexpr rlim_t kLeastStackBytes = rlim_t{1} << 20;
constexpr std::size_t kThreadStackBytes = std::size_t{8} << 20;

bool has_little_stack() {
  rlimit stack{};
  return ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kLeastStackBytes;
}

/// The limit on the stack applies to each new thread, unless a default size is set.
void give_threads_stack() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kThreadStackBytes) == 0) {
    ::pthread_setattr_default_np(&attributes);
  }
  ::pthread_attr_destroy(&attributes);
}

/// Runs the program on a thread with a larger stack than the main thread.
int run_on_thread(int argc, char** argv) {
  int status = 0;
  std::exception_ptr error;
  try {
    std::thread([&]() noexcept {
      try {
        status = run(argc, argv);
      } catch (...) {
        error = std::current_exception();
      }
    }).join();
  } catch (const std::system_error&) {
    fail(Status::kIo,
         fmt::format("the stack may have fewer than {} bytes, and the system gives no thread with "
                     "more",
                     kLeastStackBytes));
  }
  if (error) std::rethrow_exception(error);
  return status;
}

/// Errors: throws std::bad_alloc, also if there is no memory for an error message.
int run_or_complain(int argc, char** argv) {
  try {
    const bool needs_thread = has_little_stack();
    if (needs_thread) give_threads_stack();
    clean_up_on_interrupt();
    return needs_thread ? run_on_thread(argc, argv) : run(argc, argv);
  } catch (const RecoverableDamage& damage) {
    return complain(damage.what(), ExitStatus::kDamaged);
  } catch (const FoundWorse&) {
    return static_cast<int>(ExitStatus::kWorse);
  } catch (const Error& error) {
    return complain(error.what(), exit_status(error.kind()));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return complain(error.what(), ExitStatus::kEnvironment);
  }
}

}  // namespace
}  // namespace xorloom::cli

int main(int argc, char** argv) {
  using namespace xorloom;
  // End silently if the reader of a pipe goes away, whatever the parent chose.
  std::signal(SIGPIPE, SIG_DFL);
  // All shards of a set are open at once.
  if (rlimit files{}; ::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  int status = 0;
  try {
    status = cli::run_or_complain(argc, argv);
    if (const std::string& why = cli::print_failure(); !why.empty()) {
      status = cli::complain(why, cli::ExitStatus::kEnvironment);
    }
  } catch (const std::bad_alloc&) {
    status = cli::complain_of_memory();
  }
  cli::allow_exit();
  return status;
}
