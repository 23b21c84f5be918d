#pragma once

#include <functional>
#include <memory>

namespace xorloom::cli {

/// A function with a stack of its own, which runs by turns with its caller on one thread: for a
/// system that gives no second thread.
///
///     caller    resume() ------.        .-> resume() -----.
///     body                     '-> pause()                '-> goes on there
class Coroutine {
 public:
  /// The body must not throw. Errors: throws std::bad_alloc.
  explicit Coroutine(std::function<void()> body);
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;
  /// Precondition: the body has not begun, or it has returned.
  ~Coroutine();

  /// Runs the body until it pauses or returns. Precondition: it has not returned.
  void resume() noexcept;

  /// Goes back to the caller of resume(). Only the body may call it.
  void pause() noexcept;

  /// True if it is the body that runs.
  bool is_inside() const noexcept;

 private:
  struct Stacks;
  std::unique_ptr<Stacks> stacks_;
};

}  // namespace xorloom::cli
