#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace xorloom {

/// Asks a search's caller whether to stop, each time that so much work was done. A yes is final.
class StopCheck {
 public:
  /// Buffers: stop_requested outlives it. An empty one never stops.
  StopCheck(const std::function<bool()>& stop_requested, std::uint64_t work_at_once)
      : stop_requested_(stop_requested), work_at_once_(work_at_once) {}

  /// Whether to stop, after some more work.
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
  std::uint64_t work_ = 0;  ///< since it was asked
  bool is_stopped_ = false;
};

/// Lets a walk make that many moves, `at_once` of them between questions whether to stop. It ends
/// early if the walk does: walk.run(moves, enough) returns the moves that were made.
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
