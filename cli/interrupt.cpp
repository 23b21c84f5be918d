#include "cli/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "cli/progress.hpp"
#include "runtime/pending_file.hpp"

namespace xorloom::cli {

void clean_up_on_interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ}) {
    struct sigaction before {};
    const bool ignored = sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored) sigaddset(&signals, number);
  }
  // Blocked here and in every thread to come, they are taken by one thread that may do anything.
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int number = 0;
    if (sigwait(&signals, &number) != 0) return;
    abandon_pending_files();
    erase_progress_line();
    std::signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::kill(::getpid(), number);
  }).detach();
}

}  // namespace xorloom::cli
