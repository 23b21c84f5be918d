#include "runtime/machine/fork_guard.hpp"

#include <pthread.h>

namespace xorloom {
namespace {

std::mutex& no_fork() {
  static std::mutex mutex;
  [[maybe_unused]] static const int registered = pthread_atfork(
      [] { no_fork().lock(); }, [] { no_fork().unlock(); }, [] { no_fork().unlock(); });
  return mutex;
}

}  // namespace

ForkGuard::ForkGuard() : lock_(no_fork()) {}

}  // namespace xorloom
