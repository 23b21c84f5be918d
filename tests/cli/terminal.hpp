#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom::test {

/// Runs the program with its standard error on a terminal of its own, and its standard input on a
/// pipe. The test has the other ends.
class OnTerminal {
 public:
  /// Starts the program. `columns` 0: the terminal does not know its width.
  OnTerminal(const std::vector<std::string>& arguments, std::uint16_t columns,
             const char* term = "xterm");
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;
  ~OnTerminal();

  /// Gives it bytes on standard input, or the end of them.
  void feed(std::string_view bytes) const;
  void end_input();

  /// Presses a key of the terminal: '\3' is Ctrl-C.
  void press(char key) const;

  /// Reads from the terminal until this was on it. False if it was not within 20 s, or at all.
  bool wait_for(std::string_view text);

  /// Waits up to 20 s until the program ends: its exit status, or minus the signal that ended it.
  int finish();

  /// All that the program wrote to the terminal.
  const std::string& written() const { return written_; }

 private:
  bool read_more(std::chrono::steady_clock::time_point latest);

  int terminal_ = -1;
  int input_ = -1;
  pid_t process_ = 0;
  std::string written_;
};

/// The lines a wide terminal shows after this was written to it, without empty ones at the end.
std::vector<std::string> screen(std::string_view written);

/// Every line that was written, those written over too, control characters taken out.
std::vector<std::string> lines_written(std::string_view written);

}  // namespace xorloom::test
