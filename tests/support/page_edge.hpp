#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <vector>

namespace xorloom::test {

/// A copy of some values, behind which nothing can be read: the next page is not accessible.
template <typename Value>
class PageEdge {
 public:
  explicit PageEdge(const std::vector<Value>& values)
      : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    const std::size_t bytes = values.size() * sizeof(Value);
    REQUIRE(bytes <= page_);
    memory_ =
        ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory_ != MAP_FAILED);
    auto* const end = static_cast<std::byte*>(memory_) + page_;
    REQUIRE(::mprotect(end, page_, PROT_NONE) == 0);
    if (bytes != 0) std::memcpy(end - bytes, values.data(), bytes);
    first_ = reinterpret_cast<Value*>(end - bytes);
  }
  ~PageEdge() { ::munmap(memory_, 2 * page_); }
  PageEdge(const PageEdge&) = delete;
  PageEdge& operator=(const PageEdge&) = delete;

  Value* data() const { return first_; }

 private:
  std::size_t page_;
  void* memory_ = nullptr;
  Value* first_ = nullptr;
};

}  // namespace xorloom::test
