#include "cli/shell/last_resort.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

#include "cli/shell/exit_status.hpp"

// Handles lack of memory when no exception can reach main(): in a noexcept function, before main()
// begins, or while an exception is made. libarchive calls exit() then.

namespace xorloom::cli {
namespace {

std::atomic<bool> has_run_out = false;
std::atomic<bool> may_exit = false;

std::terminate_handler usual_end = nullptr;

[[noreturn]] void end_without_memory() noexcept { ::_exit(complain_of_memory()); }

void note_lack_of_memory() {
  has_run_out = true;
  throw std::bad_alloc();
}

void end_at_last() noexcept {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  const bool is_lack = thrown != nullptr && *thrown == typeid(std::bad_alloc);
  if (is_lack || has_run_out) end_without_memory();
  usual_end();
  std::abort();
}

void check_exit() noexcept {
  if (!may_exit) end_without_memory();
}

// Runs before other objects are constructed, as these allocate.
[[gnu::constructor(101)]] void be_ready() {
  std::set_new_handler(note_lack_of_memory);
  usual_end = std::set_terminate(end_at_last);
  static_cast<void>(std::atexit(check_exit));
}

}  // namespace

void allow_exit() noexcept { may_exit = true; }

}  // namespace xorloom::cli
