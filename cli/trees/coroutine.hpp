#pragma once

#include <functional>
#include <memory>

namespace xorloom::cli {

/// A function on a separate stack that takes turns with its caller on one thread. Replaces a second
/// thread if the system refuses to start any.
///
///     caller    resume() ------.        .-> resume() -----.
///     body                     '-> pause()                '-> goes on there
class Coroutine {
 public:
  /// Does not begin `body` yet. Precondition: `body` does not throw. Errors: throws std::bad_alloc.
  explicit Coroutine(std::function<void()> body);
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;
  /// Precondition: the body has not begun, or it has returned.
  ~Coroutine();

  /// Runs the body until it pauses or returns. Precondition: the body has not returned.
  void resume() noexcept;

  /// Returns to the caller of resume(). Precondition: the body calls it.
  void pause() noexcept;

  /// True if called by the body.
  bool is_inside() const noexcept;

 private:
  struct Stacks;
  std::unique_ptr<Stacks> stacks_;
};

}  // namespace xorloom::cli
