#include "cli/trees/archive_call.hpp"

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "cli/shell/exit_status.hpp"

namespace xorloom::cli {
namespace {

/// An access below this address goes through a null pointer.
constexpr std::uintptr_t kNullBytes = 4096;

thread_local volatile bool is_inside = false;  // in libarchive

struct sigaction usual {};  // handler before ours

void end_or_crash(int number, siginfo_t* info, void*) {
  const bool is_null = reinterpret_cast<std::uintptr_t>(info->si_addr) < kNullBytes;
  if (is_inside && is_null) ::_exit(complain_of_memory());
  ::sigaction(number, &usual, nullptr);  // returning repeats the access, which now crashes
}

bool is_ready() noexcept {
  struct sigaction action {};
  action.sa_sigaction = end_or_crash;
  action.sa_flags = SA_SIGINFO;
  return ::sigaction(SIGSEGV, &action, &usual) == 0;
}

}  // namespace

ArchiveCall::ArchiveCall() noexcept {
  static const bool is_set = is_ready();
  is_inside = is_set;
}

ArchiveCall::~ArchiveCall() { is_inside = false; }

}  // namespace xorloom::cli
