#include "cli/shell/progress.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/shell/progress_text.hpp"

namespace xorloom::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPeriod = 200ms;
constexpr auto kQuiet = 400ms;  // shorter work shows no line

std::mutex terminal;  // held while standard error is written
bool shown = false;   // the line is visible; guarded by terminal

std::atomic<bool> quiet = false;

bool can_show() {
  const char* term = std::getenv("TERM");
  return !quiet && ::isatty(STDERR_FILENO) != 0 &&
         (term == nullptr || std::string_view(term) != "dumb");
}

/// Columns of a progress line. The last column of the terminal stays free, since some terminals
/// wrap after it.
std::size_t usable_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (known ? size.ws_col : std::size_t{80}) - 1;
}

/// Writes as much as the terminal takes without waiting. False: nothing was written, because it
/// takes nothing or another job is in the foreground.
bool write_now(std::string_view text) noexcept {
  const pid_t foreground = ::tcgetpgrp(STDERR_FILENO);
  if (foreground >= 0 && foreground != ::getpgrp()) return false;
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return false;
  return ::write(STDERR_FILENO, text.data(), text.size()) > 0;
}

// Precondition of erase() and show(): `terminal` is held.
void erase() noexcept {
  if (shown) write_now("\r\033[K");
  shown = false;
}

void show(const std::string& text) {
  if (write_now("\r" + text + "\033[K")) shown = true;
}

/// Measures the speed of a phase since its first call.
class Pace {
 public:
  /// Bytes per second; 0 if not known yet.
  double of(std::string_view phase, std::uint64_t done) {
    const auto now = Clock::now();
    if (phase != phase_ || done < last_) {
      phase_ = phase;
      begin_ = now;
      first_ = done;
    }
    last_ = done;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    return seconds > 0 ? static_cast<double>(done - first_) / seconds : 0;
  }

 private:
  std::string phase_;
  Clock::time_point begin_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace

void be_quiet() noexcept { quiet = true; }

bool is_quiet() noexcept { return quiet; }

ProgressLine::ProgressLine(const Progress& progress, bool wanted)
    : ProgressLine(
          [&progress, pace = Pace()](std::size_t columns) mutable {
            const std::string_view phase = progress.phase.load();
            const std::uint64_t done = progress.done;
            const double rate = pace.of(phase, done);
            return phase.empty() ? std::string()
                                 : progress_text(phase, done, progress.total, rate, columns);
          },
          wanted) {}

ProgressLine::ProgressLine(std::function<std::string(std::size_t columns)> text, bool wanted)
    : text_(std::move(text)) {
  if (!wanted || !can_show()) return;
  try {
    thread_ = std::thread([this] {
      try {
        follow();
      } catch (const std::exception&) {  // for example if memory is short
      }
    });
  } catch (const std::system_error&) {  // no thread can be started
  }
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
  static_cast<void>(without_progress_line());
}

void ProgressLine::follow() {
  const auto begin = Clock::now();
  std::unique_lock lock(mutex_);
  do {
    const std::string text = text_(usable_columns());
    if (text.empty() || Clock::now() - begin < kQuiet) continue;
    const std::lock_guard writing(terminal);
    show(text);
  } while (!ended_.wait_for(lock, kPeriod, [this] { return end_; }));
}

std::unique_lock<std::mutex> without_progress_line() {
  std::unique_lock lock(terminal);
  erase();
  return lock;
}

void erase_progress_line() noexcept {
  // Loops, as the thread sanitizer of g++ 12 does not support try_lock_for.
  for (int tries = 0; tries < 10; ++tries) {
    if (terminal.try_lock()) return erase();  // terminal stays locked for good
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace xorloom::cli
