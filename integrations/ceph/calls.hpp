#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <new>
#include <ostream>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom::ceph_plugin {

// Parts shared by all functions that a daemon calls.

/// An error of errno.h, negative, or 0.
inline int error_of(Status status) {
  switch (status) {
    case Status::kOk:
      return 0;
    case Status::kDamaged:
      return -EIO;
    case Status::kUnsupported:
      return -ENOTSUP;
    default:
      return -EINVAL;
  }
}

/// Runs a function that answers with an error of errno.h, and has no exception leave.
template <typename Function>
int guarded(std::ostream* error, const Function& function) noexcept try {
  return function();
} catch (const Error& refused) {
  if (error != nullptr) *error << refused.what();
  return error_of(refused.kind());
} catch (const std::bad_alloc&) {
  return -ENOMEM;
} catch (...) {
  return -EIO;
}

/// A thread's pointers to chunks; they hold for one call.
inline std::uint8_t** pointers(std::size_t chunks) {
  thread_local std::vector<std::uint8_t*> all;
  all.assign(chunks, nullptr);
  return all.data();
}

/// Removes const, as plans take pointers. No plan writes to data that came from Ceph.
inline std::uint8_t* bytes_of(const char* bytes) {
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes));
}

}  // namespace xorloom::ceph_plugin
