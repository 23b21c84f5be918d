#include "runtime/machine/log.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

namespace xorloom {
namespace {

struct Listener {
  Log log = nullptr;
  void* context = nullptr;
  std::array<bool, 8> has_heard{};  ///< by kind
};

std::mutex mutex;
Listener listener;

}  // namespace

void set_log(Log log, void* context) noexcept {
  const std::lock_guard lock(mutex);
  listener = {log, context};
}

void log_once(Status kind, const std::string& sentence) noexcept {
  const std::lock_guard lock(mutex);
  bool& has_heard = listener.has_heard.at(static_cast<std::size_t>(kind));
  if (listener.log == nullptr || std::exchange(has_heard, true)) return;
  listener.log(sentence.c_str(), listener.context);
}

}  // namespace xorloom
