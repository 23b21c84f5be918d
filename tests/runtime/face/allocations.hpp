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

/// Grants this thread `granted` allocations while it lives; later ones throw std::bad_alloc. Leaks
/// after that are not counted: a TBB node leaks the first copy of its body if the second is
/// refused.
class AllocationLimit {
 public:
  explicit AllocationLimit(std::size_t granted);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;
  bool was_reached() const;
};

}  // namespace xorloom
