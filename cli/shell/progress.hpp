#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/files/progress.hpp"

namespace xorloom::cli {

/// Shows the progress of long work on a terminal: one line on standard error, updated 5 times a
/// second from 0.4 s on, erased by the destructor.
///
/// Shows nothing if standard error is no terminal, TERM is "dumb", the program is in the background
/// or the terminal takes no output. An empty phase does not change the line. Other output to
/// standard error must go through note(), which erases the line first. Precondition: at most one
/// exists.
class ProgressLine {
 public:
  /// `progress` must outlive this. Shows nothing if not `wanted`, for example if the work itself
  /// reads or writes a terminal.
  explicit ProgressLine(const Progress& progress, bool wanted = true);

  /// Shows text(columns), unless it is empty. `text` is called on another thread; what it captures
  /// must outlive this.
  explicit ProgressLine(std::function<std::string(std::size_t columns)> text, bool wanted = true);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

 private:
  void follow();

  std::function<std::string(std::size_t columns)> text_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;  ///< guarded by mutex_
  std::thread thread_;
};

/// Suppresses progress lines and notes from now on: see note().
void be_quiet() noexcept;
bool is_quiet() noexcept;

/// Erases the progress line. None is shown while the lock is held.
std::unique_lock<std::mutex> without_progress_line();

/// Erases the progress line for good, before a signal ends the program. Waits at most 0.1 s for a
/// writer that hangs. Do not call it in a signal handler.
void erase_progress_line() noexcept;

}  // namespace xorloom::cli
