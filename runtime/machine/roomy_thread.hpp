#pragma once

#include <pthread.h>

#include <functional>
#include <memory>
#include <mutex>

namespace xorloom {

/// A thread whose stack is large enough for searches, whatever the limit of the process.
class RoomyThread {
 public:
  /// Begins no thread.
  RoomyThread() = default;
  RoomyThread(const RoomyThread&) = delete;
  RoomyThread& operator=(const RoomyThread&) = delete;
  /// Precondition: it was joined, or never begun.
  ~RoomyThread() = default;

  /// Begins to work. Errors: throws std::system_error if the system has no more threads.
  void begin(std::function<void()> work);

  bool is_joinable() const noexcept { return work_ != nullptr; }
  void join() noexcept;

 private:
  pthread_t thread_{};
  std::unique_ptr<std::function<void()>> work_;  ///< null: there is no thread
};

/// No fork of this process begins while a ForkGuard is alive. A thread of the library keeps one
/// while it holds a lock that callers wait for: in a child process that thread is gone, and the
/// lock would be held for ever.
///
/// Shape: for short work that makes no process, one thread at a time.
class ForkGuard {
 public:
  ForkGuard();

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace xorloom
