#include "tests/cli/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace xorloom::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{20'000};

int open_terminal(std::uint16_t columns) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  winsize size{};
  size.ws_row = 25;
  size.ws_col = columns;
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0 ||
      ::ioctl(terminal, TIOCSWINSZ, &size) != 0) {
    throw std::runtime_error("no terminal");
  }
  return terminal;
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) throw std::runtime_error("the program takes nothing");
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, written)));
  }
}

}  // namespace

OnTerminal::OnTerminal(const std::vector<std::string>& arguments, std::uint16_t columns,
                       const char* term)
    : terminal_(open_terminal(columns)) {
  std::vector<std::string> words{XORLOOM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  // The first terminal that the leader of a session opens becomes its own.
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ::ptsname(terminal_), O_RDWR, 0);
  ::setenv("TERM", term, 1);
  const int failed =
      ::posix_spawn(&process_, argv.front(), &actions, &attributes, argv.data(), environ);
  ::unsetenv("TERM");
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  input_ = ends[1];
  if (failed != 0) throw std::runtime_error("cannot run the program");
}

OnTerminal::~OnTerminal() {
  end_input();
  if (process_ != 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ::close(terminal_);
}

void OnTerminal::feed(std::string_view bytes) const { write_all(input_, bytes); }

void OnTerminal::end_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

void OnTerminal::press(char key) const { write_all(terminal_, {&key, 1}); }

bool OnTerminal::read_more(Clock::time_point latest) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(latest - Clock::now());
  pollfd ready{terminal_, POLLIN, 0};
  if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) != 1) return false;
  std::array<char, 4096> bytes{};
  const ssize_t got = ::read(terminal_, bytes.data(), bytes.size());
  if (got <= 0) return false;  // EIO once the program has gone
  written_.append(bytes.data(), static_cast<std::size_t>(got));
  return true;
}

bool OnTerminal::wait_for(std::string_view text) {
  const auto latest = Clock::now() + kPatience;
  while (written_.find(text) == std::string::npos) {
    if (!read_more(latest)) return false;
  }
  return true;
}

int OnTerminal::finish() {
  const auto latest = Clock::now() + kPatience;
  while (read_more(latest)) {
  }
  if (Clock::now() >= latest) throw std::runtime_error("the program does not end");
  int status = 0;
  if (::waitpid(process_, &status, 0) != process_) throw std::runtime_error("the program is lost");
  process_ = 0;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<std::string> screen(std::string_view written) {
  std::vector<std::string> lines(1);
  std::size_t column = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    std::string& line = lines.back();
    if (written[i] == '\n') {
      lines.emplace_back();
    } else if (written[i] == '\r') {
      column = 0;
    } else if (written.substr(i).starts_with("\033[K")) {
      line.resize(std::min(line.size(), column));
      i += 2;
    } else {
      line.resize(std::max(line.size(), column + 1), ' ');
      line[column++] = written[i];
    }
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<std::string> lines_written(std::string_view written) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\n' || written[i] == '\r') {
      lines.emplace_back();
    } else if (written.substr(i).starts_with("\033[K")) {
      i += 2;
    } else {
      lines.back() += written[i];
    }
  }
  return lines;
}

}  // namespace xorloom::test
