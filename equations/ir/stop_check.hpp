#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace xorloom {

/// Calls stop_requested once per `work_at_once` units of work. Once it returns true, the answer
/// stays true.
class StopCheck {
 public:
  /// Buffers: stop_requested outlives this object. An empty function never stops.
  StopCheck(const std::function<bool()>& stop_requested, std::uint64_t work_at_once)
      : stop_requested_(stop_requested), work_at_once_(work_at_once) {}

  /// True if the caller should stop. `work`: units done since the last call.
  bool after(std::uint64_t work) {
    work_ += work;
    if (work_ < work_at_once_ || !stop_requested_) return is_stopped_;
    work_ = 0;
    is_stopped_ = is_stopped_ || stop_requested_();
    return is_stopped_;
  }

  bool is_stopped() const { return is_stopped_; }

 private:
  const std::function<bool()>& stop_requested_;
  std::uint64_t work_at_once_;
  std::uint64_t work_ = 0;  ///< units since the last call of stop_requested
  bool is_stopped_ = false;
};

/// Lets a walk make `moves` moves, `at_once` of them between two calls of stop_requested. Ends
/// early if walk.run(moves, enough) returns fewer moves than asked for.
template <typename Walk>
void run_in_pieces(Walk& walk, std::uint64_t moves, std::size_t enough, std::uint64_t at_once,
                   const std::function<bool()>& stop_requested) {
  while (moves != 0 && !(stop_requested && stop_requested())) {
    const std::uint64_t some = std::min(moves, at_once);
    moves -= some;
    if (walk.run(some, enough) < some) return;
  }
}

}  // namespace xorloom
