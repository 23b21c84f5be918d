#include "runtime/machine/last_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace xorloom {
namespace {

thread_local char kept[1024] = "";            // the sentence of last_error()
thread_local bool is_lack_of_memory = false;  // true: the sentence tells of a lack of memory

struct Listener {
  Log log = nullptr;
  void* context = nullptr;
  std::array<bool, 8> has_heard{};  ///< by kind
};

std::mutex listening;
Listener listener;

}  // namespace

const char* last_error() noexcept { return kept; }

Status report_formatted(Status status, fmt::string_view sentence, fmt::format_args args) noexcept {
  const auto written = fmt::vformat_to_n(kept, sizeof(kept) - 1, sentence, args);
  kept[std::min(written.size, sizeof(kept) - 1)] = '\0';
  is_lack_of_memory = false;
  return status;
}

Status report_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return report(error.kind(), "{}", error.what());
  } catch (const std::bad_alloc&) {
    const Status status = report(Status::kUnsupported, "there is not enough memory");
    is_lack_of_memory = true;
    return status;
  } catch (const std::exception& error) {
    return report(Status::kInternal, "unexpected: {}", error.what());
  } catch (...) {
    return report(Status::kInternal, "unexpected: an exception of unknown type");
  }
}

void check_run(Status status) {
  if (status == Status::kOk) return;
  if (is_lack_of_memory) throw std::bad_alloc();
  throw Error(Status::kInternal, last_error());
}

void check(Status status) {
  if (status == Status::kOk) return;
  if (is_lack_of_memory) throw std::bad_alloc();
  throw Error(status, last_error());
}

void set_log(Log log, void* context) noexcept {
  const std::lock_guard lock(listening);
  listener = {log, context};
}

void log_once(Status kind, const std::string& sentence) noexcept {
  const std::lock_guard lock(listening);
  bool& has_heard = listener.has_heard.at(static_cast<std::size_t>(kind));
  if (listener.log == nullptr || std::exchange(has_heard, true)) return;
  listener.log(sentence.c_str(), listener.context);
}

}  // namespace xorloom
