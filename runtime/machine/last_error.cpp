#include "runtime/machine/last_error.hpp"

#include <exception>
#include <new>

namespace xorloom {
namespace {

thread_local char sentence[1024] = "";

}  // namespace

std::span<char> last_error_buffer() noexcept { return sentence; }

const char* last_error() noexcept { return sentence; }

Status report_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return report(error.kind(), "{}", error.what());
  } catch (const std::bad_alloc&) {
    return report(Status::kUnsupported, "there is not enough memory");
  } catch (const std::exception& error) {
    return report(Status::kInternal, "unexpected: {}", error.what());
  } catch (...) {
    return report(Status::kInternal, "unexpected: an exception of unknown type");
  }
}

void check_run(Status status) {
  if (status != Status::kOk) throw Error(Status::kInternal, last_error());
}

void check(Status status) {
  if (status != Status::kOk) throw Error(status, last_error());
}

}  // namespace xorloom
