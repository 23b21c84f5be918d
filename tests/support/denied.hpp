#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace xorloom {

// Takes permissions from a test's process. This cannot be undone: see in_child.

/// Runs `function` in a child process. Returns the number that it returned; 99: it threw.
template <typename Function>
int in_child(const Function& function) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    try {
      ::_exit(function());
    } catch (...) {
      ::_exit(99);
    }
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// Written pages become executable no more, as in a service with MemoryDenyWriteExecute. False if
/// this kernel, older than Linux 6.3, cannot deny that.
inline bool deny_execution_of_written_pages() {
  constexpr int kSetDenyExecutable = 65;    // PR_SET_MDWE; headers may be older
  constexpr unsigned long kRefuseGain = 1;  // PR_MDWE_REFUSE_EXEC_GAIN
  return ::prctl(kSetDenyExecutable, kRefuseGain, 0, 0, 0) == 0;
}

/// A system call fails with EPERM from now on, if it has one of the bits in the given argument.
/// False if this kernel has no filters.
inline bool deny_call(std::uint32_t call, std::uint32_t argument, std::uint32_t bits) {
  const auto place = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
  std::array<sock_filter, 6> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  sock_fprog program{filter.size(), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// No files in memory are made from now on.
inline bool deny_files_in_memory() { return deny_call(SYS_memfd_create, 1, ~std::uint32_t{0}); }

/// No memory becomes executable from now on.
inline bool deny_executable_memory() {
  return deny_call(SYS_mmap, 2, PROT_EXEC) && deny_call(SYS_mprotect, 2, PROT_EXEC);
}

}  // namespace xorloom
