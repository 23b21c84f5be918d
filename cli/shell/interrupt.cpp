#include "cli/shell/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "cli/shell/progress.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<int> num_scopes = 0;       ///< living scopes of EndOnRequest
std::atomic<Clock::rep> asked_at = 0;  ///< time of the first request; 0: there is none

/// Signals that follow the first one within this time are the same request: `timeout` sends its
/// signal to the program, and once more to its process group.
constexpr Clock::duration kSameRequest = std::chrono::milliseconds(200);

/// True if a signal only asks for an end.
bool is_request() {
  if (num_scopes == 0) return false;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep first = 0;
  return asked_at.compare_exchange_strong(first, now) || now - first < kSameRequest.count();
}

/// Signal handler if no thread waits for signals: notes the request of an EndOnRequest, else ends.
extern "C" void end_or_ask(int number) {
  if (is_request()) return;
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
      if ((number != SIGINT && number != SIGTERM) || !is_request()) break;
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

EndOnRequest::EndOnRequest() { ++num_scopes; }

EndOnRequest::~EndOnRequest() { --num_scopes; }

bool EndOnRequest::is_requested() { return asked_at != 0; }

}  // namespace xorloom::cli
