#pragma once

#include <fmt/core.h>

#include <string>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Formats a sentence for report(). A function of its own, so that the formatter is compiled once.
Status report_formatted(Status status, fmt::string_view sentence, fmt::format_args args) noexcept;

/// Keeps a sentence for last_error() on this thread, cut off at 1023 bytes, and returns `status`.
/// Allocates nothing if the arguments are numbers and plain strings.
template <typename... Args>
Status report(Status status, fmt::format_string<Args...> sentence, Args&&... args) noexcept {
  return report_formatted(status, sentence, fmt::make_format_args(args...));
}

/// report() of the exception that is being handled: the status of an Error, kUnsupported if memory
/// ran out, else kInternal. Precondition: called in a catch block.
Status report_exception() noexcept;

/// Throws kInternal with the sentence of last_error() unless `status` is kOk: for calls that cannot
/// fail because their buffers are right. Throws std::bad_alloc if memory ran out in the call.
void check_run(Status status);

/// Throws `status` with the sentence of last_error(), unless it is kOk. Throws std::bad_alloc if
/// memory ran out in the call.
void check(Status status);

/// Tells the function of set_log() a sentence, unless it has heard another of the same kind.
/// Devices use kIo, machine code the other kinds.
void log_once(Status kind, const std::string& sentence) noexcept;

}  // namespace xorloom
