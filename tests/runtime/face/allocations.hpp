#pragma once

#include <cstddef>

namespace xorloom {

// Linking allocations.cpp replaces operator new by one that counts, thread by thread.

/// Counts what this thread allocates.
class AllocationCount {
 public:
  AllocationCount();
  std::size_t so_far() const;

 private:
  std::size_t before_;
};

/// While it lives, this thread gets that many allocations and then std::bad_alloc. What is leaked
/// then is not counted: a TBB node whose second copy of its body is refused leaks the first.
class AllocationLimit {
 public:
  explicit AllocationLimit(std::size_t granted);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;
  bool was_reached() const;
};

}  // namespace xorloom
