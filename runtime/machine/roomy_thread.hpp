#pragma once

#include <pthread.h>

#include <functional>
#include <memory>

namespace xorloom {

/// A thread whose stack suffices for searches, whatever limit the process has.
class RoomyThread {
 public:
  /// No thread.
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

}  // namespace xorloom
