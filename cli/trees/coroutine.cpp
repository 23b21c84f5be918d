#include "cli/trees/coroutine.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace xorloom::cli {
namespace {

constexpr std::size_t kStackBytes = std::size_t{1} << 20;

/// Bytes below the stack that no access reaches without a fault: a page or more.
constexpr std::size_t kGuardBytes = std::size_t{1} << 16;

}  // namespace

struct Coroutine::Stacks {
  explicit Stacks(std::function<void()> its_body) : body(std::move(its_body)) {
    memory = ::mmap(nullptr, kGuardBytes + kStackBytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    auto* const stack = static_cast<std::byte*>(memory) + kGuardBytes;
    if (::mprotect(stack, kStackBytes, PROT_READ | PROT_WRITE) != 0 ||
        ::getcontext(own.get()) != 0) {
      ::munmap(memory, kGuardBytes + kStackBytes);
      throw std::bad_alloc();
    }
    own->uc_stack.ss_sp = stack;
    own->uc_stack.ss_size = kStackBytes;
    own->uc_link = callers.get();
    // makecontext passes arguments of type int only: split the pointer.
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    ::makecontext(own.get(), reinterpret_cast<void (*)()>(begin), 2,
                  static_cast<unsigned>(self >> 16U >> 16U), static_cast<unsigned>(self));
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() { ::munmap(memory, kGuardBytes + kStackBytes); }

  static void begin(unsigned high, unsigned low) noexcept {
    const std::uintptr_t self = (std::uintptr_t{high} << 16U << 16U) | low;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): see makecontext
    auto& stacks = *reinterpret_cast<Stacks*>(self);
    stacks.body();
    stacks.is_inside = false;
  }

  std::function<void()> body;
  void* memory = nullptr;
  // On RISC-V a context ends with an array of no bytes, and cannot stand before other members.
  std::unique_ptr<ucontext_t> own = std::make_unique<ucontext_t>();
  std::unique_ptr<ucontext_t> callers = std::make_unique<ucontext_t>();
  bool is_inside = false;
};

Coroutine::Coroutine(std::function<void()> body)
    : stacks_(std::make_unique<Stacks>(std::move(body))) {}

Coroutine::~Coroutine() = default;

void Coroutine::resume() noexcept {
  stacks_->is_inside = true;
  ::swapcontext(stacks_->callers.get(), stacks_->own.get());
}

void Coroutine::pause() noexcept {
  stacks_->is_inside = false;
  ::swapcontext(stacks_->own.get(), stacks_->callers.get());
}

bool Coroutine::is_inside() const noexcept { return stacks_->is_inside; }

}  // namespace xorloom::cli
