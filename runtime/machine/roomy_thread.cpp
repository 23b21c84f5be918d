#include "runtime/machine/roomy_thread.hpp"

#include <cstddef>
#include <system_error>
#include <utility>

namespace xorloom {
namespace {

constexpr std::size_t kStackBytes = std::size_t{8} << 20;

std::mutex& no_fork() {
  static std::mutex mutex;
  [[maybe_unused]] static const int registered = pthread_atfork(
      [] { no_fork().lock(); }, [] { no_fork().unlock(); }, [] { no_fork().unlock(); });
  return mutex;
}

}  // namespace

void RoomyThread::begin(std::function<void()> work) {
  auto owned = std::make_unique<std::function<void()>>(std::move(work));
  const auto call = [](void* owner) noexcept -> void* {
    (*static_cast<std::function<void()>*>(owner))();
    return nullptr;
  };
  pthread_attr_t attributes;
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    ::pthread_attr_setstacksize(&attributes, kStackBytes);
    error = ::pthread_create(&thread_, &attributes, call, owned.get());
    ::pthread_attr_destroy(&attributes);
  }
  if (error != 0) throw std::system_error(error, std::generic_category());
  work_ = std::move(owned);
}

void RoomyThread::join() noexcept {
  ::pthread_join(thread_, nullptr);
  work_.reset();
}

ForkGuard::ForkGuard() : lock_(no_fork()) {}

}  // namespace xorloom
