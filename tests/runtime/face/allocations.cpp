#include "tests/runtime/face/allocations.hpp"

#include <cstdlib>
#include <limits>
#include <new>

#include "tests/support/sanitizers.hpp"

#ifdef XORLOOM_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

thread_local std::size_t count = 0;
thread_local std::size_t left = kUnlimited;
thread_local bool was_refused = false;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (left == 0) {
    was_refused = true;
    throw std::bad_alloc();
  }
  if (left != kUnlimited) --left;
  ++count;
  void* memory = alignment == 0
                     ? std::malloc(bytes == 0 ? 1 : bytes)
                     : std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* allocate_or_none(std::size_t bytes, std::size_t alignment) noexcept try {
  return allocate(bytes, alignment);
} catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace

// All forms are replaced: a sanitizer has its own of each, and its memory is not for std::free.

void* operator new(std::size_t bytes) { return allocate(bytes, 0); }
void* operator new[](std::size_t bytes) { return allocate(bytes, 0); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_none(bytes, 0);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_none(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_none(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return allocate_or_none(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace xorloom {

AllocationCount::AllocationCount() : before_(count) {}

std::size_t AllocationCount::so_far() const { return count - before_; }

AllocationLimit::AllocationLimit(std::size_t granted) {
  left = granted;
  was_refused = false;
#ifdef XORLOOM_ADDRESS_SANITIZER
  __lsan_disable();
#endif
}

AllocationLimit::~AllocationLimit() {
  left = kUnlimited;
#ifdef XORLOOM_ADDRESS_SANITIZER
  __lsan_enable();
#endif
}

bool AllocationLimit::was_reached() const { return was_refused; }

}  // namespace xorloom
