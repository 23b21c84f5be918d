#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/files/progress.hpp"

namespace xorloom::cli {

/// Shows on a terminal how far long work has come: one line on standard error, written over about 5
/// times a second, that appears 0.4 s after this is made and goes with it.
///
/// Nothing is shown where standard error is no terminal or TERM is "dumb", while the program is in
/// the background or the terminal takes nothing, and nothing new while the phase is "". What is
/// said on standard error meanwhile has to go through note(), which makes room for itself. There is
/// one at a time.
class ProgressLine {
 public:
  /// The progress must outlive this. Nothing is shown either if it is not wanted, as where the work
  /// itself reads or writes a terminal.
  explicit ProgressLine(const Progress& progress, bool wanted = true);

  /// Shows what is returned for that many columns; nothing while that is empty. It is called from
  /// another thread, and with captures must outlive this.
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

/// Keeps all lines away from now on, and notes: see note().
void be_quiet() noexcept;
bool is_quiet() noexcept;

/// Erases the line if there is one, and keeps it away while the lock is held.
std::unique_lock<std::mutex> without_progress_line();

/// Erases the line if there is one, and for good: for a program that is about to be ended by a
/// signal. It must not be called from a signal handler. It does not wait long for a terminal that
/// hangs.
void erase_progress_line() noexcept;

}  // namespace xorloom::cli
