#pragma once

namespace xorloom::cli {

/// While there is one, the thread is in libarchive, which does not see everywhere that memory has
/// run out. If it then reads at a null pointer, the program says so and ends with status 4.
class ArchiveCall {
 public:
  ArchiveCall() noexcept;
  ArchiveCall(const ArchiveCall&) = delete;
  ArchiveCall& operator=(const ArchiveCall&) = delete;
  ~ArchiveCall();
};

/// The result of a call of libarchive.
template <typename Call>
auto in_archive(const Call& call) {
  const ArchiveCall is_under_way;
  return call();
}

}  // namespace xorloom::cli
