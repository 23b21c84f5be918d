#include "cli/shell/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <system_error>
#include <thread>

#include "cli/shell/progress.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom::cli {
namespace {

std::atomic<bool> takes_request = false;
std::atomic<bool> is_asked = false;

/// Signal handler if no thread waits for signals: notes the request of an EndOnRequest, else ends.
extern "C" void end_or_ask(int number) {
  if (takes_request.exchange(false)) {
    is_asked = true;
    return;
  }
  std::signal(number, SIG_DFL);
  static_cast<void>(std::raise(number));
}

/// Makes signals end the program at once. A later command removes what is left behind, as after
/// SIGKILL.
void end_on_signals(const sigset_t& signals) {
  for (const int number : {SIGINT, SIGTERM}) {
    if (sigismember(&signals, number) == 1) std::signal(number, end_or_ask);
  }
  std::signal(SIGXFSZ, SIG_IGN);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

void clean_up_on_interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ}) {
    struct sigaction before {};
    const bool ignored = sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored) sigaddset(&signals, number);
  }
  // All threads block the signals; one thread waits for them and, being no handler, may call
  // anything.
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto wait = [signals] {
    int number = 0;
    for (;;) {
      if (sigwait(&signals, &number) != 0) return;
      if ((number != SIGINT && number != SIGTERM) || !takes_request.exchange(false)) break;
      is_asked = true;
    }
    abandon_pending_files();
    erase_progress_line();
    std::signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::kill(::getpid(), number);
  };
  try {
    std::thread(wait).detach();
  } catch (const std::system_error&) {  // the system has no more threads
    end_on_signals(signals);
  }
}

EndOnRequest::EndOnRequest() { takes_request = !is_asked; }

EndOnRequest::~EndOnRequest() { takes_request = false; }

bool EndOnRequest::is_requested() { return is_asked; }

}  // namespace xorloom::cli
