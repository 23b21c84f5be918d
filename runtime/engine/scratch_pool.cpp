#include "runtime/engine/scratch_pool.hpp"

#include <new>
#include <thread>

namespace xorloom {
namespace {

constexpr std::align_val_t kLine{64};

}  // namespace

ScratchPool::ScratchPool(std::size_t bytes) : bytes_(bytes) {
  free_[0] = static_cast<std::uint8_t*>(::operator new(bytes, kLine));
}

ScratchPool::~ScratchPool() {
  for (std::atomic<std::uint8_t*>& place : free_) ::operator delete(place.load(), kLine);
}

std::uint8_t* ScratchPool::take() const noexcept {
  for (;;) {
    for (std::atomic<std::uint8_t*>& place : free_) {
      if (place.load(std::memory_order_relaxed) == nullptr) continue;
      std::uint8_t* const buffer = place.exchange(nullptr, std::memory_order_acquire);
      if (buffer != nullptr) return buffer;
    }
    void* const made = ::operator new(bytes_, kLine, std::nothrow);
    if (made != nullptr) return static_cast<std::uint8_t*>(made);
    std::this_thread::yield();  // the first buffer is with a run, which ends
  }
}

void ScratchPool::give_back(std::uint8_t* buffer) const noexcept {
  for (std::atomic<std::uint8_t*>& place : free_) {
    std::uint8_t* none = nullptr;
    if (place.compare_exchange_strong(none, buffer, std::memory_order_release,
                                      std::memory_order_relaxed)) {
      return;
    }
  }
  ::operator delete(buffer, kLine);
}

}  // namespace xorloom
