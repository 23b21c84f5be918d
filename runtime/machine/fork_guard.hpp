#pragma once

#include <mutex>

namespace xorloom {

/// While one is alive, no fork of this process begins. A thread of the library keeps one while it
/// holds a lock that callers wait for: in a child process that thread is gone, and the lock would be
/// held for ever.
///
/// Shape: for short work that makes no process, one thread at a time.
class ForkGuard {
 public:
  ForkGuard();

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace xorloom
