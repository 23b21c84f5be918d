#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>

namespace xorloom::test {

/// A call of the system that fails: those of a number whose argument has certain bits.
struct FailingCall {
  int number;  ///< SYS_flock …
  int error;   ///< errno of the failing call
  unsigned argument = 0;
  std::uint32_t mask = 0;  ///< bits of the argument to compare; 0: every call fails
  std::uint32_t bits = 0;  ///< value of these bits if the call fails
};

/// Files without a name, which some file systems cannot have.
inline constexpr FailingCall kNoNameless{SYS_openat, EOPNOTSUPP, 2, O_TMPFILE, O_TMPFILE};

/// Names that cannot be removed.
#ifdef SYS_unlink
inline constexpr FailingCall kNoUnlink{SYS_unlink, EIO};
#else
inline constexpr FailingCall kNoUnlink{SYS_unlinkat, EIO};
#endif

/// Makes calls of this process, and of those it begins, fail from now on. False if the system lets
/// nobody do that.
inline bool begin_failing(const FailingCall& call) {
  constexpr auto at = [](std::size_t offset) { return static_cast<std::uint32_t>(offset); };
  constexpr std::uint32_t kLowerHalf = std::endian::native == std::endian::big ? 4 : 0;
  const std::uint32_t argument =
      at(offsetof(seccomp_data, args)) + static_cast<std::uint32_t>(call.argument * 8) + kLowerHalf;
  const auto number = static_cast<std::uint32_t>(call.number);
  const auto error = static_cast<std::uint32_t>(call.error) & SECCOMP_RET_DATA;
  std::array<sock_filter, 7> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at(offsetof(seccomp_data, nr))),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, call.mask),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Runs `work` in a process of its own, for a minute at most. Returns its exit status, minus the
/// signal that ended it, or -1000 if there is no process to be had.
template <typename Work>
int answer_of_process(const Work& work) {
  const pid_t child = ::fork();
  if (child < 0) return -1000;
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a test that fails
    ::alarm(60);
    ::_exit(work());
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1000;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// Whether calls can be made to fail: an emulator of other processors has no filters of calls.
inline bool calls_can_fail() {
  static const bool can = answer_of_process([] {
                            return begin_failing({SYS_flock, EIO}) ? 0 : 1;
                          }) == 0;
  return can;
}

#define SKIP_WITHOUT_FAILING_CALLS()                      \
  if (!test::calls_can_fail()) {                          \
    MESSAGE("skipped: no call can be made to fail here"); \
    return;                                               \
  }

}  // namespace xorloom::test
