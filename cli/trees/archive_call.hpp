#pragma once

namespace xorloom::cli {

/// Marks, during its lifetime, that this thread runs in libarchive, which does not check all of its
/// allocations. If the thread crashes at a null pointer meanwhile, the program reports that memory
/// ran out and ends with status 4.
class ArchiveCall {
 public:
  ArchiveCall() noexcept;
  ArchiveCall(const ArchiveCall&) = delete;
  ArchiveCall& operator=(const ArchiveCall&) = delete;
  ~ArchiveCall();
};

/// Calls `call`, a function of libarchive, within an ArchiveCall. Returns its result.
template <typename Call>
auto in_archive(const Call& call) {
  const ArchiveCall is_under_way;
  return call();
}

}  // namespace xorloom::cli
