// Preloaded into a program, this makes the program's memory run out at one of its allocations.
//
//   XORLOOM_FAIL_ALLOCATION=N    the N-th allocation fails, counted from 1 over all threads
//   XORLOOM_FAIL_ALLOCATION=N+   so do all after it
//   XORLOOM_COUNT_ALLOCATIONS=F  the number of allocations is written to the file F at the end
//
// operator new and what libraries allocate end in these functions. None of them uses the heap, nor
// the C++ library, whose own first allocation counts too.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
// The allocator of glibc under its other names.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

std::atomic<std::uint64_t> allocations{0};
std::atomic<bool> is_set_up{false};
std::atomic<std::uint64_t> first_failing{0};  ///< 0: none fails
std::atomic<bool> is_for_good{false};

void set_up() {
  if (is_set_up || environ == nullptr) return;  // the loader allocates before there is one
  if (const char* text = std::getenv("XORLOOM_FAIL_ALLOCATION")) {
    std::uint64_t number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
      number = 10 * number + static_cast<std::uint64_t>(*text - '0');
    }
    is_for_good = *text == '+';
    first_failing = number;
  }
  is_set_up = true;
}

bool fails() {
  set_up();
  const std::uint64_t number = ++allocations;
  const std::uint64_t first = first_failing;
  if (first == 0 || (is_for_good ? number < first : number != first)) return false;
  errno = ENOMEM;
  return true;
}

/// Writes the number of allocations when the program ends by exit().
__attribute__((destructor)) void write_count() {
  const char* const path = std::getenv("XORLOOM_COUNT_ALLOCATIONS");
  if (path == nullptr) return;
  char digits[20];
  std::size_t first = sizeof digits;
  for (std::uint64_t rest = allocations; first == sizeof digits || rest != 0; rest /= 10) {
    digits[--first] = static_cast<char>('0' + rest % 10);
  }
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  static_cast<void>(::write(file, digits + first, sizeof digits - first) > 0);
  ::close(file);
}

}  // namespace

#define XORLOOM_PUBLIC __attribute__((visibility("default")))

extern "C" {

XORLOOM_PUBLIC void* malloc(std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_malloc(bytes);
}

XORLOOM_PUBLIC void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_calloc(count, bytes);
}

XORLOOM_PUBLIC void* realloc(void* memory, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_realloc(memory, bytes);
}

XORLOOM_PUBLIC void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_memalign(alignment, bytes);
}

XORLOOM_PUBLIC void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_memalign(alignment, bytes);
}

XORLOOM_PUBLIC int posix_memalign(void** memory, std::size_t alignment,
                                  std::size_t bytes) noexcept {
  void* const made = fails() ? nullptr : __libc_memalign(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

}  // extern "C"
