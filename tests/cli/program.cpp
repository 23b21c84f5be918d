#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// xorloom-lab, which lies beside xorloom.
constexpr const char* kLab = XORLOOM_PROGRAM "-lab";

int wait_for(pid_t process) {
  int status = 0;
  if (::waitpid(process, &status, 0) != process) throw std::runtime_error("the program is lost");
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool is_over(pid_t process) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(process);
  return ::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == process;
}

/// Processor time that a process had.
std::chrono::nanoseconds computed(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    throw std::runtime_error("no processor time of a process");
  }
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void end(pid_t process, const Ending& ending) {
  while (computed(process) < ending.computed) {
    if (is_over(process)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  while (ending.once && !ending.once()) {
    if (is_over(process)) return;
  }
  // A sleep is too long by up to a fraction of a millisecond, which is spent awake.
  const auto moment = std::chrono::steady_clock::now() + ending.after;
  std::this_thread::sleep_until(moment - std::chrono::milliseconds(1));
  while (std::chrono::steady_clock::now() < moment) continue;
  ::kill(process, ending.signal);  // the id is still ours, even if the process has ended
}

/// A child process begun with its streams in files, or on a pipe that nobody reads.
Outcome run(std::vector<std::string> command, const Streams& streams,
            const std::filesystem::path& directory, const Ending* ending = nullptr,
            std::vector<std::string> variables = {}) {
  const TemporaryFolder folder;
  write_file(folder / "in", streams.in);
  const std::string out = streams.out_path.empty() ? folder / "out" : streams.out_path;
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  for (char** inherited = environ; *inherited != nullptr; ++inherited) {
    environment.push_back(*inherited);
  }
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, (folder / "in").c_str(), O_RDONLY, 0);
  std::array<int, 2> ends{-1, -1};
  if (streams.closed_reader) {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    ::close(ends[0]);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  } else {
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0666);
  }
  posix_spawn_file_actions_addopen(&actions, 2, (folder / "err").c_str(), O_WRONLY | O_CREAT, 0666);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  pid_t process = 0;
  const int failed = ::posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(),
                                   environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (ends[1] >= 0) ::close(ends[1]);
  if (failed != 0) throw std::runtime_error("cannot run " + command.front());
  if (ending != nullptr) end(process, *ending);
  const int status = wait_for(process);
  const bool captured = streams.out_path.empty() && !streams.closed_reader;
  return {status, captured ? read_file(out) : "", read_file(folder / "err")};
}

std::vector<std::string> command_of(const std::vector<std::string>& arguments,
                                    const char* program = XORLOOM_PROGRAM) {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace

Outcome xorloom(const std::vector<std::string>& arguments, const Streams& streams) {
  return run(command_of(arguments), streams, {});
}

long seconds_of_programs() {
  rusage used{};
  if (getrusage(RUSAGE_CHILDREN, &used) != 0) throw std::runtime_error("getrusage failed");
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec;
}

Outcome xorloom_lab(const std::vector<std::string>& arguments) {
  return run(command_of(arguments, kLab), {}, {});
}

Outcome xorloom_ended(const std::vector<std::string>& arguments, const Ending& ending) {
  return run(command_of(arguments), {}, {}, &ending);
}

Outcome xorloom_in(const std::filesystem::path& directory,
                   const std::vector<std::string>& arguments,
                   const std::vector<std::string>& variables) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const Ending ending{SIGKILL, {}, [&] {
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        return std::chrono::steady_clock::now() > deadline;
                      }};
  return run(command_of(arguments), {}, directory, &ending, variables);
}

Outcome shell(const std::string& line, const std::filesystem::path& directory) {
  return run(
      {"/bin/bash", "-c", fmt::format("xorloom='{}' lab='{}'\n{}", XORLOOM_PROGRAM, kLab, line)},
      {}, directory);
}

std::string not_refused(const Outcome& outcome, std::string_view sentence) {
  const int status = sentence.starts_with("cannot ") ? 4 : 2;
  if (outcome.status != status) {
    return fmt::format("the status is {}: {}{}", outcome.status, outcome.out, outcome.err);
  }
  if (!outcome.out.empty()) return "standard output has: " + outcome.out;
  const std::string first = outcome.err.substr(0, outcome.err.find('\n'));
  if (first != fmt::format("xorloom: error: {}", sentence) &&
      first != fmt::format("xorloom-lab: error: {}", sentence)) {
    return "the sentence is: " + first;
  }
  return "";
}

std::size_t widest_line(std::string_view text) {
  std::size_t widest = 0;
  std::size_t columns = 0;
  for (const char c : text) {
    if (c == '\n') columns = 0;
    // A code point is one column; the bytes that follow its first are none.
    if (c != '\n' && (static_cast<unsigned char>(c) & 0xc0U) != 0x80U) ++columns;
    widest = std::max(widest, columns);
  }
  return widest;
}

void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

std::vector<std::string> family_examples() {
  constexpr std::string_view kExample = "  example  ";
  std::vector<std::string> specs;
  std::istringstream table(xorloom({"codes"}).out);
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with(kExample)) specs.push_back(line.substr(kExample.size()));
  }
  return specs;
}

std::string random_bytes(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() & 0xff);
  return bytes;
}

}  // namespace xorloom::test
