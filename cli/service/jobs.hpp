#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/service/connections.hpp"
#include "cli/shell/streams.hpp"

namespace xorloom::cli {

/// Result of a call of the program.
struct JobResult {
  std::string name{};
  bool is_background = false;
  bool was_late = false;   ///< took longer than allowed
  bool was_large = false;  ///< its output has more bytes than allowed
  int status = 0;          ///< exit status, or minus the signal that ended it
  std::string out{};
  std::string err{};
};

/// Calls of this program in processes of their own: a fault or a long computation of one question
/// does not touch the service, and each answer is that of the command line.
class Jobs {
 public:
  struct Limits {
    double seconds = 10;                             ///< time of a call
    double background_seconds = 60;                  ///< time of a call in the background
    std::size_t most_bytes = std::size_t{32} << 20;  ///< bytes of output
  };

  explicit Jobs(Limits limits) : limits_(limits) {}
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  ~Jobs();  ///< ends running jobs

  /// Starts the program with these arguments. In the background it gives way to all others.
  ///
  /// Errors: throws kIo if the system starts none.
  void start(std::string name, const std::vector<std::string>& arguments, bool is_background);

  /// Number that run, of the background or of others.
  std::size_t running(bool in_background) const;

  void add_to(std::vector<pollfd>& waits) const;

  /// Reads available output, ends late jobs, and returns the results of jobs that are over.
  std::vector<JobResult> finished(ServiceClock::time_point now);

 private:
  struct Job {
    Job(int out_pipe, int err_pipe) : out(out_pipe), err(err_pipe) {}
    JobResult result;
    pid_t process = -1;
    Descriptor out;
    Descriptor err;
    bool has_out = true;  ///< the process may still write to it
    bool has_err = true;
    ServiceClock::time_point deadline;
  };

  Limits limits_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace xorloom::cli
