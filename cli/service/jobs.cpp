#include "cli/service/jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

#include "codes/text/error.hpp"

// A sanitizer reserves terabytes of addresses.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define XORLOOM_LIMITS_ADDRESSES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define XORLOOM_LIMITS_ADDRESSES 0
#endif
#endif
#ifndef XORLOOM_LIMITS_ADDRESSES
#define XORLOOM_LIMITS_ADDRESSES 1
#endif

extern char** environ;

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostErrorBytes = 4096;
constexpr rlim_t kMostAddresses = rlim_t{4} << 30;

[[noreturn]] void cannot_start(int error) {
  fail(Status::kIo, fmt::format("cannot start a process of the service: {}", std::strerror(error)));
}

/// Both ends of a pipe, closed at its end unless released. Reading does not block.
class Pipe {
 public:
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  /// Errors: throws kIo.
  void open() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) cannot_start(errno);
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  int release_read() { return std::exchange(ends_[0], -1); }
  int write() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// File actions and attributes for starting a process, freed at the end.
struct Beginning {
  Beginning() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
  ~Beginning() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

/// Starts this program with its streams. Signals are as a shell leaves them, and Ctrl-C at the
/// service does not reach it.
pid_t spawn(const std::vector<std::string>& arguments, int out, int err) {
  Beginning beginning;
  ::posix_spawn_file_actions_addopen(&beginning.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&beginning.actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&beginning.actions, err, STDERR_FILENO);
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&beginning.attributes, &none);
  ::posix_spawnattr_setsigdefault(&beginning.attributes, &all);
  ::posix_spawnattr_setpgroup(&beginning.attributes, 0);
  ::posix_spawnattr_setflags(&beginning.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                        POSIX_SPAWN_SETPGROUP);
  std::vector<char*> pointers;
  std::string name = "xorloom";
  std::vector<std::string> copies = arguments;
  pointers.push_back(name.data());
  for (std::string& argument : copies) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, "/proc/self/exe", &beginning.actions,
                                  &beginning.attributes, pointers.data(), environ);
  if (error != 0) cannot_start(error);
  return process;
}

void limit(pid_t process, double seconds, bool is_background) {
  const auto whole = static_cast<rlim_t>(seconds) + 2;
  const rlimit processor{whole, whole};
  ::prlimit(process, RLIMIT_CPU, &processor, nullptr);
  if (XORLOOM_LIMITS_ADDRESSES != 0) {
    const rlimit addresses{kMostAddresses, kMostAddresses};
    ::prlimit(process, RLIMIT_AS, &addresses, nullptr);
  }
  if (is_background) ::setpriority(PRIO_PROCESS, static_cast<id_t>(process), 19);
}

/// Reads what a pipe has, and keeps a little more than `most_bytes` of it. Returns false at its
/// end.
bool drain(int pipe, std::string& text, std::size_t most_bytes) {
  std::array<char, std::size_t{64} << 10> bytes;
  for (;;) {
    const ssize_t count = ::read(pipe, bytes.data(), bytes.size());
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    if (text.size() <= most_bytes) text.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Jobs::~Jobs() {
  for (const auto& job : jobs_) {
    ::kill(job->process, SIGKILL);
    ::waitpid(job->process, nullptr, 0);
  }
}

void Jobs::start(std::string name, const std::vector<std::string>& arguments, bool is_background) {
  std::array<Pipe, 2> pipes;
  for (Pipe& pipe : pipes) pipe.open();
  auto job = std::make_unique<Job>(pipes[0].release_read(), pipes[1].release_read());
  jobs_.reserve(jobs_.size() + 1);
  job->result.name = std::move(name);
  job->result.is_background = is_background;
  const double seconds = is_background ? limits_.background_seconds : limits_.seconds;
  job->deadline = ServiceClock::now() + std::chrono::duration_cast<ServiceClock::duration>(
                                            std::chrono::duration<double>(seconds));
  job->process = spawn(arguments, pipes[0].write(), pipes[1].write());
  limit(job->process, seconds, is_background);
  jobs_.push_back(std::move(job));
}

std::size_t Jobs::running(bool in_background) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      jobs_, [&](const auto& job) { return job->result.is_background == in_background; }));
}

void Jobs::add_to(std::vector<pollfd>& waits) const {
  for (const auto& job : jobs_) {
    if (job->has_out) waits.push_back({job->out.number(), POLLIN, 0});
    if (job->has_err) waits.push_back({job->err.number(), POLLIN, 0});
  }
}

std::vector<JobResult> Jobs::finished(ServiceClock::time_point now) {
  std::vector<JobResult> results;
  for (auto& job : jobs_) {
    JobResult& result = job->result;
    if (job->has_out) job->has_out = drain(job->out.number(), result.out, limits_.most_bytes);
    if (job->has_err) job->has_err = drain(job->err.number(), result.err, kMostErrorBytes);
    result.was_large = result.out.size() > limits_.most_bytes;
    const bool ends = !job->has_out && !job->has_err;
    result.was_late = !ends && job->deadline <= now;
    if (!ends && !result.was_late && !result.was_large) continue;
    if (!ends) ::kill(job->process, SIGKILL);
    int status = 0;
    while (::waitpid(job->process, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    results.push_back(std::move(result));
    job.reset();
  }
  std::erase(jobs_, nullptr);
  return results;
}

}  // namespace xorloom::cli
