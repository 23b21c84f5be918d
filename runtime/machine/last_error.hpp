#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The sentence that last_error() gives on this thread: room for one, without an allocation.
std::span<char> last_error_buffer() noexcept;

/// Keeps a sentence for last_error() on this thread, cut off where the room ends, and returns the
/// status. Allocates nothing as long as the arguments are numbers and plain strings.
template <typename... Args>
Status report(Status status, fmt::format_string<Args...> sentence, Args&&... args) noexcept {
  const std::span<char> buffer = last_error_buffer();
  const auto written =
      fmt::format_to_n(buffer.data(), buffer.size() - 1, sentence, std::forward<Args>(args)...);
  buffer[std::min(written.size, buffer.size() - 1)] = '\0';
  return status;
}

/// report() of the exception that is being handled: the status of an Error, kUnsupported where
/// memory ran out, kInternal for anything else. Called in a catch block.
Status report_exception() noexcept;

/// Throws kInternal with the sentence of last_error() unless a status is kOk: for calls that cannot
/// fail, as their buffers are right.
void check_run(Status status);

/// Throws what a status says, with the sentence of last_error(); nothing where it is kOk.
void check(Status status);

}  // namespace xorloom
