#pragma once

#include <atomic>
#include <memory>

namespace xorloom {

/// A value that is made at its first use, and then kept.
///
/// Threads that ask at the same time may each make a value; all get the first that was finished.
/// std::call_once is not used: if its function throws while memory is short, glibc aborts, since it
/// loads an unwinder of its own. And here a child of fork() never waits for a thread that it does
/// not have.
template <typename T>
class MadeOnce {
 public:
  MadeOnce() = default;
  MadeOnce(const MadeOnce&) = delete;
  MadeOnce& operator=(const MadeOnce&) = delete;
  ~MadeOnce() { delete value_.load(std::memory_order_relaxed); }

  /// Returns the value, made by make(). Errors: throws what `make` throws; a later call tries
  /// again.
  template <typename Make>
  const T& get(const Make& make) {
    if (const T* const value = value_.load(std::memory_order_acquire)) return *value;
    auto made = std::make_unique<const T>(make());
    const T* kept = nullptr;
    if (!value_.compare_exchange_strong(kept, made.get(), std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
      return *kept;
    }
    return *made.release();
  }

 private:
  std::atomic<const T*> value_ = nullptr;
};

}  // namespace xorloom
