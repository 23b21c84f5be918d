#pragma once

#include <cstdint>
#include <vector>

namespace xorloom {

/// Numbers the slots that live values occupy, as few as there are live values at once.
///
/// A value takes a slot when it is made. The caller releases the slot once the value is dead. The
/// slot released last is taken next, since it is most likely still near the core.
class LiveSlots {
 public:
  /// Takes a slot that no live value has.
  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  /// Shape: a live value has the slot.
  void release(std::uint32_t slot) { free_.push_back(slot); }

  /// Number of slots in all, numbered from 0.
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace xorloom
